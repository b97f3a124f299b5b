"""Proofs about what a policy and a reader see: schemas, sentences, nothing that gives the answer away."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

import gymnasium as gym

from agentbench_env.approval import strings_of
from agentbench_env.boundary import FREE_EFFECTS, NothingElse
from agentbench_env.conformance.report import each_seed
from agentbench_env.conformance.subject import Subject, episode_of
from agentbench_env.lineage import Entry
from agentbench_env.task import clause_sentences, mounted_tools
from agentbench_env.tool import RESERVED_NAMES, Profile, Tool, description, input_schema, openai_tool, result_type

FEWEST_STEPS = 60
SHORTEST_VALUE = 6
"""Shorter values stand in ids by chance."""
_OPAQUE = re.compile(r"[a-z]{2,6}_[a-z2-9]{8}")
_TYPES: Mapping[str, type | tuple[type, ...]] = {
    "string": str,
    "integer": int,
    "number": (int, float),
    "boolean": bool,
    "array": list,
    "object": dict,
}
_KEYS = frozenset({"type", "description", "enum", "default", "maxLength", "properties", "required", "items"})
_NAME = re.compile(r"[a-z][a-z0-9_]{0,63}")


@each_seed()
def leaks(subject: Subject, seed: int) -> Iterator[str]:
    """Neither the brief nor a tool's description nor an id gives the answer away."""
    env = subject.solved(seed)
    episode = episode_of(env)
    answer = json.loads(env.lineage[-1].arguments)
    given = {option for node in _nodes(input_schema(subject.task.Answer)) for option in node.get("enum", ())}
    values = dict.fromkeys(text for text in strings_of(answer) if text not in given)
    ids = [text for text in values if _OPAQUE.fullmatch(text) or episode.record(text) is not None]
    tools = json.dumps([openai_tool(tool) for tool in episode.tools.values()], ensure_ascii=False)
    for brief in dict.fromkeys(episode.instance.brief(language, "stated") for language in ("en", "local")):
        for id in ids:
            if id in brief.text and id not in brief.shown:
                yield f"the brief prints {id}, which the answer names: {brief.text[:200]}"
    for id in ids:
        if id in tools:
            yield f"a tool's description prints {id}, which the answer names"
    for value in values:
        if value not in ids and len(value) >= SHORTEST_VALUE:
            for id in episode.world.start.records:
                if value.lower() in id:
                    yield f"the id {id} holds {value}, which the answer states"


@each_seed(most=1)
def schemas(subject: Subject, seed: int) -> Iterator[str]:
    """Every tool's schema is of the strict form that all common model APIs accept, nested and flat."""
    profiles: tuple[Profile, ...] = ("full", "flat")
    for tool in mounted_tools(type(subject.task)).values():
        if not _NAME.fullmatch(tool.name) or tool.name in RESERVED_NAMES:
            yield f"{tool.name} is no name for a tool"
        try:
            described = description(tool)
            found = [input_schema(tool, profile) for profile in profiles]
        except TypeError as error:
            yield str(error)
            continue
        if not described.endswith("."):
            yield f"the description of {tool.name} does not end with a full stop"
        if result_type(tool) is Any:
            yield f"{tool.name}.run does not say what it returns"
        for profile, schema in zip(profiles, found, strict=True):
            yield from _schema_faults(schema, f"{tool.name} ({profile})", profile == "flat")


def _schema_faults(node: Mapping[str, Any], place: str, flat: bool, depth: int = 0) -> Iterator[str]:
    extra = sorted(node.keys() - _KEYS)
    if extra:
        yield f"{place} has {', '.join(extra)}, which some model APIs refuse"
    kind = str(node.get("type"))
    if kind not in _TYPES or (flat and depth and kind in ("array", "object")):
        yield f"{place} has the type {kind!r}"
        return
    if "default" in node and not isinstance(node["default"], _TYPES[kind]):
        yield f"{place} has a default of another type than {kind}"
    for option in node.get("enum", ()):
        if not isinstance(option, _TYPES[kind]):
            yield f"{place} has an option of another type than {kind}"
        elif option and depth and "description" in node and str(option) not in node["description"]:
            yield f"the description of {place} does not say what {option!r} means"
    if kind == "array":
        yield from _schema_faults(node.get("items", {}), f"{place}[]", flat, depth + 1)
    if kind == "object":
        yield from _object_faults(node, place, flat, depth)


def _object_faults(node: Mapping[str, Any], place: str, flat: bool, depth: int) -> Iterator[str]:
    fields: Mapping[str, Any] = node.get("properties", {})
    if not set(node.get("required", ())) <= fields.keys():
        yield f"{place} requires a property that it does not have"
    for name, child in fields.items():
        if not str(child.get("description", "")).strip():
            yield f"{place}.{name} has no description"
        # Flat text stands for a value whose default the tool itself fills in.
        if not flat and (name in node.get("required", ())) == ("default" in child):
            yield f"{place}.{name} must be required or have a default, not both"
        yield from _schema_faults(child, f"{place}.{name}", flat, depth + 1)


def _nodes(node: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    yield node
    for child in (*node.get("properties", {}).values(), *([node["items"]] if "items" in node else ())):
        yield from _nodes(child)


@each_seed(most=1)
def boundary(subject: Subject, seed: int) -> Iterator[str]:
    """Every tool that reaches or binds anything is the business of a boundary policy."""
    policies = subject.task.boundary
    if not policies:
        yield "the task has no boundary"
    if any(isinstance(policy, NothingElse) for policy in policies[:-1]):
        yield "NothingElse covers all that is left and must stand last"
    for tool in mounted_tools(type(subject.task)).values():
        if tool.effect not in FREE_EFFECTS and not any(policy.covers(_call_of(tool)) for policy in policies):
            yield f"no boundary policy covers {tool.name}, whose effect is {tool.effect}"


def _call_of(tool: type[Tool]) -> Entry:
    return Entry(0, 0, "assistant", tool.name, "{}", "", tool.effect, "", (), (), "", "")


@each_seed(most=1)
def metadata(subject: Subject, seed: int) -> Iterator[str]:
    """The contract reads as a contract: title, sentences, ids of clauses, a brief with request and boundary."""
    task, kind = subject.task, type(subject.task)
    texts = {"the title": kind.__doc__ or "", **clause_sentences(kind)}
    for name, text in texts.items():
        if not text.strip().endswith("."):
            yield f"{name} has no sentence that ends with a full stop: {text.strip()!r}"
    for clause in kind.finals:
        if not clause.startswith("final."):
            yield f"the final clause {clause} does not start with final."
    for policy in kind.boundary:
        if not policy.clause.startswith("boundary."):
            yield f"the boundary clause {policy.clause} does not start with boundary."
    if not kind.finals:
        yield "the task has no final clause"
    if kind.max_steps < FEWEST_STEPS:
        yield f"max_steps is {kind.max_steps}, less than {FEWEST_STEPS}"
    if subject.env_id not in gym.registry:
        yield f"{subject.env_id} is not registered with Gymnasium"
    instance = subject.instance(seed)
    for language in ("en", instance.setting.language):
        brief = task.brief(instance.case, language)
        for name, text in (("request", brief.request), ("boundary", brief.boundary), ("place", brief.place)):
            if not text.strip():
                yield f"the brief in {language} has no {name}"
