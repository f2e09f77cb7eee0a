"""The rules of sandboxes that do not come up, or not for certain, broken on purpose."""

from tests.shared.domain.session.mutations import Mutant

OF_WAKES = (
    Mutant(
        "a sandbox that never boots is tried for ever",
        "sandbox",
        "self.failed_wakes >= MAX_FAILED_WAKES",
        "self.failed_wakes < 0",
    ),
    Mutant(
        "a copy takes the sandbox's place before it has booted",
        "evolve_workspace",
        "    elif attempt.beside or not session.workspace.turn:\n",
        "    elif not session.workspace.turn:\n",
    ),
    Mutant(
        "a copy that has booted leaves the sandbox the session's",
        "evolve_workspace",
        "    if attempt.beside:\n        files = _of_copy",
        "    if attempt.beside and False:\n        files = _of_copy",
    ),
    Mutant(
        "boots that failed are counted for ever",
        "evolve_workspace",
        "workspace=replace(files, failed_wakes=0, left=False),",
        "workspace=replace(files, left=False),",
    ),
    Mutant(
        "files that are left are woken all the same",
        "sandbox",
        "        if self.left:\n            return Boot.FRESH\n",
        "",
    ),
    Mutant(
        "a mark that could not be left is looked for",
        "evolve_workspace",
        "number if attempt.marks and marked else",
        "number if attempt.marks else",
    ),
    Mutant(
        "an unknown end is waited for without an end",
        "waits",
        "    if moment.now < attempt.end_known_by:\n        return NOTHING\n",
        "    if moment.now < attempt.end_known_by or attempt.ready:\n        return NOTHING\n",
    ),
    Mutant(
        "nobody is told that an end is unknown",
        "waits",
        "        return Decision((EndUnknown(moment.now + moment.rules.expiry_patience),))\n",
        "        return NOTHING\n",
    ),
    Mutant(
        "a warm-up that took a bad image is over",
        "ending",
        "    wanted = ending in {Ending.IMAGE, Ending.DAMAGED} and not session.unfinished\n",
        "    wanted = ending is Ending.DAMAGED and not session.unfinished\n",
    ),
)
