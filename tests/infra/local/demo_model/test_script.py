"""The script in a prompt, and which reply it makes of a request."""

import pytest

from infra.local.demo_model.conversation import Conversation, Offered, Turn
from infra.local.demo_model.player import EXHAUSTED, Player, Refusal
from infra.local.demo_model.reply import Reply
from infra.local.demo_model.script import prompt_of, scripted

BASH = Offered("bash", ("command",), frozenset({"command"}))


def conversation(prompt: str, *then: Turn, tools: tuple[Offered, ...] = (BASH,)) -> Conversation:
    return Conversation("m", (Turn("user", prompt), *then), tools)


def test_a_prompt_without_a_script_has_none():
    assert scripted("Just do it.") is None


def test_a_script_s_steps_are_read_in_order():
    steps = scripted(prompt_of({"text": "a"}, {"tools": [{"name": "bash", "args": {"x": 1}}]}))

    assert steps
    assert steps[0].text == "a"
    assert steps[1].tools[0].args == {"x": 1}


def test_a_script_inside_a_script_belongs_to_the_subagent():
    inner = prompt_of({"text": "inner"})
    outer = prompt_of({"tools": [{"name": "task", "args": {"prompt": inner}}]}, {"text": "outer"})

    steps = scripted(outer)

    assert steps
    assert [step.text for step in steps] == ["", "outer"]
    assert scripted(str(steps[0].tools[0].args["prompt"])) == scripted(inner)


def test_of_two_prompts_in_one_message_the_last_script_counts():
    assert scripted(f"{prompt_of({'text': 'old'})}\n{prompt_of({'text': 'new'})}") == scripted(
        prompt_of({"text": "new"})
    )


@pytest.mark.parametrize("broken", ["@@SCRIPT", "@@SCRIPT [{]", '@@SCRIPT [{"txet": "typo"}]'])
def test_a_script_that_can_t_be_read_is_an_error(broken: str):
    with pytest.raises(ValueError, match=r"."):
        scripted(broken)


def test_each_reply_is_the_next_step():
    prompt = prompt_of({"text": "one"}, {"text": "two"})
    player = Player()

    replies = [
        player.answer(conversation(prompt, *([Turn("assistant", ""), Turn("tool", "")] * done)))
        for done in range(3)
    ]

    assert replies == [Reply(text="one"), Reply(text="two"), EXHAUSTED]


def test_a_step_goes_wrong_as_often_as_it_says():
    asked = conversation(prompt_of({"status": 429, "message": "wait", "times": 2, "text": "now"}))
    player = Player()

    answers = [player.answer(asked) for _ in range(3)]

    assert answers == [Refusal(429, "wait"), Refusal(429, "wait"), Reply(text="now")]


def test_a_summary_that_quotes_a_script_does_not_follow_it():
    quoting = conversation(f"Sum up: {prompt_of({'text': 'no'})}"[:-20], tools=())

    assert Player().answer(quoting) == Reply(text="Scripted demo")
