"""Tools: typed functions of a provider, their effect classes, and the schemas that model APIs accept."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeVar, get_type_hints

import msgspec
from pydantic import BaseModel, ConfigDict, ValidationError

from agentbench_env.errors import ToolError

if TYPE_CHECKING:
    from agentbench_env.episode import Call
    from agentbench_env.policies.expert import Do

Effect = Literal["read", "draft", "hold", "own", "send", "commit", "credential", "user", "finish"]
Fault = Literal["rate_limited", "temporarily_unavailable", "request_lost", "reply_lost", "cached"]
Profile = Literal["full", "flat"]

# From what changes nothing to what binds; the class of a call is the strongest effect it had.
EFFECT_ORDER: tuple[Effect, ...] = ("read", "user", "finish", "draft", "own", "hold", "send", "credential", "commit")
RESERVED_NAMES = frozenset(
    {"reset", "step", "state", "close", "verify", "seed_session", "get_reward", "aggregate_metrics", "mcp"}
)
_NAME = re.compile(r"[a-z][a-z0-9_]{0,63}")
T = TypeVar("T")


class Tool(BaseModel):
    """A call of a tool: the fields are the arguments, the docstring is the description.

    A subclass gives each field a description, sets the class attributes below where they differ, and defines
    `run(call)`, whose return annotation (a `msgspec.Struct`) is the type of the result.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", coerce_numbers_to_str=True, allow_inf_nan=False)

    name: ClassVar[str] = ""
    """`provider_verb_object`; made from the class name where it is not set."""
    effect: ClassVar[Effect] = "read"
    """The strongest effect that a call of this tool can have."""
    latency_s: ClassVar[float] = 0.5
    """Simulated seconds that a call takes."""
    fee_usd: ClassVar[float] = 0.0
    """What the provider charges for a call, in USD."""
    faults: ClassVar[tuple[Fault, ...] | None] = None
    """What calls may meet where faults are on; None: what the effect suggests, see `faults.may_meet`."""
    idempotent: ClassVar[bool] = False
    """Whether the same call, made again after its reply was lost, is answered by that reply and not carried out twice;
    reads and drafts always are."""
    nested: ClassVar[tuple[str, ...]] = ()
    """The fields that are lists or objects; they may also be given as JSON text."""

    @classmethod
    def __pydantic_init_subclass__(cls, **kwargs: Any) -> None:
        """Name the tool and find its nested fields."""
        if "name" not in cls.__dict__:
            cls.name = re.sub(r"(?<!^)(?=[A-Z])", "_", cls.__name__).lower()
        if not _NAME.fullmatch(cls.name) or cls.name in RESERVED_NAMES:
            raise TypeError(f"{cls.__name__} has the tool name {cls.name!r}: it must match {_NAME.pattern} and be free")
        cls.nested = tuple(name for name, field in cls.model_fields.items() if not _is_scalar(field.annotation))

    def run(self, call: Call) -> Any:
        """Do what the tool does on `call.world` and return its result; raise `ToolError` to refuse."""
        raise NotImplementedError

    def readback(self, do: Do) -> Any:
        """Read, by reading calls alone, whether this call was carried out although no reply came.

        Returns:
            What it would have returned, as far as it can be read, or None if it was not carried out.
        """
        raise NotImplementedError(f"{self.name} has no way to read whether it was carried out")

    def canonical_arguments(self) -> dict[str, Any]:
        """The canonical arguments, defaults included: equal calls give equal arguments."""
        return self.model_dump(mode="json")

    def as_action(self) -> dict[str, Any]:
        """The call as an action of the environment."""
        return {"tool": self.name, "arguments": self.canonical_arguments()}


def _is_scalar(annotation: Any) -> bool:
    return annotation in (str, int, float, bool) or getattr(annotation, "__origin__", None) is Literal


def parse_arguments(tool: type[Tool], arguments: Mapping[str, Any]) -> Tool:
    """Validate the arguments of a call; refuse it with `invalid_argument`, naming the field and what would be right."""
    for field in tool.nested:
        value = arguments.get(field)
        if isinstance(value, str) and value[:1] in ("[", "{"):
            arguments = {**arguments, field: _from_json(value, field)}
    try:
        return tool.model_validate(arguments)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
        field = ".".join(str(part)[:40] for part in first["loc"]) or "arguments"
        if first["type"] == "extra_forbidden":
            hint = f"the arguments of {tool.name} are: {', '.join(tool.model_fields) or 'none'}"
            raise ToolError("invalid_argument", f"{tool.name} has no argument {field!r}.", field, hint) from error
        seen = "" if first["type"] == "missing" else f" It was {_shown(first.get('input'))}."
        raise ToolError("invalid_argument", f"{first['msg']}.{seen}", field, _hint(tool, first["loc"])) from error


