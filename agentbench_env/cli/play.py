"""`agentbench play`: an episode by hand, in the terminal or one call at a time from a shell."""

from __future__ import annotations

import json as jsonlib
import shlex
import sys
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import gymnasium as gym
import msgspec
import typer

from agentbench_env.cli.output import Json, Out, Plain, WrongUse, dollars, seconds
from agentbench_env.cli.selection import (
    FaultShare,
    OneDifficulty,
    OneSplit,
    Settings,
    WithInjections,
    make,
    parse_settings,
)
from agentbench_env.registry import NAMESPACE, RELEASE, split_env_id
from agentbench_env.spaces import ToolCallSpace
from agentbench_env.tool import Tool, description, input_schema

FORMAT = 1
HELP = """\
  TOOL {"name": "value"}    call a tool, with its arguments as JSON
  TOOL name=value ...       the same; lists and objects as JSON: ids='["a"]'
  help TOOL                 the tool's arguments
  tools                     all tools
  brief                     the brief again
  quit                      leave\
"""


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    example = """Example: agentbench play ta-two-leg-itinerary-SG --seed 3 --log ep.jsonl, then
    agentbench play --log ep.jsonl --do '{"tool": "papers_list", "arguments": {}}'"""
    app.command("play", epilog=example)(play)


class EpisodeLog(msgspec.Struct, forbid_unknown_fields=True):
    """The first line of a log of `play --do`; the actions follow, one a line."""

    format: int
    release: str
    env_id: str
    seed: int
    kwargs: dict[str, Any]
    instance_digest: str = ""
    """Of the instance that the first call was made in; another one is refused."""


class Turn(NamedTuple):
    """What a step returns."""

    observation: dict[str, Any]
    reward: Any
    terminated: bool
    truncated: bool
    info: dict[str, Any]

    @property
    def over(self) -> bool:
        """Whether the episode has ended."""
        return self.terminated or self.truncated

    def data(self) -> dict[str, Any]:
        """The same as JSON values."""
        return msgspec.to_builtins(self._asdict())


