"""Spaces for text in any script and for tool calls, fit for Gymnasium's checkers, wrappers and vector environments."""

from __future__ import annotations

import ctypes
import multiprocessing
import string
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector.utils import shared_memory as sm

from agentbench_env.errors import ToolError
from agentbench_env.registry import load_task
from agentbench_env.task import mounted_tools
from agentbench_env.tool import Profile, Tool, input_schema, mcp_tool, openai_tool, parse_arguments


class TextSpace(spaces.Text):
    """Any Unicode text of at most `max_length` characters. Samples are printable ASCII."""

    def __init__(self, max_length: int, seed: int | np.random.Generator | None = None) -> None:
        super().__init__(max_length, min_length=0, charset=string.ascii_letters + string.digits + " .,-", seed=seed)

    def contains(self, x: Any) -> bool:
        """Whether `x` is a text short enough; any script is welcome."""
        return isinstance(x, str) and len(x) <= self.max_length

    def sample(self, mask: Any = None, probability: Any = None) -> str:
        """Draw a short text."""
        length = int(self.np_random.integers(0, min(self.max_length, 32) + 1))
        letters = self.character_list
        return "".join(letters[int(n)] for n in self.np_random.integers(0, len(letters), length))

    @property
    def is_np_flattenable(self) -> bool:
        """False: text of any script has no fixed-size array form."""
        return False

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TextSpace) and self.max_length == other.max_length

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"TextSpace({self.max_length})"


_HEADER = 8
MOST_DRAWS = 50


class _LiveTexts(Sequence[str]):
    """A batch of texts in shared memory; a deep copy, which vector environments take every step, reads them out.

    Gymnasium asks for the batch once and copies it after every step; for its own text space it gets a tuple that never
    changes again.
    """

    def __init__(self, space: TextSpace, memory: Any, n: int) -> None:
        self._width, self._memory, self._n = _width(space), memory, n

    def __len__(self) -> int:
        return self._n

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return tuple(self[i] for i in range(*index.indices(self._n)))
        raw = memoryview(self._memory.get_obj()).cast("B")[index * self._width : (index + 1) * self._width]
        size = int.from_bytes(raw[:_HEADER], "little")
        return bytes(raw[_HEADER : _HEADER + size]).decode("utf-8", "surrogatepass")

    def __iter__(self) -> Iterator[str]:
        return (self[i] for i in range(self._n))

    def __deepcopy__(self, memo: object) -> tuple[str, ...]:
        return tuple(self)


def _width(space: TextSpace) -> int:
    return 4 * space.max_length + _HEADER


@sm.create_shared_memory.register(TextSpace)
def _create(space: TextSpace, n: int = 1, ctx: Any = multiprocessing) -> Any:
    return ctx.Array(ctypes.c_uint8, n * _width(space))


@sm.read_from_shared_memory.register(TextSpace)
def _read(space: TextSpace, shared_memory: Any, n: int = 1) -> Any:
    return _LiveTexts(space, shared_memory, n)


@sm.write_to_shared_memory.register(TextSpace)
def _write(space: TextSpace, index: int, value: str, shared_memory: Any) -> None:
    raw = value.encode("utf-8", "surrogatepass")
    if len(raw) + _HEADER > _width(space):
        raise ValueError(f"a text of {len(raw)} bytes does not fit into {space}")
    start = index * _width(space)
    view = memoryview(shared_memory.get_obj()).cast("B")
    view[start : start + _HEADER + len(raw)] = len(raw).to_bytes(_HEADER, "little") + raw


class ToolCallSpace(spaces.Space[Any]):
    """Calls of a task's tools: `{"tool": name, "arguments": {...}}`, a typed call, or the same as JSON text.

    `sample` draws valid calls, with ids that the episode has shown where it can.
    """

    def __init__(self, task_id: str, seed: int | np.random.Generator | None = None) -> None:
        super().__init__(shape=None, dtype=None, seed=seed)
        self._task_id = task_id
        self._seen: Sequence[str] = ()

    @property
    def tools(self) -> dict[str, type[Tool]]:
        """The tools by name, as typed calls."""
        return dict(mounted_tools(type(load_task(self._task_id))))

    def openai_tools(self, profile: Profile = "full") -> list[dict[str, Any]]:
        """The tools as OpenAI's chat completions API takes them; `flat` has no nested arguments."""
        return [openai_tool(tool, profile) for tool in self.tools.values()]

    def mcp_tools(self) -> list[dict[str, Any]]:
        """The tools as the Model Context Protocol lists them."""
        return [mcp_tool(tool) for tool in self.tools.values()]

    def contains(self, x: Any) -> bool:
        """Whether `x` is a call whose arguments are valid."""
        if isinstance(x, Tool):
            return self.tools.get(x.name) is type(x)
        if not isinstance(x, Mapping) or not isinstance(x.get("arguments", {}), Mapping):
            return False
        tool = self.tools.get(str(x.get("tool")))
        try:
            return tool is not None and bool(parse_arguments(tool, x.get("arguments", {})))
        except ToolError:
            return False

    def sample(self, mask: Any = None, probability: Any = None) -> dict[str, Any]:
        """Draw a valid call."""
        tools = self.tools
        name = sorted(tools)[int(self.np_random.integers(len(tools)))]
        action: dict[str, Any] = {}
        for _ in range(MOST_DRAWS):
            action = {"tool": name, "arguments": self._draw_value(input_schema(tools[name]), name)}
            # The schemas leave out bounds, which not every model API accepts.
            if self.contains(action):
                break
        return action

    def _draw_value(self, schema: dict[str, Any], name: str) -> Any:
        pick = self.np_random.integers
        if "enum" in schema:
            return schema["enum"][int(pick(len(schema["enum"])))]
        kind = schema["type"]
        if kind == "object":
            required = schema.get("required", ())
            fields = schema["properties"].items()
            return {key: self._draw_value(sub, key) for key, sub in fields if key in required or pick(2)}
        if kind == "array":
            return [self._draw_value(schema["items"], name) for _ in range(int(pick(3)))]
        if kind == "integer":
            return int(pick(4))
        if kind == "number":
            return float(pick(1000)) / 10
        if kind == "boolean":
            return bool(pick(2))
        return self._draw_text(name)[: schema.get("maxLength")]

    def _draw_text(self, name: str) -> str:
        pick = self.np_random.integers
        if name.endswith(("_on", "_date")):
            return f"2026-{int(pick(5, 12)):02}-{int(pick(1, 29)):02}"
        if self._seen and (name.endswith(("_id", "_ids", "sources")) or pick(2)):
            akin = [id for id in self._seen if id[:3] == name[:3]] or self._seen
            return akin[int(pick(len(akin)))]
        return ("", "0", "1", "note")[int(pick(4))]

    @property
    def is_np_flattenable(self) -> bool:
        """False: calls have no fixed-size array form."""
        return False

    def to_jsonable(self, sample_n: Iterable[Any]) -> list[Any]:
        """Return calls as JSON values."""
        return [x.as_action() if isinstance(x, Tool) else x for x in sample_n]

    def from_jsonable(self, sample_n: list[Any]) -> list[Any]:
        """Return calls from JSON values."""
        return list(sample_n)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ToolCallSpace) and self._task_id == other._task_id

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"ToolCallSpace({self._task_id!r}, {len(self.tools)} tools)"
