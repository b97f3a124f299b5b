"""Guesses that work on any task from its tools' schemas alone; over many seeds each must earn close to nothing."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from typing import Any, cast

import gymnasium as gym

from agentbench_env.boundary import FREE_EFFECTS
from agentbench_env.policies.expert import EpisodeOver
from agentbench_env.tool import EFFECT_ORDER, Tool, input_schema

Row = dict[str, Any]
Pick = Callable[[Sequence[Row]], Row]

MOST_READS = 40
WORDS = 8
ROWS = 3
_ISO = re.compile(r"\d{4}-\d{2}-\d{2}(T\d{2}:\d{2})?")


class Guesser:
    """Plays by sorting what results print: objects with an id are rows, and one row of each kind is picked.

    Args:
        env: an environment that was just reset.
        brief: the content of the first observation.
        pick: chooses one of the rows of a kind.
        hands_back: whether enumerations are filled so as to hand the errand back.
    """

    def __init__(self, env: gym.Env[dict[str, Any], Any], brief: str, pick: Pick, hands_back: bool = False) -> None:
        self._env, self._pick, self._hands_back = env, pick, hands_back
        self.tools: Mapping[str, type[Tool]] = env.action_space.tools  # type: ignore[attr-defined]
        self._rows: dict[str, list[Row]] = {}
        self._values: dict[str, list[Any]] = {}
        self._made: set[str] = set()
        body = json.loads(brief)
        self._note(body)
        words = re.findall(r"[^\W\d_]{4,}", str(body.get("request", "")))
        self._words = sorted(dict.fromkeys(words), key=len, reverse=True)[:WORDS]

    # --- playing

    def call(self, tool: str, arguments: Mapping[str, Any]) -> Any:
        """Make a call and return its result, None if it was refused."""
        observation, _, terminated, truncated, _ = self._env.step({"tool": tool, "arguments": arguments})
        if terminated or truncated:
            raise EpisodeOver
        if observation["is_error"]:
            return None
        result = json.loads(observation["content"])
        self._note(result)
        return result

    def look_around(self) -> None:
        """Call the reading tools with what the brief and earlier results show, a limited number of times."""
        for _ in range(3):
            for name, tool in self.tools.items():
                for arguments in self._tries(tool) if tool.effect == "read" else ():
                    key = f"{name} {json.dumps(arguments)}"
                    if key not in self._made and len(self._made) < MOST_READS:
                        self._made.add(key)
                        self.call(name, arguments)

    def effects(self, free: bool) -> list[type[Tool]]:
        """Return the tools that change something, the weakest first; `free`: with those that need no approval."""
        skipped = {"read", "user", "finish"} if free else FREE_EFFECTS
        found = [tool for tool in self.tools.values() if tool.effect not in skipped]
        return sorted(found, key=lambda tool: EFFECT_ORDER.index(tool.effect))

    def guess(self, tool: type[Tool]) -> dict[str, Any]:
        """Fill the required arguments of a call."""
        schema = input_schema(tool)
        return {name: self._fill(schema["properties"][name], name) for name in schema["required"]}

    def finish(self) -> None:
        """Deliver an answer with every field filled."""
        answer = next(tool for tool in self.tools.values() if tool.effect == "finish")
        fields = input_schema(answer)["properties"]
        self.call(answer.name, {name: self._fill(node, name) for name, node in fields.items()})
        # The answer did not fit its own schema's finer rules: deliver the least that may.
        self.call(answer.name, self.guess(answer))

    # --- remembering

    def _note(self, value: Any) -> None:
        if isinstance(value, list):
            for child in cast(list[Any], value):
                self._note(child)
        elif isinstance(value, dict):
            row = cast(Row, value)
            key = next((key for key in row if key.endswith("_id") and row[key]), "")
            if key and row not in self._rows.setdefault(key, []):
                self._rows[key].append(row)
            for name, child in row.items():
                if isinstance(child, dict | list):
                    self._note(child)
                elif child not in ("", None) and not isinstance(child, bool):
                    self._values.setdefault(name, []).append(child)

    def _picked(self) -> dict[str, Row]:
        return {key: self._pick(rows) for key, rows in self._rows.items()}

    # --- filling

    def _tries(self, tool: type[Tool]) -> Iterator[dict[str, Any]]:
        guess = self.guess(tool)
        blanks = [name for name, value in guess.items() if value == ""]
        ids = [name for name in guess if self._kind(name)]
        if any(name.endswith("_id") for name in blanks):
            return
        if blanks:
            yield from (guess | dict.fromkeys(blanks, word) for word in self._words)
        elif ids:
            kind = self._kind(ids[0])
            yield from (guess | {ids[0]: row[kind]} for row in self._rows[kind][:ROWS])
        else:
            yield guess

    def _kind(self, name: str) -> str:
        if not name.endswith("_id"):
            return ""
        return next((key for key in self._rows if name.endswith(key) or key.endswith(name)), "")

    def _fill(self, node: Mapping[str, Any], name: str) -> Any:
        if "enum" in node:
            return self._choose(node["enum"])
        match node["type"]:
            case "object":
                fields = node["properties"]
                if {"amount", "currency"} <= fields.keys():
                    return self._money()
                return {key: self._fill(child, name if key == "value" else key) for key, child in fields.items()}
            case "array":
                return self._list(node["items"], name)
            case "string":
                return self._text(name, node.get("default", ""))
            case "boolean":
                return node.get("default", False)
            case _:
                numbers = [value for value in self._values.get(name, ()) if isinstance(value, int | float)]
                return numbers[0] if numbers else node.get("default", 1)

    def _choose(self, options: Sequence[Any]) -> Any:
        if self._hands_back and "handed_back" in options:
            return "handed_back"
        return next((option for option in options if option not in ("", "none", "handed_back")), options[0])

    def _money(self) -> dict[str, str]:
        amounts = [money for row in self._picked().values() for money in _amounts(row)]
        return amounts[0] if amounts else {"amount": "0", "currency": ""}

    def _list(self, items: Mapping[str, Any], name: str) -> list[Any]:
        if items["type"] == "object":
            return [self._fill(items, name)]
        if items["type"] != "string" or "enum" in items:
            return []
        own = self._kind(name.removesuffix("s"))
        picked = self._picked()
        return [picked[own][own]] if own else [row[key] for key, row in picked.items()][:6]

    def _text(self, name: str, default: str) -> str:
        picked = self._picked()
        if self._kind(name):
            return str(picked[self._kind(name)][self._kind(name)])
        if name.endswith("_id"):
            return default
        for row in picked.values():
            if isinstance(row.get(name), str | int):
                return str(row[name])
        if self._values.get(name):
            return str(self._values[name][0])
        if name.endswith(("_on", "_date", "_at")):
            return next(iter(_dates(self._values)), default)
        return default


def first(rows: Sequence[Row]) -> Row:
    """Pick the first row."""
    return rows[0]


def cheapest(rows: Sequence[Row]) -> Row:
    """Pick the row with the smallest amount of money."""
    return min(rows, key=lambda row: min((_decimal(money) for money in _amounts(row)), default=Decimal("Infinity")))


def newest(rows: Sequence[Row]) -> Row:
    """Pick the row with the latest date."""
    return max(rows, key=lambda row: max(_dates(row), default=""))


def _decimal(money: Mapping[str, str]) -> Decimal:
    try:
        return Decimal(money["amount"])
    except InvalidOperation:
        return Decimal("Infinity")


def _amounts(value: Any) -> Iterator[dict[str, str]]:
    if isinstance(value, dict):
        if {"amount", "currency"} <= value.keys():
            yield {"amount": str(value["amount"]), "currency": str(value["currency"])}
        else:
            yield from (money for child in cast(Row, value).values() for money in _amounts(child))
    elif isinstance(value, list):
        yield from (money for child in cast(list[Any], value) for money in _amounts(child))


def _dates(value: Any) -> Iterator[str]:
    if isinstance(value, str) and _ISO.match(value):
        yield value
    elif isinstance(value, dict | list):
        children = cast(Row, value).values() if isinstance(value, dict) else cast(list[Any], value)
        yield from (day for child in children for day in _dates(child))


# --- the shortcuts


def finish_at_once(guesser: Guesser) -> None:
    """Answer from the brief alone."""
    guesser.finish()


def look_and_finish(guesser: Guesser) -> None:
    """Read what can be read, then answer with the picked rows."""
    guesser.look_around()
    guesser.finish()


def approve_everything(guesser: Guesser) -> None:
    """Ask leave for every act there is, do whatever is granted, then answer."""
    guesser.look_around()
    for tool in guesser.effects(free=True):
        arguments = guesser.guess(tool)
        if tool.effect not in FREE_EFFECTS:
            asked = {"tool": tool.name, "arguments": json.dumps(arguments), "summary": tool.name}
            reply = guesser.call("user_request_approval", asked)
            if reply is None or reply["decision"] != "granted":
                continue
        guesser.call(tool.name, arguments)
    guesser.finish()


def press_every_button(guesser: Guesser) -> None:
    """Call every tool that changes something, then answer."""
    guesser.look_around()
    for tool in guesser.effects(free=True):
        guesser.call(tool.name, guesser.guess(tool))
    guesser.finish()


SHORTCUTS: dict[str, tuple[Callable[[Guesser], None], Pick, bool]] = {
    "finish_at_once": (finish_at_once, first, False),
    "hand_back": (look_and_finish, first, True),
    "first": (look_and_finish, first, False),
    "cheapest": (look_and_finish, cheapest, False),
    "newest": (look_and_finish, newest, False),
    "approve_everything": (approve_everything, first, False),
    "press_every_button": (press_every_button, first, False),
}


class Shortcut:
    """Plays one of the general shortcuts.

    Args:
        key: a key of `SHORTCUTS`.
    """

    def __init__(self, key: str) -> None:
        self.name = f"shortcut:{key}"
        self._play, self._pick, self._hands_back = SHORTCUTS[key]

    def run(self, env: gym.Env[dict[str, Any], Any], observation: dict[str, Any]) -> None:
        """Play it to the end of the episode."""
        env.unwrapped.record_usage(usd=0.0)  # type: ignore[attr-defined]
        try:
            self._play(Guesser(env, observation["content"], self._pick, self._hands_back))
        except EpisodeOver:
            return