def _shown(value: Any) -> str:
    try:
        text = repr(value)
    except (ValueError, RecursionError):
        return "too long to be shown"
    return f"{text[:80]}{'…' if len(text) > 80 else ''}"


def _from_json(text: str, field: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ToolError("invalid_argument", "This text is not JSON.", field, "a JSON list or object") from error


def _hint(tool: type[Tool], place: Sequence[Any]) -> str:
    node: Any = input_schema(tool)
    for part in place:
        node = node.get("items", node) if isinstance(part, int) else node.get("properties", {}).get(part, {})
    kind = node.get("type", "")
    options = f", one of {', '.join(map(str, node['enum']))}" if "enum" in node else ""
    return f"{kind}{options}: {node.get('description', '')}" if kind else ""


@cache
def result_type(tool: type[Tool]) -> Any:
    """Return the type that the tool's `run` is annotated to return."""
    # `Call` is known to type checkers alone, to keep modules from importing each other.
    return get_type_hints(tool.run, localns={"Call": Any}).get("return", Any)


def decode_result(tool: type[Tool], content: str) -> Any:
    """Read a tool's result from the text that a policy sees."""
    return msgspec.json.decode(content.encode(), type=result_type(tool))


@cache
def description(tool: type[Tool]) -> str:
    """The tool's description: its docstring in one piece, with its worst effect class."""
    text = " ".join((tool.__doc__ or "").split())
    if not text:
        raise TypeError(f"tool {tool.name} has no docstring; it is what a policy reads")
    return f"{text} Worst effect: {tool.effect}."


@cache
def input_schema(tool: type[Tool], profile: Profile = "full") -> dict[str, Any]:
    """Return the JSON schema of a tool's arguments, in the subset that all common model APIs accept.

    Every property has a `type` and a `description`; there is no `$ref`, `anyOf`, null, `title` or
    `additionalProperties`. The profile `flat` writes lists and objects as JSON text.
    """
    raw = tool.model_json_schema()
    schema = _plain(raw, raw.get("$defs", {}), tool.name)
    if profile == "flat":
        for field in tool.nested:
            node = schema["properties"][field]
            inner = {key: value for key, value in node.items() if key not in ("description", "default")}
            text = f"{node['description']} As JSON text of this schema: {json.dumps(inner, ensure_ascii=False)}"
            schema["properties"][field] = {"type": "string", "description": text}
    return {"type": "object", "properties": schema.get("properties", {}), "required": schema.get("required", [])}


def _plain(node: dict[str, Any], defs: dict[str, Any], place: str) -> dict[str, Any]:
    if "$ref" in node:
        rest = {key: value for key, value in node.items() if key != "$ref"}
        node = {**defs[node["$ref"].rpartition("/")[2]], **rest}
    if "const" in node:
        node = {**node, "enum": [node["const"]]}
    out = {key: node[key] for key in ("type", "description", "enum", "default", "maxLength", "required") if key in node}
    if "type" not in out:
        raise TypeError(f"{place} has no plain JSON type; unions and null are not allowed in a tool's arguments")
    if "properties" in node:
        out["properties"] = {
            name: _described(_plain(child, defs, f"{place}.{name}"), f"{place}.{name}")
            for name, child in node["properties"].items()
        }
    if "items" in node:
        out["items"] = _plain(node["items"], defs, f"{place}[]")
        if out["items"].get("type") == "object":
            out["items"].pop("description", None)
    return out


def _described(node: dict[str, Any], place: str) -> dict[str, Any]:
    if not node.get("description"):
        raise TypeError(f"{place} has no description; a policy needs one")
    return node


def openai_tool(tool: type[Tool], profile: Profile = "full") -> dict[str, Any]:
    """Return the tool in the form of OpenAI's chat completions API."""
    function = {"name": tool.name, "description": description(tool), "parameters": input_schema(tool, profile)}
    return {"type": "function", "function": function}


def mcp_tool(tool: type[Tool]) -> dict[str, Any]:
    """Return the tool in the form of the Model Context Protocol's `tools/list`."""
    return {"name": tool.name, "description": description(tool), "inputSchema": input_schema(tool)}
