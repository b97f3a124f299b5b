"""How an endpoint may fail, and what becomes of the episode."""

from __future__ import annotations

import re

import pytest
from chat_kit import FINISH, RULES, play_one, prepare
from fake_endpoint import Answer, calls, endpoint, in_turn, refused, said, streamed, text
from recording import found
from toy import ENV_ID

from agentbench_env.policies import load_policy
from agentbench_env.policies.chat_options import chat_spec
from agentbench_env.rollout.concurrent import run_waiting
from agentbench_env.rollout.engine import Job


@pytest.fixture(autouse=True)
def _prepared(monkeypatch):
    prepare(monkeypatch)


DATE = "Wed, 21 Oct 2026 07:28"
PASSING = {
    "too many requests": refused(429, retry_after="0.2"),
    "a date to wait for": refused(
        429, retry_after="Wed, 21 Oct 2026 07:28:00 GMT", date="Wed, 21 Oct 2026 07:28:00 GMT"
    ),
    "a fault of the server": refused(500),
    "overloaded": refused(503, "context deadline exceeded"),
    "broken JSON": Answer((b'{"choices": [{"mess',)),
    "no message": Answer((b'{"error": {"message": "try later"}}',)),
    "calls that are none": said({"tool_calls": "none"}),
    "half a surrogate pair": said({"content": "\ud83d"}),
    "a page of HTML": Answer((b"<html>bad gateway</html>",), headers=(("content-type", "text/html"),)),
    "a cut connection": Answer((b'{"choices"',), headers=(("content-length", "999"),), cut=True),
    "a stall": Answer((b"{}",), stall_s=1.5),
}


@pytest.mark.parametrize("failure", PASSING.values(), ids=PASSING)
def test_failures_that_may_pass_are_tried_again_and_leave_no_trace(failure):
    one, requests = play_one(failure, calls(FINISH), timeout_s=1.0)
    assert (one.outcome, len(one.steps), len(requests)) == ("failure", 1, 2)
    latency = one.steps[0].usage[0].latency_s
    assert latency is not None
    assert latency < 1.0, "only the request that was answered counts as thinking"


def test_streams_that_break_off_are_tried_again():
    broken = Answer((b"data: {not json\n\n",), headers=(("content-type", "text/event-stream"),), cut=True)
    whole = streamed(calls(FINISH))
    for failure in (streamed(calls(FINISH), pieces=3), broken, refused(502)):
        one, requests = play_one(failure, whole, stream=True)
        assert (one.outcome, len(one.steps), len(requests)) == ("failure", 1, 2)


@pytest.mark.parametrize(
    ("failure", "times", "message"),
    [
        (refused(503, "down for repair"), 3, "asked 3 times: status 503: .*down for repair"),
        (refused(400, "no such parameter"), 1, "status 400: .*no such parameter"),
        (refused(413, "more tokens than a minute has", "rate_limit_exceeded"), 1, "status 413: "),
    ],
)
def test_an_endpoint_that_stays_down_is_an_infrastructure_outcome(failure, times, message):
    one, requests = play_one(calls(RULES), failure, retries=2)
    assert (one.outcome, one.reward, len(one.steps)) == ("infrastructure", None, 1)
    assert one.failure is not None
    assert one.failure.whose == "endpoint"
    assert len(requests) == 1 + times
    assert re.search(message, one.failure.message)
    assert found(one) == []


def test_a_key_that_an_endpoint_repeats_is_not_recorded(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    one, _ = play_one(refused(400, "no such key: sk-secret"))
    assert one.failure is not None
    assert "no such key: ***" in one.failure.message
    assert b"sk-secret" not in one.line()


def test_nobody_listening_is_an_infrastructure_outcome():
    with endpoint(in_turn(text(""))) as fake:
        url = fake.url
    spec = chat_spec("chat:m", {"base_url": url, "retries": "1"})
    (one,) = run_waiting([Job(ENV_ID, 0, 0, {}, spec)], load_policy(spec), 1)
    assert one.failure is not None
    assert (one.outcome, one.failure.whose) == ("infrastructure", "endpoint")
    assert "asked 2 times: Connection error" in one.failure.message


@pytest.mark.parametrize(
    "failure",
    [
        refused(400, "bad request", code="context_length_exceeded"),
        refused(400, "This model's maximum context length is 4096 tokens, you asked for 5000"),
        refused(500, "the request exceeds the available context size, try increasing it"),
        refused(413),
        Answer((b'{"error": {"code": "context_length_exceeded", "message": "too long"}}',)),
    ],
)
def test_a_conversation_that_outgrows_the_model_is_abandoned(failure):
    one, requests = play_one(calls(RULES), failure)
    assert (one.outcome, one.reward, len(one.steps)) == ("abandoned", 0.0, 1)
    assert one.stopped.startswith("context overflow: ")
    assert len(requests) == 2
    assert found(one) == []
