"""The PettingZoo facade: two agents, the same episodes as those of the Gymnasium environment."""

from __future__ import annotations

import copy
import json
import pickle
import subprocess
import sys
import warnings
from typing import Any

import pettingzoo
import pytest
from agents_kit import ASK, MAIL, Absent, act, decisions, propose, pz, seen
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test
from pettingzoo.utils.wrappers import BaseWrapper, OrderEnforcingWrapper
from showcase import MARKETS, TASK_ID, core, env_id, expert_actions, make, seed_of, wants_holds
from toy import ENV_ID as TOY_ID
from toy import install_toy

from agentbench_env.adapters import pettingzoo as adapter
from agentbench_env.adapters.pettingzoo import ASSISTANT, MOST_TRIES, USER, AgentbenchAEC, AssistantSide, RulePolicy
from agentbench_env.adapters.user_acts import ACTS, LONGEST_TEXT, Grant, Say, UserActSpace
from agentbench_env.errors import AgentbenchError, ResetNeeded, TaskNotBuilt, WrongArgument
from agentbench_env.policies import load_policy
from agentbench_env.registry import contracts, is_built
from agentbench_env.user import RuleUser

UNFIT_FOR_ARRAYS = (
    "Observation is not a NumPy array",
    "Observation space for each agent probably should be gymnasium.spaces.box or gymnasium.spaces.discrete",
    "Action space for each agent probably should be gymnasium.spaces.box or gymnasium.spaces.discrete",
)


# --- PettingZoo


def test_all_environments_are_registered_once():
    ids = {env_id for one in contracts().values() for env_id in one.env_ids}
    assert len(ids) == 600
    assert ids <= pettingzoo.aec_registry.keys()
    assert ids <= pettingzoo.parallel_registry.keys()
    adapter.register_all()
    assert pettingzoo.spec("aec", env_id("SG")).kwargs == {"task": TASK_ID, "market": "SG"}


def test_the_suite_itself_imports_no_pettingzoo():
    code = "import sys, agentbench_env, agentbench_env.env; sys.exit('pettingzoo' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize("market", MARKETS)
def test_pettingzoos_own_tests_pass(market):
    with warnings.catch_warnings():
        for message in UNFIT_FOR_ARRAYS:
            warnings.filterwarnings("ignore", message)
        api_test(pz(market, max_steps=60), num_cycles=100)
        seed_test(lambda: pz(market, max_steps=60), num_cycles=100)
        parallel_api_test(pettingzoo.make("parallel", env_id(market), max_steps=60), num_cycles=100)
        parallel_seed_test(lambda: pettingzoo.make("parallel", env_id(market), max_steps=60), num_cycles=100)


class Watched(BaseWrapper[str, dict[str, Any], Any]):
    """Keeps what the user did while an episode ran."""

    def __init__(self, env: AgentbenchAEC) -> None:
        super().__init__(env)
        self.acts: list[str] = []

    def step(self, action: Any) -> None:
        if self.agent_selection == USER and action is not None:
            self.acts.append(action["tool"])
        super().step(action)


@pytest.mark.parametrize("market", MARKETS)
def test_random_play_of_pettingzoos_test_reaches_the_user(market):
    """One episode of random play may end before anything is asked; in forty of them the user acts in every way."""
    acts: list[str] = []
    for seed in range(40):
        env = Watched(pz(market, max_steps=60))
        for agent in env.possible_agents:
            env.action_space(agent).seed(seed)
        with warnings.catch_warnings():
            for message in UNFIT_FOR_ARRAYS:
                warnings.filterwarnings("ignore", message)
            api_test(env, num_cycles=100)
        acts += env.acts
    assert set(acts) == set(ACTS)


@pytest.mark.parametrize("market", MARKETS)
def test_the_user_acts_in_every_market(market):
    env = pz(market, seed=0)
    env.step(ASK)
    env.step(act("say", text="Twenty kilos each."))
    assert seen(env, ASSISTANT)["text"] == "Twenty kilos each."
    answers = [
        (act("deny", reason="No mails."), "No mails."),
        (act("ask_for_change", change="Ask for three seats."), "Ask for three seats."),
        (act("grant"), ""),
    ]
    for answer, reason in answers:
        draft = propose(env)
        env.step(answer)
        told = seen(env, ASSISTANT)
        assert told["reason"] == reason
    assert decisions(env.lineage) == ["denied", "denied", "granted"]
    env.step({"tool": "mail_send_draft", "arguments": {"draft_id": draft}})
    sent = env.lineage[len(env.lineage) - 1]
    assert (sent.ok, sent.approval) == (True, told["approval_id"])
    assert env.lineage.verify()


