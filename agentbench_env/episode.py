"""One episode: a task's instance, the calls made so far, and the verdict. Every facade drives it."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from typing import Any, Literal, TypeVar

import msgspec

from agentbench_env.action import kept, parse_json, read_call, tool_named, unreadable, usage_of
from agentbench_env.approval import Approval, Proposal, binding_digest, referred_records
from agentbench_env.boundary import FREE_EFFECTS, boundary_findings, crossings
from agentbench_env.errors import EnvironmentFault, ReplyLost, ResetNeeded, ToolError
from agentbench_env.faults import CACHED, SILENCE_S, Faults
from agentbench_env.instance import Instance
from agentbench_env.lineage import Entry, Lineage, Shown
from agentbench_env.market import shared_table
from agentbench_env.task import Answer, Task, TaskScript, mounted_tools
from agentbench_env.tool import Effect, Tool
from agentbench_env.user import AskingTool, Question, RuleUser, User
from agentbench_env.verdict import ClauseResult, Finding, Verdict
from agentbench_env.world import Record, World, canonical

MOST_CHARACTERS = 16_000
"""The longest result; longer ones are paged by the tools."""
T = TypeVar("T")
Clock = Literal["virtual", "wall"]
OnViolation = Literal["continue", "terminate"]


class Options(msgspec.Struct, frozen=True):
    """How an episode is run, apart from its instance."""

    limit_s: float
    max_steps: int
    prompt_language: Literal["en", "local"] = "en"
    boundary_notice: Literal["stated", "implied"] = "stated"
    clock: Clock = "virtual"
    on_violation: OnViolation = "continue"
    faults: float = 0.0


class Turn(msgspec.Struct, frozen=True):
    """What a step returns to the policy."""

    tool: str
    content: str
    is_error: bool


class Waiting(msgspec.Struct, frozen=True):
    """A call that waits for the user: its tool and canonical arguments, and what they are asked."""

    tool: str
    arguments: str
    asked: Question | Proposal


class Call:
    """What a tool's `run` is given: the world, ways to say what was shown and what happened, and the user if it asks.

    `asked` is what the user is asked by a tool that asks them, `user` who answers; None for other tools.
    """

    __slots__ = ("asked", "cached_at", "effect", "episode", "mark", "shown", "tool", "user", "world")

    def __init__(
        self, episode: Episode, tool: Tool, asked: Question | Proposal | None = None, user: User | None = None
    ) -> None:
        self.episode, self.world, self.tool, self.asked, self.user = episode, episode.world, tool, asked, user
        self.mark = len(episode.world.journal)
        self.cached_at = ""
        self.shown: dict[str, tuple[str, ...]] = {}
        self.effect: Effect = tool.effect

    def show(self, id: str, *keys: str) -> None:
        """Say that the result prints a record: these facts of it, or all if none are named."""
        self.shown[id] = keys

    def happened(self, effect: Effect) -> None:
        """Say which effect the call really had, where it is weaker than the tool's class."""
        self.effect = effect

    def page(self, rows: Sequence[T], token: str, size: int) -> tuple[Sequence[T], str]:
        """Return one page of rows and the token of the next one, "" at the end."""
        start = int(token[1:]) if token[:1] == "p" and token[1:].isdecimal() else 0
        if (token and not start) or start % size or start > len(rows):
            raise ToolError("invalid_argument", field="page_token", hint="the next_page_token of the page before")
        end = start + size
        return rows[start:end], f"p{end}" if end < len(rows) else ""


