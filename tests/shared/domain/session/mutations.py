"""The rules of a session, broken on purpose: one change of a line each."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Mutant:
    name: str
    module: str
    before: str
    after: str

    def source(self, original: str) -> str:
        assert original.count(self.before) == 1, f"{self.name}: {original.count(self.before)} times"
        return original.replace(self.before, self.after)


OF_ATTEMPTS = (
    Mutant(
        "what waits is forgotten when an attempt is retired",
        "retiring",
        "    return go_on(session, moment)\n",
        "    return NOTHING\n",
    ),
    Mutant(
        "what waits is forgotten when a sandbox is ready",
        "boot",
        "return ready + go_on(after, moment) + idle",
        "return ready + idle",
    ),
    Mutant(
        "what waits is forgotten when a prompt has finished",
        "queue",
        "        return go_on(session, moment)\n",
        "        return NOTHING\n",
    ),
    Mutant(
        "nobody is told",
        "waits",
        "    if attempt.armed != armed or outcome is None:\n",
        "    if attempt.armed != armed or outcome is None or outcome != ENDED:\n",
    ),
    Mutant(
        "an ending tells nobody",
        "waits",
        "    if attempt.armed != armed or outcome is None:\n",
        "    if attempt.armed != armed or outcome in {None, ENDED}:\n",
    ),
    Mutant(
        "who waits for a fact is not told at once",
        "waits",
        "    if outcome is not None:\n",
        "    if outcome is ENDED:\n",
    ),
    Mutant(
        "any prompt's end ends the running one",
        "conversation",
        "return session.running is not None and session.running.prompt.number == number",
        "return session.running is not None",
    ),
    Mutant(
        "every attempt is the current one",
        "state",
        "if self.attempt is None or self.attempt.number != attempt:",
        "if self.attempt is None:",
    ),
    Mutant(
        "a poke ends a working sandbox",
        "idle",
        "attempt.ending or session.running or attempt.idle_due is None:\n        return NOTHING\n"
        "    if moment.now < attempt.idle_due:",
        "attempt.ending:\n        return NOTHING\n"
        "    if attempt.idle_due and moment.now < attempt.idle_due:",
    ),
    Mutant(
        "a time-out is a verdict",
        "waits",
        "if attempt is None or fact(session, attempt, command.wait) is not None:",
        "if attempt is None:",
    ),
    Mutant(
        "a provider's error fails a sandbox that works",
        "boot",
        "if attempt is None or attempt.connected:\n",
        "if attempt is None:\n",
    ),
    Mutant("51 prompts", "conversation", ">= MAX_UNFINISHED_PROMPTS", "> MAX_UNFINISHED_PROMPTS"),
    Mutant(
        "the newest prompt goes first",
        "queue",
        "PromptDispatched(session.queue[0].number)",
        "PromptDispatched(session.queue[-1].number)",
    ),
    Mutant(
        "an attempt that ends is given work",
        "sandbox",
        "return self.ready and self.ending is None and not self.saving",
        "return self.ready and not self.saving",
    ),
    Mutant("attempts share a number", "queue", "session.attempts + 1", "max(1, session.attempts)"),
    Mutant(
        "the workspace is what the workflow says, or nothing",
        "evolve_workspace",
        "    if provider_id is None:\n        return session\n",
        "",
    ),
    Mutant(
        "a late answer of the provider leaves the files unknown",
        "evolve",
        "isinstance(event, BootOver | AttemptLaunched)",
        "isinstance(event, BootOver)",
    ),
    Mutant(
        "a cancelled session keeps its sandbox",
        "conversation",
        "return cancelled + end(",
        "return cancelled; end(",
    ),
    Mutant(
        "cancelling forgets the prompt that runs",
        "conversation",
        "running = [session.running.prompt] if session.running else []",
        "running = []",
    ),
    Mutant(
        "nobody is asked to poke",
        "idle",
        "Decision((IdleSince(due),), (ArmTimer(attempt.number, due),))",
        "Decision((IdleSince(due),))",
    ),
    Mutant(
        "work is archived",
        "conversation",
        "case _ if session.unfinished:",
        "case _ if session.running:",
    ),
    Mutant(
        "a token goes live for an attempt that has ended",
        "boot",
        "None if attempt is None or attempt.ending or attempt.connected else attempt",
        "None if attempt is None or attempt.connected else attempt",
    ),
    Mutant(
        "a token outlives its attempt",
        "evolve_attempt",
        "ending=ending, token_hash=None",
        "ending=ending",
    ),
    Mutant(
        "what completes after the end makes a sandbox ready",
        "boot",
        "attempt.ending or attempt.ready:\n        return NOTHING\n    ready",
        "attempt.ready:\n        return NOTHING\n    ready",
    ),
    Mutant(
        "a boot that is given up is stale",
        "waits",
        "    return Ending.FAILED, Failure.BOOT\n",
        "    return Ending.STALE, Failure.BOOT\n",
    ),
    Mutant(
        "a lost workflow stays lost",
        "retiring",
        "(StartLife(number, life + 1),)",
        "()",
    ),
    Mutant(
        "an attempt has lives without end",
        "retiring",
        "if life >= MAX_LIVES:",
        "if life >= 10**6 * MAX_LIVES:",
    ),
    Mutant(
        "a half-booted sandbox is kept",
        "retiring",
        "command.provider_id if _has_files(session, attempt) else None",
        "command.provider_id",
    ),
)
