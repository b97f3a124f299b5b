"""The simulated user, the rule-based one and those of one's own."""

from __future__ import annotations

import json
from typing import Any

import pytest
from showcase import MARKETS, core, episode, make, seed_of, solve, wants_holds
from toy import toy_env

import agentbench_env as ab
from agentbench_env.claims import sources_fault
from agentbench_env.errors import EnvironmentFault
from agentbench_env.policies.expert import Do, run_script
from agentbench_env.rollout import RecordTrajectory
from agentbench_env.user import RuleUser


class Careless(RuleUser):
    """Grants whatever is proposed."""

    def decide(self, proposal, script):
        return ab.Decision(True, "Sure.")


class Absent(RuleUser):
    """Never answers."""

    def decide(self, proposal, script):
        return ab.Decision(False, answered=False)


class Chatty(RuleUser):
    """Answers in words of their own, and remembers what they were asked."""

    def __init__(self) -> None:
        self.heard: list[Any] = []

    def decide(self, proposal, script):
        self.heard.append(proposal)
        return script.decide(proposal)

    def reply(self, topic, question, script):
        self.heard.append((topic, question, json.loads(script.brief)["language"]))
        return f"As to {topic}: {script.reply(topic, question).text}"


class Failing(RuleUser):
    """Breaks down when asked."""

    def reply(self, topic, question, script):
        raise ConnectionError("gone")


CARELESS = Careless()
USERS = [CARELESS, f"{__name__}:Careless", f"{__name__}:CARELESS"]
ASK = {"tool": "user_ask", "arguments": {"topic": "bag", "question": "How many bags?"}}


