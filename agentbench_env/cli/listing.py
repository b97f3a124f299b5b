"""`agentbench list`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any

import typer

from agentbench_env.cli.output import Json, Out, Plain
from agentbench_env.cli.selection import Domains, Ids, Markets
from agentbench_env.registry import Contract, contracts, is_built
from agentbench_env.selection import select_all


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command("list", epilog="Example: agentbench list --built --domain travel --market SG")(list_contracts)


def list_contracts(
    ids: Ids = None,
    built: Annotated[bool, typer.Option("--built", help="Only what is built.")] = False,
    domain: Domains = None,
    market: Markets = None,
    json: Json = False,
    plain: Plain = False,
) -> None:
    """List the contracts with their markets, mark those that are built, and count."""
    out = Out(json, plain)
    meant: dict[str, tuple[Contract, list[str]]] = {}
    for one, env_id in select_all(ids, domain, market):
        if not built or is_built(one):
            meant.setdefault(one.id, (one, []))[1].append(env_id)
    if json:
        listed = [_row(one, env_ids) for one, env_ids in meant.values()]
        out.data(
            {"contracts": listed, "counts": {"listed": _counts(one for one, _ in meant.values()), "suite": _suite()}}
        )
        return
    rows = [
        (one.number or "-", one.id, one.domain, "built" if is_built(one) else "-", _codes(env_ids))
        for one, env_ids in meant.values()
    ]
    if rows:
        out.table(("number", "task", "domain", "built", "markets"), rows)
    suite = _suite()
    out.line(
        f"\n{len(rows)} listed. Built in the suite: {suite['contracts_built']} of {suite['contracts']} contracts, "
        f"{suite['environments_built']} of {suite['environments']} environments."
    )


def _row(one: Contract, env_ids: list[str]) -> dict[str, Any]:
    return {
        "id": one.id,
        "number": one.number,
        "domain": one.domain,
        "domain_title": one.domain_title,
        "built": is_built(one),
        "timeout_s": one.timeout_s,
        "env_ids": env_ids,
    }


def _codes(env_ids: list[str]) -> str:
    return " ".join(env_id.rpartition("-")[2] for env_id in env_ids)


def _suite() -> dict[str, int]:
    return _counts(contracts().values())


def _counts(found: Iterable[Contract]) -> dict[str, int]:
    every = list(found)
    ready = [one for one in every if is_built(one)]
    return {
        "contracts": len(every),
        "contracts_built": len(ready),
        "environments": sum(len(one.markets) for one in every),
        "environments_built": sum(len(one.markets) for one in ready),
    }