def test_the_usual_wrapper_fits():
    env = OrderEnforcingWrapper(pz())
    env.reset(seed=0)
    rules = RulePolicy(env)
    env.step(ASK)
    env.step(rules(env.observe(USER)))
    assert env.agent_selection == ASSISTANT
    assert json.loads(env.observe(ASSISTANT)["content"])["text"]


def test_the_parallel_form_tells_whose_turn_it_is():
    env = pettingzoo.make("parallel", env_id("SG"))
    observations, _ = env.reset(seed=0)
    assert observations[USER]["content"] == observations[ASSISTANT]["content"]
    observations, *_, infos = env.step({ASSISTANT: ASK, USER: act("say", text="Not asked yet.")})
    assert {info["active_agent"] for info in infos.values()} == {USER}
    assert json.loads(observations[USER]["content"]) == ASK["arguments"]
    observations, *_ = env.step({ASSISTANT: "not my turn", USER: act("say", text="Twenty kilos.")})
    assert json.loads(observations[ASSISTANT]["content"])["text"] == "Twenty kilos."
    assert observations[USER]["step"] == 1


def test_wrong_arguments_are_named():
    with pytest.raises(ValueError, match="RulePolicy"):
        pz(user=RuleUser())
    with pytest.raises(WrongArgument, match=r"max_cycles.*max_steps"):
        pz(max_cycles=5)
    with pytest.raises(TaskNotBuilt):
        pz(task=next(one.id for one in contracts().values() if not is_built(one)))
    with pytest.raises(ResetNeeded, match="reset"):
        pz().step(ASK)


def test_the_rules_play_in_their_own_environment_when_they_are_asked():
    env = pz(seed=0)
    with pytest.raises(AgentbenchError, match="not its turn"):
        RulePolicy(env)(env.observe(USER))
    with pytest.raises(TypeError, match="AgentbenchAEC"):
        RulePolicy(pettingzoo.AECEnv())


def test_third_party_tasks_can_be_registered():
    install_toy()
    adapter.register_all()
    env = pettingzoo.make("aec", TOY_ID)
    env.reset(seed=0)
    env.step({"tool": "user_ask", "arguments": {"topic": "budget", "question": "How much?"}})
    assert env.agent_selection == USER


# --- turns


def test_the_user_sees_the_question_and_answers_it():
    env = pz(seed=0)
    assert env.observe(USER)["tool"] == ""
    assert env.observe(USER)["content"] == env.infos[USER]["brief"] == env.observe(ASSISTANT)["content"]
    env.step(ASK)
    observation, reward, terminated, truncated, info = env.last()
    assert (env.agent_selection, reward, terminated, truncated) == (USER, 0.0, False, False)
    assert (observation["tool"], observation["is_error"], observation["step"]) == ("user_ask", 0, 0)
    assert json.loads(observation["content"]) == ASK["arguments"]
    assert (info["outcome"], info["verdict"]) == ("", None)
    env.step(act("say", text="20キロです。"))
    assert env.agent_selection == ASSISTANT
    answer = seen(env, ASSISTANT)
    assert (answer["topic"], answer["text"]) == ("bag", "20キロです。")
    assert env.observe(USER)["content"] == info["brief"]


def test_the_user_sees_what_an_approval_would_bind_to():
    env = pz(seed=0)
    draft = propose(env)
    proposal = seen(env, USER)
    assert (proposal["tool"], proposal["summary"]) == ("mail_send_draft", "Send the mail.")
    assert proposal["arguments"]["draft_id"] == draft
    (record,) = proposal["records"]
    assert record["kind"] == "Draft"
    assert record["content"]["id"] == draft
    assert (record["content"]["subject"], record["content"]["body"]) == (MAIL["subject"], MAIL["body"])


def test_a_proposal_that_is_too_long_is_cut(monkeypatch):
    monkeypatch.setattr(adapter, "LONGEST_CONTENT", 500)
    env = pz(seed=0)
    env.step({"tool": "mail_create_draft", "arguments": {**MAIL, "body": "Seats! " * 200}})
    wanted = {"tool": "mail_send_draft", "arguments": {"draft_id": seen(env, ASSISTANT)["draft_id"]}, "summary": ""}
    env.step({"tool": "user_request_approval", "arguments": wanted})
    assert len(env.observe(USER)["content"]) == 500
    assert env.observe(USER) in env.observation_space(USER)


