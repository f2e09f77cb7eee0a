"""Bugs put in on purpose, one line of the product each: the simulation has to find every one.

`python -m tests.simulation.mutation` says of each what found it.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Mutant:
    name: str
    module: str
    before: str
    after: str

    def source(self, original: str) -> str:
        assert original.count(self.before) == 1, f"{self.name}: {original.count(self.before)} times"
        return original.replace(self.before, self.after)


_DECIDE = "shared.domain.session"

MUTANTS = (
    # decide
    Mutant(
        "what waits is forgotten when an attempt is retired",
        f"{_DECIDE}.retiring",
        "return ended + gone + _next(",
        "return ended + gone; _next(",
    ),
    Mutant(
        "a prompt is dispatched while another one runs",
        f"{_DECIDE}.queue",
        "if not session.queue or session.running is not None or session.held:",
        "if not session.queue or session.held:",
    ),
    Mutant(
        "attempts share a number",
        f"{_DECIDE}.queue",
        "number = session.attempts + 1",
        "number = max(1, session.attempts)",
    ),
    Mutant(
        "an attempt that ends leaves its prompt running",
        f"{_DECIDE}.ending",
        "    if session.running is not None:\n        return session.running.prompt\n",
        "",
    ),
    Mutant(
        "a sandbox that woke without its files is believed",
        f"{_DECIDE}.boot",
        "if marker >= expected:",
        "if marker >= 0:",
    ),
    Mutant(
        "the copy of what never boots is not tried",
        f"{_DECIDE}.sandbox",
        "self.failed_wakes >= MAX_FAILED_WAKES",
        "self.failed_wakes < 0",
    ),
    Mutant(
        "a copy takes a sandbox's place before it has booted",
        f"{_DECIDE}.evolve_workspace",
        "    elif attempt.beside or not session.workspace.turn:\n",
        "    elif not session.workspace.turn:\n",
    ),
    Mutant(
        "a mark that could not be left is looked for",
        f"{_DECIDE}.evolve_workspace",
        "number if attempt.marks and marked else",
        "number if attempt.marks else",
    ),
    # fences
    Mutant(
        "every attempt is the current one",
        f"{_DECIDE}.state",
        "if self.attempt is None or self.attempt.number != attempt:",
        "if self.attempt is None:",
    ),
    Mutant(
        "a token outlives its attempt",
        f"{_DECIDE}.evolve_attempt",
        "token_hash=None",
        "token_hash=attempt.token_hash",
    ),
    Mutant(
        "the reaper kills what a session owns",
        f"{_DECIDE}.ownership",
        "return Fate.KEEP if session.attempt is not None else Fate.PAUSE",
        "return Fate.KEEP if session.attempt is not None else Fate.KILL",
    ),
    # the log writer
    Mutant(
        "a writer does not look for its own frame",
        "tests.fakes.store_timeline",
        "for entry in log[after:]:",
        "for entry in log[:0]:",
    ),
    Mutant(
        "a resent frame starts from the tail",
        "shared.app.bridges",
        "appended = self._store(caller, message, after.seq)",
        "appended = self._store(caller, message, self._tail(caller))",
    ),
    Mutant(
        "what is acknowledged is stored under another name",
        "shared.app.sessions",
        "told = replace(frame, events=",
        "told = replace(frame, id=self.new_id(), events=",
    ),
    Mutant(
        "a frame is acknowledged before it is stored",
        "shared.app.bridges",
        "            appended = self._store(",
        "            self._answer(caller, wire.Ack(id=message.id, cursor=message.after))\n"
        "            appended = self._store(",
    ),
    Mutant(
        "a cursor is a slot ahead",
        "shared.app.cursors",
        "return Cursor(int(seq), ",
        "return Cursor(int(seq) + 1, ",
    ),
    # the use cases
    Mutant(
        "a lost race is taken for done",
        "shared.app.sessions",
        "                return self._commit(before, decision, now)\n"
        "            except VersionConflict:\n"
        "                continue\n",
        "                return self._commit(before, decision, now)\n"
        "            except VersionConflict:\n"
        "                return before\n",
    ),
    Mutant(
        "a request's name is not kept with what it asked",
        "shared.app.sessions",
        "after = self._commit(before, decision, now, request)",
        "after = self._commit(before, decision, now)",
    ),
    Mutant(
        "a watcher fetches one slot too far",
        "shared.app.viewers",
        "else self.timeline.after(watcher.session_id, asked.after, limit=asked.limit)",
        "else self.timeline.after(watcher.session_id, asked.after + 1, limit=asked.limit)",
    ),
    # effects
    Mutant(
        "an effect is crossed off before it is performed",
        "shared.app.effects",
        "                self._perform(effect)\n                self.store.done(effect)\n",
        "                self.store.done(effect)\n                self._perform(effect)\n",
    ),
    Mutant(
        "what the sweep performs stays due",
        "shared.app.effects",
        "            self._perform(leased)\n            self.store.done(leased)\n",
        "            self._perform(leased)\n",
    ),
    Mutant(
        "nobody is asked to poke",
        "shared.app.effects",
        "self.timers.poke_at(pending.session_id, attempt, due)",
        "pass",
    ),
    # the life of a sandbox
    Mutant(
        "what has files is killed instead of paused",
        "shared.app.keeping",
        "self.sandboxes.pause(provider_id)",
        "self.sandboxes.kill(provider_id)",
    ),
    Mutant(
        "the copy that is needed is thrown away",
        "shared.app.keeping",
        "if copy is None or copy in needed:",
        "if copy is None:",
    ),
    Mutant(
        "what is restored begins from nothing",
        "shared.app.launching",
        "            return copy.id\n",
        "            return None\n",
    ),
    # the workflow
    Mutant(
        "the way out does not lead through Retire",
        "infra.sandbox_life",
        'None, "Retire", otherwise="PreserveFailed"',
        'None, "NotPreserved", otherwise="PreserveFailed"',
    ),
    # the bridge
    Mutant(
        "a turn that a dead bridge left is run again",
        "sandbox_bridge.turns.obedience",
        'return Close(orders.prompt, "stopped" if stop else "failed")',
        "return Start(orders.prompt)",
    ),
    Mutant(
        "a turn is not written down before it begins",
        "sandbox_bridge.turns.runner",
        "        self._records.begin(prompt)\n",
        "",
    ),
    Mutant(
        "any acknowledgement settles the frame in flight",
        "sandbox_bridge.wire.sending",
        "if self._frame is None or ack.id != self._frame.id:",
        "if self._frame is None:",
    ),
    Mutant(
        "a turn leaves no mark on the disk",
        "sandbox_bridge.turns.runner",
        "marked = self._around.marker.advance(prompt)",
        "marked = True",
    ),
    Mutant(
        "the gate for writes is open from the start",
        "sandbox_bridge.boot.gate",
        "        self._opened = asyncio.Event()\n",
        "        self._opened = asyncio.Event()\n        self._opened.set()\n",
    ),
    Mutant(
        "the end of a turn is said before it is written down, and not again",
        "sandbox_bridge.turns.runner",
        "        self._records.finish(prompt, owed)\n",
        "        self._records.finish(prompt, [])\n",
    ),
)
