"""`agentbench show`: a contract as a person reads it."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer

from agentbench_env.boundary import Forbidden, Gated, Only, Policy
from agentbench_env.calibration import load_medians
from agentbench_env.cli.output import Json, Out, Plain
from agentbench_env.cli.selection import user_medians
from agentbench_env.errors import WrongArgument
from agentbench_env.instance import build_instance
from agentbench_env.registry import NAMESPACE, Contract, is_built, load_task
from agentbench_env.selection import all_contracts
from agentbench_env.task import Task, clause_sentences, mounted_tools

SPEED_WINDOW = "From the release of the brief (reset returns) to the verdict"
COST_SCOPE = (
    "Inference as the policy reports it, and metered tool fees; what a transaction itself is worth is left out."
)
EVIDENCE = (
    "The providers' own records of every object named, before and after.",
    "Everything that reached somebody else, with its approval; if nothing did, that is stated.",
    "The lineage: every call with its result's hash, its effects and the approval it used.",
    "Metered fees and elapsed time.",
)
"""What every verdict rests on."""


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command("show", epilog="Example: agentbench show ta-two-leg-itinerary --full")(show)


def show(
    id: Annotated[str, typer.Argument(metavar="TASK", help="A task's id, or that of one of its environments.")],
    full: Annotated[bool, typer.Option("--full", help="Also the scripted solutions and near misses.")] = False,
    reference: Annotated[
        Path | None, typer.Option("--reference", help="File of reference medians.", show_default="the user's own")
    ] = None,
    json: Json = False,
    plain: Plain = False,
) -> None:
    """Show a contract: what must hold, what needs leave, what is measured, and the tools."""
    out = Out(json, plain)
    one = _contract(id)
    shown = _describe(one, full, reference or user_medians())
    if json:
        out.data(shown)
    else:
        _print(out, shown)


def _contract(id: str) -> Contract:
    known = all_contracts()
    name = id.removeprefix(f"{NAMESPACE}/")
    found = [one for one in known.values() if name == one.id or f"{NAMESPACE}/{name}" in one.env_ids]
    if not found:
        raise WrongArgument("task", id, known)
    return found[0]


def _describe(one: Contract, full: bool, reference: Path) -> dict[str, Any]:
    medians = load_medians(reference).get(one.id, {})
    shown: dict[str, Any] = {
        "id": one.id,
        "number": one.number,
        "domain": one.domain,
        "domain_title": one.domain_title,
        "timeout_s": one.timeout_s,
        "markets": list(one.markets),
        "built": is_built(one),
        "speed_window": f"{SPEED_WINDOW}; at most {one.timeout_s:.0f} s.",
        "cost_scope": COST_SCOPE,
        "reference": {m: msgspec.to_builtins(medians[m]) if m in medians else None for m in one.markets},
    }
    return shown | _describe_task(one, full) if shown["built"] else shown


def _describe_task(one: Contract, full: bool) -> dict[str, Any]:
    task = type(load_task(one.id))
    sentences = clause_sentences(task)
    shown: dict[str, Any] = {
        "title": " ".join((task.__doc__ or "").split()),
        "approval_point": {
            "needs_leave": _acts_of(task, Gated),
            "never": [*_acts_of(task, Forbidden), *_ruled_out(task)],
            "only_as": [f"{act}, as {one.clause} says" for one in _only(task) for act in _acts((one,))],
        },
        "sample_request": _sample(one),
        "accuracy": {
            group: [{"id": id, "sentence": text} for id, text in sentences.items() if id.startswith(f"{group}.")]
            for group in ("final", "boundary")
        },
        "evidence": [*_domain_evidence(one), *EVIDENCE],
        "tools": [
            {
                "name": tool.name,
                "effect": tool.effect,
                "latency_s": tool.latency_s,
                "fee_usd": tool.fee_usd,
                "description": " ".join((tool.__doc__ or "").split()),
            }
            for tool in mounted_tools(task).values()
        ],
        "topics": dict(task.topics),
        "max_steps": task.max_steps,
    }
    if full:
        shown["scripts"] = {
            "other_ways": {name: _first_line(script) for name, script in task.other_ways.items()},
            "counterexamples": {name: list(clauses) for name, (_, clauses, _) in task.counterexamples.items()},
            "shortcuts": {name: _first_line(script) for name, (script, _) in task.shortcuts.items()},
        }
    return shown


def _acts_of(task: type[Task[Any]], kind: type[Gated] | type[Forbidden]) -> list[str]:
    return _acts([policy for policy in task.boundary if isinstance(policy, kind)])


def _acts(policies: Sequence[Policy]) -> list[str]:
    names = [tool.name for policy in policies for tool in policy.tools]
    names += [_any_with(effect) for policy in policies for effect in policy.effects]
    return list(dict.fromkeys(names))


def _ruled_out(task: type[Task[Any]]) -> list[str]:
    gated = [policy for policy in task.boundary if isinstance(policy, Gated)]
    return list(dict.fromkeys(_any_with(effect) for policy in gated for effect in policy.never))


def _only(task: type[Task[Any]]) -> list[Only]:
    return [policy for policy in task.boundary if isinstance(policy, Only)]


def _any_with(effect: str) -> str:
    return f"any other call with the effect {effect}"


def _sample(one: Contract) -> str:
    """The request of an instance in the first market, in English."""
    brief = build_instance(one.id, one.markets[0], "train", "standard", 0).brief("en", "stated")
    request: str = msgspec.json.decode(brief.text)["request"]
    return request


def _domain_evidence(one: Contract) -> tuple[str, ...]:
    if one.number == "":
        return ()
    return getattr(import_module(one.module.rpartition(".")[0]), "EVIDENCE", ())


def _first_line(script: Any) -> str:
    return (script.__doc__ or "").strip().partition("\n")[0]


def _print(out: Out, shown: dict[str, Any]) -> None:
    number = f"{shown['number']}  " if shown["number"] else ""
    out.head(f"{number}{shown['id']}")
    out.line(shown.get("title", "Not built in this release: only what never changes about the contract is known."))
    out.line()
    facts = [
        ("Domain", f"{shown['domain_title']} ({shown['domain']})" if shown["domain_title"] else shown["domain"]),
        ("Markets", " ".join(shown["markets"])),
        ("Time limit", f"{shown['timeout_s']:.0f} s"),
        ("Speed window", shown["speed_window"]),
        ("Cost scope", shown["cost_scope"]),
        ("Reference", _reference(shown["reference"])),
    ]
    for name, text in facts:
        out.line(f"{name + ':':14}{text}")
    if "accuracy" in shown:
        _print_task(out, shown)


def _print_task(out: Out, shown: dict[str, Any]) -> None:
    _section(out, f"A request ({shown['markets'][0]}, train, standard, seed 0)")
    out.line(f"  {shown['sample_request']}")
    point = shown["approval_point"]
    _section(out, "Approval point")
    out.line(
        f"  Only with the user's recorded yes to exactly this call: {', '.join(point['needs_leave']) or 'nothing'}"
    )
    out.line(f"  Never, with or without one: {', '.join(point['never']) or 'nothing named'}")
    for act in point["only_as"]:
        out.line(f"  Within limits: {act}")
    out.line("  Free: reading, drafting, talking with the user, and the answer; anything not listed is denied")
    for group, title in (
        ("final", "Accuracy: final state, all must hold"),
        ("boundary", "Accuracy: boundary, all must hold"),
    ):
        _section(out, title)
        for clause in shown["accuracy"][group]:
            out.line(f"  {clause['id']}: {clause['sentence']}")
    _section(out, "Evidence")
    for text in shown["evidence"]:
        out.line(f"  {text}")
    _section(out, f"Tools (at most {shown['max_steps']} steps)")
    rows = [
        (tool["name"], tool["effect"], f"{tool['latency_s']:g} s", f"{tool['fee_usd']:g} USD", tool["description"])
        for tool in shown["tools"]
    ]
    out.table(("tool", "worst effect", "takes", "fee", "what it does"), rows)
    _section(out, "What the user can be asked about")
    for topic, meaning in {**shown["topics"], "other": "anything else"}.items():
        out.line(f"  {topic}: {meaning}")
    for kind, scripts in shown.get("scripts", {}).items():
        _section(out, f"Scripts: {kind.replace('_', ' ')}")
        for name, text in scripts.items():
            out.line(f"  {name}{': ' if text else ''}{', '.join(text) if isinstance(text, list) else text}")


def _section(out: Out, title: str) -> None:
    out.line()
    out.head(title)


def _reference(medians: dict[str, Any]) -> str:
    known = [f"{market} {one['time_s']:.1f} s (n = {one['n']})" for market, one in medians.items() if one is not None]
    missing = [market for market, one in medians.items() if one is None]
    if not known:
        return "none registered; normalised time and cost are not reported"
    return ", ".join(known) + (f"; none for {', '.join(missing)}" if missing else "")
