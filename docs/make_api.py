"""Writes docs/api.md: the public names with their docstrings.

python docs/make_api.py
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from importlib import import_module
from inspect import Parameter
from pathlib import Path
from typing import Any

import agentbench_env

FILE = Path(__file__).with_name("api.md")
HEAD = """\
# Public names

Written by `docs/make_api.py` from the docstrings; `make docs` writes it anew. The names of `agentbench_env` itself are
grouped by the module that they live in.
"""
FURTHER = {
    "agentbench_env.policies": ("Policy", "load_policy"),
    "agentbench_env.rollout": ("RecordTrajectory", "RunWriter", "Trajectory"),
    "agentbench_env.adapters.session": ("CallResult", "EpisodeSession"),
    "agentbench_env.rollout.concurrent": ("run_waiting",),
    "agentbench_env.rollout.ray": ("cluster", "run_on_ray"),
    "agentbench_env.rollout.verify": ("Difference", "Trust", "verify_line", "verify_lines"),
    "agentbench_env.rollout.stats": (
        "wilson",
        "effective_n",
        "pass_at",
        "pass_hat",
        "noise_floor",
        "mcnemar",
        "paired_bootstrap",
        "holm",
    ),
    "agentbench_env.conformance": ("Problem", "Proof", "Report", "check_task", "validate"),
    "agentbench_env.spaces": ("TextSpace", "ToolCallSpace"),
    "agentbench_env.adapters.pettingzoo": (
        "AgentbenchAEC",
        "AssistantSide",
        "RulePolicy",
        "parallel_env",
        "register_all",
    ),
    "agentbench_env.adapters.user_acts": ("Grant", "Deny", "AskForChange", "Say", "StaySilent", "UserActSpace"),
    "agentbench_env.market.calendars": ("Calendar", "common_open", "working_days"),
    "agentbench_env.text.language": ("language_of",),
    "agentbench_env.text.registers": ("register_of",),
    "agentbench_env.text.facts": ("states", "mentions"),
    "agentbench_env.text.facts.moments": ("Moment", "moments", "states_moment", "conflicting", "other_dates"),
    "agentbench_env.text.address": ("address_form_ok", "addresses_everybody"),
    "agentbench_env.text.phrases": ("apologises", "says_sent_in_error", "reason_in", "reason_pairs"),
    "agentbench_env.text.items": ("Item", "items", "lists", "names_in", "listed"),
    "agentbench_env.zones": ("offset_minutes", "to_instant", "to_iso", "to_local", "zone_names", "zone_row"),
}
"""Public names that stand in modules of their own."""
SECTION = re.compile(r"(Args|Returns|Raises):$")


def page() -> str:
    """Return the page."""
    own = [name for name in agentbench_env.__all__ if name != "RELEASE"]
    groups: dict[str, list[Any]] = {}
    for name in own:
        value = getattr(agentbench_env, name)
        groups.setdefault(value.__module__, []).append(value)
    parts = [
        HEAD,
        "## `agentbench_env`\n\n- `RELEASE`: the suite's release, raised when an instance or a verdict changes.\n",
    ]
    for module, values in sorted(groups.items()):
        parts.append(f"### From `{module}`\n")
        parts += ["\n".join(entry(value, "####")) for value in values]
    for module, names in FURTHER.items():
        parts.append(f"## `{module}`\n")
        parts += ["\n".join(entry(getattr(import_module(module), name), "###")) for name in names]
    return "\n".join(parts).rstrip() + "\n"


def entry(value: Any, level: str) -> Iterator[str]:
    """Yield the lines on one name."""
    name = value.__name__
    if not inspect.isclass(value):
        yield f"{level} `{name}{signature(value)}`\n"
        yield from docstring(value)
        return
    bases = [base.__name__ for base in value.__bases__ if base.__module__.startswith("agentbench_env")]
    inherits = f"({', '.join(bases)})" if bases else ""
    yield f"{level} `class {name}{inherits}`\n"
    yield from docstring(value)
    members = [*fields(value), *methods(value)]
    if members:
        yield "Members:\n"
        yield from members
        yield ""


def fields(kind: type) -> Iterator[str]:
    """Yield the fields of a class that is made of fields."""
    if not any(hasattr(kind, mark) for mark in ("__struct_fields__", "__dataclass_fields__", "model_fields")):
        return
    for name, annotation in inspect.get_annotations(kind).items():
        if not name.startswith("_") and not str(annotation).startswith("ClassVar"):
            yield f"- `{name}: {annotation}`"


def methods(kind: type) -> Iterator[str]:
    """Yield the public methods and properties that the class itself defines."""
    for name, value in vars(kind).items():
        called = value.__func__ if isinstance(value, classmethod | staticmethod) else value
        if name.startswith("_") or not (inspect.isfunction(called) or isinstance(called, property)):
            continue
        words = inspect.cleandoc(called.__doc__ or "").split("\n\n")[0]
        if words:
            shown = name if isinstance(called, property) else f"{name}{signature(called)}"
            yield f"- `{shown}`: {' '.join(words.split())}"


def signature(function: Any) -> str:
    """Write a signature as its source has it."""
    found = inspect.signature(function)
    shown: list[str] = []
    kinds = [one.kind for one in found.parameters.values()]
    for place, one in enumerate(found.parameters.values()):
        if one.name in ("self", "cls"):
            continue
        if one.kind is Parameter.KEYWORD_ONLY and not {Parameter.VAR_POSITIONAL, one.kind} & set(kinds[:place]):
            shown.append("*")
        stars = {Parameter.VAR_POSITIONAL: "*", Parameter.VAR_KEYWORD: "**"}.get(one.kind, "")
        default = "" if one.default is Parameter.empty else f" = {written(one.default)}"
        shown.append(f"{stars}{one.name}: {written(one.annotation)}{default}")
    result = "" if found.return_annotation is Parameter.empty else f" -> {written(found.return_annotation)}"
    return f"({', '.join(shown)}){result}"


def written(value: Any) -> str:
    """Write an annotation or a default."""
    if isinstance(value, str) and not value.isidentifier() and value:
        return value
    return getattr(value, "__name__", None) or (value if isinstance(value, str) and value else repr(value))


def docstring(value: Any) -> Iterator[str]:
    """Yield a docstring as Markdown: its sections become lists."""
    section = ""
    for line in inspect.cleandoc(value.__doc__ or "").splitlines():
        found = SECTION.match(line)
        if found:
            section = found[1]
            yield f"{section}:\n"
        elif section and line.startswith("        "):
            yield f"  {line.strip()}"
        elif section and line.strip():
            name, colon, rest = line.strip().partition(": ")
            yield f"- `{name}`: {rest}" if colon and section != "Returns" else f"- {line.strip()}"
        else:
            yield line
    yield ""


if __name__ == "__main__":
    FILE.write_text(page(), encoding="utf-8")