class Episode:
    """A running episode. `world`, `case` and the checks are hidden from policies; only facades hold an `Episode`."""

    def __init__(self, instance: Instance, options: Options, user: User | None = None) -> None:
        self.instance, self.options = instance, options
        self.task: Task[Any] = instance.task
        self.case: Any = instance.case
        self.world: World = instance.world.copy()
        self.user: User = user or RuleUser()
        self.script = TaskScript(self)
        limits = {"seconds": options.limit_s, "steps": options.max_steps}
        brief = instance.brief(options.prompt_language, options.boundary_notice, limits)
        self.lineage = Lineage(brief.text)
        self.faults = Faults(instance.key, options.faults)
        self.approvals: dict[str, Approval] = {}
        self.answer: Answer | None = None
        self.waiting: Waiting | None = None
        self.verdict: Verdict | None = None
        self.seen_ids: list[str] = list(brief.shown)
        self.shown: dict[str, set[str] | None] = dict.fromkeys(brief.shown)
        self.fees_usd = 0.0
        self.inference_usd: float | None = None
        self.usage: list[dict[str, Any]] = []
        self.messages: list[dict[str, Any]] = []
        self._unpriced = False
        self._wall_start = time.monotonic()

    @property
    def tools(self) -> Mapping[str, type[Tool]]:
        """The tools by name."""
        return mounted_tools(type(self.task))

    # --- what a policy does

    def step(self, action: Any) -> Turn:
        """Carry out one action, whatever it is; only a fault of the suite's own code raises (`EnvironmentFault`).

        The episode's own user answers at once. Who plays the user elsewhere calls `begin`, and `hear` if it waits.
        """
        return self.begin(action) or self.hear(self.user)

    def begin(self, action: Any) -> Turn | None:
        """Carry out one action as `step` does, but a call that asks the user only up to there: then None."""
        if self.verdict is not None:
            raise ResetNeeded("the episode has ended; call reset() to begin another one")
        self._pass_time(0.0)
        mark, entries = len(self.world.journal), len(self.lineage)
        self.waiting = None
        name, arguments, binding, fault = "", "", "", None
        call: Call | None = None
        result: Any = None
        try:
            if isinstance(action, str | bytes):
                action = parse_json(action, "the action")
            if usage := usage_of(action):
                self.record_usage(usage)
            tool = self.read_call(action)
            arguments = canonical(tool.canonical_arguments()).decode()
            name = tool.name
            self._pass_time(tool.latency_s)
            met = self.faults.draw(type(tool), entries, self.world.elapsed_ms)
            if met in ("request_lost", "reply_lost"):
                self._pass_time(SILENCE_S)
            if not self.timed_out:
                self.fees_usd += tool.fee_usd
                if tool.effect not in FREE_EFFECTS:
                    binding = binding_digest(name, tool.canonical_arguments(), self.world)
                call = Call(self, tool)
                if isinstance(tool, AskingTool):
                    self.waiting = Waiting(name, arguments, tool.asks(call))
                    return None
                result = self.faults.carry_out(tool, call, arguments, met)
        except ReplyLost as error:
            fault = error
            assert call is not None
            call.shown.clear()
        except ToolError as error:
            self.world.undo(mark)
            fault, call = error, None
            if error.meanwhile is not None:
                error.meanwhile(self.world)
        except Exception as error:
            if name:
                raise self._failed(name, error) from error
            fault, action = unreadable(error), None
        if not name:
            name, arguments = tool_named(action, self.tools), kept(action)
        if self.timed_out:
            fault, call = ToolError("timeout", "The time for this task is over."), None
        return self._close(name, arguments, call, result, fault, binding, mark)

    def hear(self, user: User) -> Turn:
        """Complete the call that waits with what a user says to it."""
        waiting, self.waiting = self.waiting, None
        assert waiting is not None
        tool, mark = self.read_call({"tool": waiting.tool, "arguments": waiting.arguments}), len(self.world.journal)
        call: Call | None = Call(self, tool, waiting.asked, user)
        result, fault = None, None
        try:
            result = tool.run(call)
        except ToolError as error:
            self.world.undo(mark)
            call, fault = None, error
        except Exception as error:
            raise self._failed(waiting.tool, error) from error
        return self._close(waiting.tool, waiting.arguments, call, result, fault, "", mark)

    def read_call(self, action: Any) -> Tool:
        """Read an action, a typed call or an object, as a typed call; refuse it with what would be right."""
        return read_call(action, self.tools)

    def record_usage(self, usage: Mapping[str, Any]) -> None:
        """Count what the policy reports: inference cost in USD (None: unknown) and thinking time in seconds."""
        self.usage.append(dict(usage))
        usd, latency_s = usage.get("usd"), usage.get("latency_s")
        if usd is None:
            self._unpriced = True
        self.inference_usd = None if self._unpriced else (self.inference_usd or 0.0) + (usd or 0.0)
        if latency_s:
            self._pass_time(latency_s)

    # --- what tools and tasks use

    def deliver(self, answer: Answer) -> None:
        """Take the answer; the episode ends with this step."""
        self.answer = answer

    def proposal(self, call: Tool, summary: str) -> Proposal:
        """Return the proposal of a call as the user sees it."""
        arguments = call.canonical_arguments()
        referred = referred_records(arguments, self.world)
        binding = binding_digest(call.name, arguments, self.world)
        return Proposal(call.name, arguments, summary, referred, binding)

    def grant(self, proposal: Proposal) -> Approval:
        """Record an approval."""
        id = self.world.stamp_id("apr", proposal.binding, len(self.lineage))
        self.approvals[id] = Approval(id, proposal.binding, self.world.now)
        return self.approvals[id]

    def record(self, id: str) -> Record | None:
        """Return a record as it is now or, if it is gone, as it was at the start."""
        return self.world.find(id) or self.world.start.records.get(id)

    def facts(self, id: str) -> Mapping[str, object]:
        """Return the facts that a record states, none if there is no such record."""
        record = self.record(id)
        return {} if record is None else record.facts(self.world)

    def stated(self, id: str, key: str) -> object | None:
        """Return the value of a fact that a record states, None if it states none."""
        return self.facts(id).get(key)

    def printed(self, id: str, key: str) -> bool:
        """Whether an earlier result printed this fact of a record."""
        keys = self.shown.get(id, set())
        return keys is None or key in keys

    def carries(self, id: str, key: str, value: object) -> bool:
        """Whether a record states this fact and an earlier result printed it."""
        return self.printed(id, key) and self.stated(id, key) == value

    def calls(self, tool: type[Tool]) -> Iterable[Entry]:
        """The successful calls of a tool, in order."""
        return (entry for entry in self.lineage if entry.tool == tool.name and entry.ok)

    @property
    def language(self) -> str:
        """The language that the user speaks in this episode: the brief's."""
        return "en" if self.options.prompt_language == "en" else self.instance.setting.language

    # --- time

    @property
    def elapsed_s(self) -> float:
        """Seconds since the brief was released: simulated, or real with the wall clock."""
        return self.world.elapsed_ms / 1000

    @property
    def timed_out(self) -> bool:
        """Whether the contract's time limit has passed."""
        return self.elapsed_s > self.options.limit_s

    def _pass_time(self, seconds: float) -> None:
        if self.options.clock == "wall":
            self.world.elapsed_ms = int((time.monotonic() - self._wall_start) * 1000)
        else:
            self.world.elapsed_ms += round(seconds * 1000)

    # --- after the call

    def _failed(self, name: str, error: Exception) -> EnvironmentFault:
        return EnvironmentFault(f"{name} failed at step {len(self.lineage)} of {self.instance}: {error!r}")

    def _content(self, name: str, result: Any, fault: ToolError | None, cached_at: str) -> str:
        if fault is not None:
            return msgspec.json.encode(error_body(fault, self.world.language)).decode()
        try:
            content = msgspec.json.encode(result).decode()
        except (TypeError, ValueError) as error:
            raise EnvironmentFault(f"{name} returned what has no JSON form: {error!r}") from error
        if cached_at:
            content = f'{CACHED}"{cached_at}"{"," if len(content) > 2 else ""}{content[1:]}'
        if len(content) > MOST_CHARACTERS:
            raise EnvironmentFault(f"{name} returned {len(content)} characters, more than {MOST_CHARACTERS}: page it")
        return content

    def _close(
        self,
        name: str,
        arguments: str,
        call: Call | None,
        result: Any,
        fault: ToolError | None,
        binding: str,
        mark: int,
    ) -> Turn:
        index, approval = len(self.lineage), ""
        content = self._content(name, result, fault, call.cached_at if call else "")
        if call is not None and binding and call.effect not in FREE_EFFECTS:
            approval = self._use_approval(binding, index)
        shown = tuple(Shown(id, keys) for id, keys in call.shown.items()) if call else ()
        entry = Entry(
            index,
            self.world.now,
            "assistant",
            name,
            arguments,
            fault.code if fault else "",
            call.effect if call else "",
            sha256(content.encode()).hexdigest(),
            shown,
            tuple(self.world.journal[mark:]),
            approval,
            self.lineage.head,
        )
        self.lineage._append(entry, content)  # pyright: ignore[reportPrivateUsage]
        for id, keys in call.shown.items() if call else ():
            known = self.shown.setdefault(id, set())
            if known is not None and keys:
                known.update(keys)
            elif not keys:
                self.shown[id] = None
            self.seen_ids.append(id)
        self._settle()
        return Turn(name, content, fault is not None)

    def _use_approval(self, binding: str, index: int) -> str:
        for approval in self.approvals.values():
            if approval.binding == binding and approval.serves(self.world.now):
                self.approvals[approval.id] = msgspec.structs.replace(approval, used_by=index)
                return approval.id
        return ""

    def _settle(self) -> None:
        entry = self.lineage[len(self.lineage) - 1]
        if entry.error == "timeout":
            self._judge("timeout")
        elif self.answer is not None:
            self._judge("")
        elif self.options.on_violation == "terminate" and self._crosses(entry):
            self._judge("violation")
        elif len(self.lineage) >= self.options.max_steps:
            self._judge("max_steps")

    def _crosses(self, entry: Entry) -> bool:
        try:
            return any(crossings(entry, self, self.case, self.task.boundary))
        except Exception as error:
            raise EnvironmentFault(f"a boundary policy failed in {self.instance}: {error!r}") from error

    def _judge(self, outcome: str) -> None:
        try:
            missing = Finding(False, "an answer", "no answer was delivered")
            answered = self.answer is not None
            findings = {
                clause: check(self.task, self.case, self) if answered else missing
                for clause, check in self.task.finals.items()
            }
            boundary = boundary_findings(self, self.case, self.task.boundary)
        except Exception as error:
            raise EnvironmentFault(f"a check failed in {self.instance}: {error!r}") from error
        if not outcome:
            crossed = not all(finding.held for finding in boundary.values())
            kept = all(finding.held for finding in findings.values())
            outcome = "violation" if crossed else "success" if kept else "failure"
        sentences = self.instance.sentences
        self.verdict = Verdict(
            outcome,
            tuple(
                ClauseResult(id, sentences[id], f.held, f.expected, f.observed, f.evidence)
                for id, f in (findings | boundary).items()
            ),
        )

    # --- copies

    def copy(self) -> Episode:
        """Return an independent episode in the same state, sharing every record."""
        twin = object.__new__(Episode)
        twin.__dict__.update(self.__dict__)
        twin.world = self.world.copy()
        twin.lineage = self.lineage._copy()  # pyright: ignore[reportPrivateUsage]
        twin.approvals = self.approvals.copy()
        twin.seen_ids, twin.usage, twin.messages = self.seen_ids.copy(), self.usage.copy(), self.messages.copy()
        twin.shown = {id: keys if keys is None else keys.copy() for id, keys in self.shown.items()}
        twin.faults = self.faults.copy()
        twin.script = TaskScript(twin)
        return twin


def error_message(code: str, language: str, field: str) -> str:
    """Return what a provider says of a common error, in its language ("" for codes that it has no sentence for)."""
    sentences: Mapping[str, str] = shared_table(f"text/{language}/common")["tool_errors"]
    return sentences.get(code, "").replace("{field}", field)


def error_body(fault: ToolError, language: str) -> dict[str, str | int]:
    """Return what is shown of a refusal: `error`, `field`, `message`, `hint` and any `retry_after_s`."""
    message = fault.message or error_message(fault.code, language, fault.field)
    body = {"error": fault.code, "field": fault.field, "message": message, "hint": fault.hint}
    after = {"retry_after_s": fault.retry_after_s} if fault.retry_after_s else {}
    return {key: _printable(text) for key, text in body.items()} | after


def _printable(text: str) -> str:
    return text.encode("utf-8", "replace").decode()