ANSWERS = {
    "grant": ({"reason": "Sure."}, "granted", "Sure."),
    "deny": ({"reason": "No mails."}, "denied", "No mails."),
    "ask_for_change": ({"change": "To another desk."}, "denied", "To another desk."),
    "stay_silent": ({}, "no_answer", ""),
}


@pytest.mark.parametrize("name", ANSWERS)
@pytest.mark.parametrize("form", ["object", "text", "typed"])
def test_a_proposal_is_answered_by_an_act(name, form):
    arguments, decision, reason = ANSWERS[name]
    env = pz(seed=0)
    draft = propose(env)
    action = act(name, **arguments)
    env.step({"object": action, "text": json.dumps(action), "typed": ACTS[name](**arguments)}[form])
    answer = seen(env, ASSISTANT)
    assert (answer["decision"], answer["reason"]) == (decision, reason)
    assert bool(answer["approval_id"]) == (decision == "granted")
    env.step({"tool": "mail_send_draft", "arguments": {"draft_id": draft}})
    assert env.lineage[2].ok
    assert env.lineage[2].approval == answer["approval_id"]


@pytest.mark.parametrize("market", MARKETS)
def test_a_user_that_says_yes_to_holds_lets_the_expert_succeed(market):
    """The user's player sees observations alone; its yes is as good as the rule-based user's."""

    def user(observation: dict[str, Any]) -> Any:
        proposal = json.loads(observation["content"])
        assert proposal["tool"] == "booking_hold"
        assert [record["kind"] for record in proposal["records"]] == ["Quote"]
        return act("grant")

    env = pz(market)
    side = AssistantSide(env, user)
    observation, _ = side.reset(seed=seed_of(wants_holds, market))
    load_policy("expert").run(side, observation)
    assert env.verdict.success
    assert decisions(env.lineage) == ["granted", "granted"]


def test_the_user_learns_nothing_but_what_it_is_asked():
    """Whatever the assistant reads, spends and notes, the user's view depends on the proposal alone."""
    views = []
    for busy in (False, True):
        env = pz(seed=0)
        if busy:
            env.core.record_usage(usd=1.0)
            for entry in expert_actions("SG", 0)[:5]:
                env.step(entry)
            env.step({"tool": "notes_save", "arguments": {"kind": "list", "title": "Secret", "language": "en"}})
        env.step(ASK)
        observation = env.observe(USER)
        views.append(({key: observation[key] for key in ("tool", "content", "is_error")}, env.infos[USER]))
    assert views[0] == views[1]
    assert set(views[0][1]) == {"brief", "outcome", "verdict"}


# --- actions that make no sense


class Unlucky(dict[str, Any]):
    """Fails when it is looked into."""

    def get(self, key, default=None):
        raise RuntimeError(key)


GARBAGE = [
    None,
    "yes",
    42,
    {},
    {"tool": "yes"},
    {"tool": "grant", "arguments": {"reason": "x" * (LONGEST_TEXT + 1)}},
    {"tool": "deny"},
    {"tool": "deny", "arguments": {"reason": "\ud800"}},
    {"tool": "ask_for_change", "arguments": {"change": ""}},
    {"tool": "say", "arguments": {"text": "Yes, you may."}},
    {"tool": "booking_purchase", "arguments": {}},
    Say(text="Yes."),
    Unlucky(),
]


@pytest.mark.parametrize("action", GARBAGE, ids=[str(number) for number in range(len(GARBAGE))])
def test_what_makes_no_sense_is_explained_and_may_be_tried_again(action):
    env = pz(seed=0)
    propose(env)
    proposal, before = seen(env, USER), env.core.observation_space
    env.step(action)
    observation = env.observe(USER)
    body = json.loads(observation["content"])
    assert (env.agent_selection, observation["is_error"], len(env.lineage)) == (USER, 1, 1)
    assert body["asked"] == proposal
    assert body["error"] in ("invalid_action", "unknown_tool", "invalid_argument")
    assert body["message"]
    assert body["hint"]
    assert observation in env.observation_space(USER)
    assert before == env.core.observation_space
    env.step(act("deny", reason="No."))
    assert seen(env, ASSISTANT)["decision"] == "denied"
    assert env.observe(USER)["is_error"] == 0