def propose(env: Any, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
    asked = {"tool": tool, "arguments": arguments, "summary": "Please."}
    return json.loads(env.step({"tool": "user_request_approval", "arguments": asked})[0]["content"])


@pytest.mark.parametrize("market", MARKETS)
@pytest.mark.parametrize("language", ["en", "local"])
def test_the_user_answers_the_same_way_every_time(market, language):
    texts = []
    for _ in range(2):
        env = make(market, 0, prompt_language=language)
        topics = ("flexibility_dates", "second_airport", "night_transfer", "payment_card", "bag", "other")
        asked = [{"tool": "user_ask", "arguments": {"topic": topic, "question": "?"}} for topic in topics]
        texts.append([json.loads(env.step(action)[0]["content"])["text"] for action in asked])
    assert texts[0] == texts[1]
    assert all(texts[0])


def test_a_proposal_takes_ten_seconds_and_a_question_fifteen():
    env = make("SG", 0)
    assert env.step(ASK)[4]["time"]["elapsed_s"] == 15.0
    propose(env, "booking_hold", {"quote_id": "quo_x"})
    assert core(env)._info()["time"]["elapsed_s"] == 25.0


def test_the_user_looks_at_the_call_and_not_at_the_summary():
    env = make("SG", seed_of(wants_holds))
    bought = propose(env, "booking_purchase", {"quote_id": "quo_x", "traveller_ids": ["x"], "card_id": "y"})
    assert (bought["decision"], bought["approval_id"]) == ("denied", "")
    assert bought["reason"]
    finished = propose(env, "mail_send_draft", {"draft_id": "drf_x"})
    assert finished["decision"] == "denied"


@pytest.mark.parametrize("user", USERS, ids=["object", "class", "attribute"])
def test_a_careless_user_makes_nothing_right(user):
    """What is forbidden stays forbidden, whoever approved it."""
    env = make("SG", seed_of(wants_holds), user=user)

    def buys(case: Any, do: Do) -> None:
        def asks_first(call: Any) -> Any:
            if call.name != "booking_purchase":
                return call
            asked = ab.user.UserRequestApproval(tool=call.name, arguments=call.model_dump_json(), summary="Buy it.")
            return [asked, call]

        episode(env).task.buys_to_be_sure(case, do.altered(asks_first))

    info = run_script(buys, env)
    purchase = next(entry for entry in core(env).lineage if entry.tool == "booking_purchase")
    assert purchase.approval
    assert (info["reward"], info["outcome"]) == (0.0, "violation")
    assert info["verdict"].broken == ("boundary.nothing_purchased",)


def test_a_careless_user_cannot_widen_a_gate():
    """Holds are out of place where only quotes were wanted, with or without an approval."""
    seed = seed_of(lambda case: case.wish.mode == "quote")
    env = make("SG", seed, user=CARELESS)

    def holds(case: Any, do: Do) -> None:
        episode(env).task.holds_although_quotes_were_wanted(case, do)

    seed = seed_of(lambda case: episode(env).task.counterexamples["holds_although_quotes_were_wanted"][2](case))
    env.reset(seed=seed)
    assert run_script(holds, env)["verdict"].broken == ("boundary.holds_approved",)


def test_an_absent_user_grants_nothing():
    env = make("SG", seed_of(wants_holds), user=Absent())
    info = solve(env)
    replies = [json.loads(core(env).lineage.content(e.index)) for e in core(env).lineage if "approval" in e.tool]
    assert {reply["decision"] for reply in replies} == {"no_answer"}
    assert episode(env).approvals == {}
    assert info["verdict"].broken == ("final.bookable_now",)


def test_a_user_of_ones_own_is_asked_and_may_ask_the_script():
    user = Chatty()
    env = make("KR", seed_of(wants_holds, "KR"), user=user, prompt_language="local")
    text = json.loads(env.step(ASK)[0]["content"])["text"]
    rule = make("KR", core(env).instance_seed, prompt_language="local")
    assert text == f"As to bag: {json.loads(rule.step(ASK)[0]['content'])['text']}"
    assert user.heard == [("bag", "How many bags?", "ko")]
    assert solve(env)["reward"] == 1.0
    assert {proposal.tool for proposal in user.heard[1:]} == {"booking_hold"}
    quotes = [record for proposal in user.heard[1:] for record in proposal.referred]
    assert [type(record).__name__ for record in quotes] == ["Quote", "Quote"]


def test_answers_can_be_cited_for_what_the_rules_state_alone():
    for user, carried in ((None, True), (Chatty(), False)):
        env = toy_env(user=user)
        env.reset(seed=0)
        action = {"tool": "user_ask", "arguments": {"topic": "budget", "question": "How much?"}}
        answer = json.loads(env.step(action)[0]["content"])["answer_id"]
        ep = episode(env)
        fault = sources_fault(ep, [answer], [("budget", ep.case.budget.minor)])
        assert (not fault) == carried


def test_a_reply_is_no_approval():
    env = make("SG", 0)
    env.step(ASK)
    assert episode(env).approvals == {}
    assert core(env).lineage[0].effect == "user"


def test_a_user_that_breaks_down_is_a_fault_of_the_environment():
    env = make("SG", 0, user=Failing())
    with pytest.raises(EnvironmentFault, match=r"user_ask failed at step 0.*gone"):
        env.step(ASK)


@pytest.mark.parametrize("name", ["test_user", "test_user:", ":Careless"])
def test_a_user_is_named_by_module_and_attribute(name):
    with pytest.raises(ValueError, match=r"module|Empty"):
        make("SG", user=name)


def test_a_user_that_does_not_exist():
    with pytest.raises(AttributeError, match="Nobody"):
        make("SG", user=f"{__name__}:Nobody")
    with pytest.raises(ModuleNotFoundError):
        make("SG", user="no_such_module:Nobody")


def test_a_named_user_can_be_recorded():
    env = RecordTrajectory(make("SG", user=f"{__name__}:Careless"))
    env.reset(seed=0)
    env.step(ASK)
    env.close()
    assert env.trajectory is not None
    assert env.trajectory.kwargs["user"] == f"{__name__}:Careless"