def play(
    id: Annotated[
        str | None,
        typer.Argument(metavar="ID", help="An environment, e.g. ta-two-leg-itinerary-SG; known from a log."),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Which instance.")] = 0,
    split: OneSplit = "train",
    difficulty: OneDifficulty = "standard",
    faults: FaultShare = 0.0,
    injections: WithInjections = False,
    settings: Settings = None,
    do: Annotated[
        str | None, typer.Option("--do", metavar="CALL", help="Make one call, given as JSON; needs --log.")
    ] = None,
    log: Annotated[
        Path | None, typer.Option("--log", help="File with the calls so far; made on first use.", dir_okay=False)
    ] = None,
    json: Json = False,
    plain: Plain = False,
) -> None:
    """Play an episode yourself: calls in the terminal, or one `--do` at a time with a log.

    With --log and no --do, prints the brief, the tools' schemas and how the episode stands.
    """
    out = Out(json, plain)
    if do is not None and log is None:
        raise WrongUse("--do needs --log FILE: the file that holds the calls made so far")
    header = _header(id, seed, parse_settings(split, difficulty, settings, faults, injections))
    if log is not None:
        _play_log(out, log, header, do)
    elif header is None:
        raise WrongUse("say which environment to play, e.g. agentbench play ta-two-leg-itinerary-SG")
    elif json:
        raise WrongUse("--json goes with --log: a game in the terminal is for people")
    else:
        _play_terminal(out, header)


def _header(id: str | None, seed: int, kwargs: dict[str, Any]) -> EpisodeLog | None:
    if id is None:
        return None
    task, market = split_env_id(id)
    return EpisodeLog(FORMAT, RELEASE, f"{NAMESPACE}/{task}-{market}", seed, kwargs)


# --- one call at a time


def _play_log(out: Out, log: Path, wanted: EpisodeLog | None, do: str | None) -> None:
    fresh = not log.exists()
    if fresh and wanted is None:
        raise WrongUse(f"{log} does not exist yet; say which environment to play, e.g. ta-two-leg-itinerary-SG")
    header, actions = (wanted, []) if fresh else _read_log(log)
    assert header is not None
    if wanted is not None and wanted.env_id != header.env_id:
        raise WrongUse(f"{log} is an episode of {header.env_id}, not of {wanted.env_id}")
    if header.release != RELEASE:
        raise WrongUse(f"{log} is of release {header.release}; this is {RELEASE}, whose instances differ")
    env = make(header.env_id, header.kwargs)
    observation, info = env.reset(seed=header.seed)
    digest: str = env.get_wrapper_attr("instance_digest")
    if not fresh and digest != header.instance_digest:
        raise WrongUse(f"{log} belongs to another instance than this suite draws; begin another log")
    turn = Turn(observation, 0.0, False, False, info)
    brief = observation["content"]
    for action in actions:
        turn = Turn(*env.step(action))
    if do is not None:
        if turn.over:
            raise WrongUse(f"the episode of {log} has ended; begin another one with another log")
        # A call is kept as it was typed: what is no call is a step too, and is answered so.
        turn = Turn(*env.step(do))
    if fresh:
        _append(log, msgspec.to_builtins(msgspec.structs.replace(header, instance_digest=digest)))
    if do is not None:
        _append(log, {"action": do})
        _print_turn(out, turn)
        return
    schemas = _tools(env)
    if out.json:
        tools = [_schema(tool) for tool in schemas.values()]
        out.data(
            {"env_id": header.env_id, "seed": header.seed, "brief": jsonlib.loads(brief), "tools": tools, **turn.data()}
        )
        return
    _print_brief(out, brief)
    out.head("\nTools")
    for tool in schemas.values():
        out.line(jsonlib.dumps(_schema(tool), ensure_ascii=False))
    if actions:
        out.head("\nThe last call's result")
        _print_turn(out, turn)


def _read_log(log: Path) -> tuple[EpisodeLog, list[str]]:
    try:
        # Not splitlines: a text may hold line separators of its own.
        first, *rest = log.read_text(encoding="utf-8").rstrip("\n").split("\n")
        return msgspec.json.decode(first, type=EpisodeLog), [jsonlib.loads(line)["action"] for line in rest]
    except (ValueError, KeyError, TypeError) as error:
        raise WrongUse(f"{log} is no log of `agentbench play`: {error}") from error


def _append(log: Path, value: dict[str, Any]) -> None:
    with log.open("a", encoding="utf-8") as file:
        file.write(jsonlib.dumps(value, ensure_ascii=False) + "\n")


# --- in the terminal


def _play_terminal(out: Out, header: EpisodeLog) -> None:
    env = make(header.env_id, header.kwargs)
    observation, info = env.reset(seed=header.seed)
    brief = observation["content"]
    tools = _tools(env)
    _print_brief(out, brief)
    out.line(f"\nYou have {info['time']['limit_s']:.0f} s of the episode's own time. What you can type:\n{HELP}")
    while True:
        try:
            line = input("\n> " if sys.stdin.isatty() else "").strip()
        except EOFError:
            return
        word, _, rest = line.partition(" ")
        match word:
            case "":
                continue
            case "quit" | "exit":
                return
            case "tools":
                out.table(
                    ("tool", "effect", "what it does"), [(t.name, t.effect, description(t)) for t in tools.values()]
                )
            case "brief":
                _print_brief(out, brief)
            case "help":
                _print_help(out, tools, rest.strip())
            case _ if word not in tools:
                out.line(f"There is no tool {word!r}; `tools` lists them, `help` says what you can type.")
            case _:
                try:
                    arguments = read_arguments(tools[word], rest.strip())
                except WrongUse as error:
                    out.line(str(error))
                    continue
                turn = Turn(*env.step({"tool": word, "arguments": arguments}))
                _print_turn(out, turn)
                if turn.over:
                    return


def read_arguments(tool: type[Tool], text: str) -> dict[str, Any]:
    """Read arguments typed as one JSON object or as `name=value` pairs."""
    if text.startswith("{"):
        try:
            return jsonlib.loads(text)
        except ValueError as error:
            raise WrongUse(f"these arguments are not JSON: {error}") from error
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise WrongUse(f"a quotation mark is missing its partner: {error}") from error
    properties: dict[str, Any] = input_schema(tool)["properties"]
    arguments: dict[str, Any] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals:
            raise WrongUse(f"{word!r} is no argument; write name=value, or one JSON object")
        arguments[name] = _read_value(value, properties.get(name, {}).get("type", "string"))
    return arguments


def _read_value(text: str, kind: str) -> Any:
    if kind == "string":
        return text
    try:
        return jsonlib.loads(text)
    except ValueError:
        return text


# --- printing


def _tools(env: gym.Env[dict[str, Any], Any]) -> dict[str, type[Tool]]:
    space = env.action_space
    assert isinstance(space, ToolCallSpace)
    return space.tools


def _schema(tool: type[Tool]) -> dict[str, Any]:
    return {"tool": tool.name, "description": description(tool), "arguments": input_schema(tool)}


def _print_turn(out: Out, turn: Turn) -> None:
    if out.json:
        out.data(turn.data())
        return
    observation, info = turn.observation, turn.info
    out.head(
        f"[{observation['step']}] {observation['now']} {observation['tool']}{' (error)' * observation['is_error']}"
    )
    out.line(jsonlib.dumps(jsonlib.loads(observation["content"]), ensure_ascii=False, indent=2))
    if turn.over:
        out.head(f"\nThe episode has ended: reward {turn.reward:g}")
        out.line(f"time {seconds(info['time']['elapsed_s'])}, cost {dollars(info['cost']['total_usd'])}")
        out.line(str(info["verdict"]))


def _print_brief(out: Out, brief: str) -> None:
    shown: dict[str, Any] = jsonlib.loads(brief)
    out.head("Brief")
    for key, value in shown.items():
        out.line(f"{key}: {value if isinstance(value, str) else jsonlib.dumps(value, ensure_ascii=False)}")


def _print_help(out: Out, tools: dict[str, type[Tool]], name: str) -> None:
    if name not in tools:
        out.line(f"There is no tool {name!r}; `tools` lists them." if name else HELP)
        return
    tool = tools[name]
    schema = input_schema(tool)
    out.head(f"{tool.name} ({tool.effect})")
    out.line(description(tool))
    for field, node in schema["properties"].items():
        need = "required" if field in schema["required"] else f"default {jsonlib.dumps(node.get('default'))}"
        options = f", one of {', '.join(map(str, node['enum']))}" if "enum" in node else ""
        out.line(f"  {field} ({node['type']}{options}; {need}): {node['description']}")