def test_a_question_is_not_answered_by_a_grant():
    env = pz(seed=0)
    env.step(ASK)
    env.step(Grant())
    body = seen(env, USER)
    assert (body["field"], body["hint"], body["asked"]) == ("tool", "one of: say, stay_silent", ASK["arguments"])


def test_a_player_that_makes_no_sense_for_good_is_silent():
    env, other = pz(seed=0), make("SG", 0, user=Absent())
    for _ in range(2):
        propose(env)
        for tries in range(1, MOST_TRIES + 1):
            assert env.agent_selection == USER
            env.step("?")
            assert env.agent_selection == (USER if tries < MOST_TRIES else ASSISTANT)
        assert seen(env, ASSISTANT)["decision"] == "no_answer"
    env.step(ASK)
    for _ in range(MOST_TRIES):
        env.step(act("grant"))
    assert seen(env, ASSISTANT)["text"] == ""
    for entry in env.lineage:
        other.step({"tool": entry.tool, "arguments": json.loads(entry.arguments)})
    assert core(other).lineage.export() == env.lineage.export()


# --- the end


def test_both_end_together_and_the_assistant_alone_is_rewarded():
    env = pz(seed=0)
    side = AssistantSide(env, RulePolicy(env))
    side.reset(seed=0)
    load_policy("expert").run(side, {})
    assert env.rewards == {ASSISTANT: 1.0, USER: 0.0}
    assert env.terminations == {ASSISTANT: True, USER: True}
    assert env.infos[USER]["verdict"].success
    for agent in env.agent_iter():
        assert env.last()[1] == (1.0 if agent == ASSISTANT else 0.0)
        env.step(None)
    assert env.agents == []
    with pytest.raises(ResetNeeded, match="reset"):
        env.step(None)


def test_what_runs_out_truncates_both():
    for kwargs, action in (({"max_steps": 1}, ASK), ({}, {**ASK, "usage": {"latency_s": 1790.0}})):
        env = pz(seed=0, **kwargs)
        env.step(action)
        if kwargs:
            env.step(act("stay_silent"))
        assert env.truncations == {ASSISTANT: True, USER: True}
        assert not any(env.terminations.values())
        assert env.infos[ASSISTANT]["outcome"] == ("max_steps" if kwargs else "timeout")
        assert len(env.lineage) == 1


def test_render_shows_the_last_step():
    env = pz(seed=0, render_mode="ansi")
    env.step(ASK)
    assert "brief" in env.render()
    env.step(act("say", text="Twenty kilos."))
    assert "Twenty kilos." in env.render()
    env.close()


# --- copies


COPIES = {
    "fork": AgentbenchAEC.fork,
    "deepcopy": copy.deepcopy,
    "pickle": lambda env: pickle.loads(pickle.dumps(env)),
}


@pytest.mark.parametrize("how", COPIES)
@pytest.mark.parametrize("asked", ["question", "proposal"])
def test_an_episode_that_waits_can_be_copied(how, asked):
    env = pz(seed=0)
    if asked == "question":
        env.step(ASK)
    else:
        propose(env)
    env.step("nonsense")
    twin, before = COPIES[how](env), (env.observe(USER), env.infos, env.lineage.head)
    assert (twin.observe(USER), twin.infos, twin.lineage.head) == before
    for action in (act("say", text="No."), act("deny", reason="No.")):
        twin.step(action)
    assert twin.agent_selection == ASSISTANT
    assert (env.observe(USER), env.infos, env.lineage.head) == before
    env.step(act("say", text="No.") if asked == "question" else act("deny", reason="No."))
    assert env.lineage[len(env.lineage) - 1] == twin.lineage[len(env.lineage) - 1]
    assert env.action_space(USER) is not twin.action_space(USER)
    assert env.action_space(ASSISTANT) is not twin.action_space(ASSISTANT)


def test_the_space_of_acts():
    space = UserActSpace(seed=1)
    drawn = [space.sample() for _ in range(60)]
    assert {action["tool"] for action in drawn} == set(ACTS)
    assert all(action in space for action in drawn)
    assert space.from_jsonable(json.loads(json.dumps(space.to_jsonable(drawn)))) == drawn
    assert pickle.loads(pickle.dumps(space)) == space == UserActSpace()
    assert space != make("SG").action_space
    assert {"tool": "say", "arguments": {}} not in space
    names = [tool["function"]["name"] for tool in space.openai_tools()]
    assert names == list(ACTS)
    assert "stay_silent" in repr(space)
