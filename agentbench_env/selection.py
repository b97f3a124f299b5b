"""Which environments are meant: ids and globs of tasks and environments, narrowed by domain and market."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase

from agentbench_env.errors import NothingSelected, TaskNotBuilt, WrongArgument
from agentbench_env.market import market_codes
from agentbench_env.registry import NAMESPACE, Contract, contracts, is_built, third_party_contracts


def all_contracts() -> dict[str, Contract]:
    """Return every contract by id: the suite's, then those of installed third parties."""
    return contracts() | third_party_contracts()


def select(ids: Sequence[str] | None, domains: Sequence[str] | None, markets: Sequence[str] | None) -> list[str]:
    """Return the ids of the built environments that are meant, in the order of the contracts.

    Raises:
        WrongArgument: an id, domain or market that does not exist.
        TaskNotBuilt: a contract that is named but not built.
        NothingSelected: nothing is named, or nothing of it is built.
    """
    if not (ids or domains or markets):
        raise NothingSelected("say which environments: ids, '*', a domain or a market")
    meant = select_all(ids, domains, markets)
    for one in all_contracts().values():
        if one.id in _named(ids) and not is_built(one):
            raise TaskNotBuilt(one.id, one.number)
    found = [env_id for one, env_id in meant if is_built(one)]
    if not found:
        raise NothingSelected("nothing that was selected is built; `agentbench list --built` shows what is")
    return found


def select_all(
    ids: Sequence[str] | None, domains: Sequence[str] | None, markets: Sequence[str] | None
) -> list[tuple[Contract, str]]:
    """Return (contract, environment id) of all that is meant, built or not; what is not named is not narrowed."""
    known = all_contracts()
    names = [*known, *(_name(env_id) for one in known.values() for env_id in one.env_ids)]
    for id in ids or ():
        if not _is_glob(id) and _name(id) not in names:
            raise WrongArgument("id", id, names)
        if _is_glob(id) and not any(fnmatchcase(name, _name(id)) for name in names):
            raise NothingSelected(f"no id matches {id!r}; `agentbench list` shows them all")
    prefixes = _checked(
        "domain", domains, {one.domain: one.domain for one in known.values()} | _packages(known.values())
    )
    codes = _checked("market", markets, {code: code for code in market_codes()})
    return [
        (one, env_id)
        for one in known.values()
        if not prefixes or one.domain in prefixes
        for market, env_id in zip(one.markets, one.env_ids, strict=True)
        if not codes or market in codes
        if not ids or any(fnmatchcase(name, _name(id)) for id in ids for name in (one.id, _name(env_id)))
    ]


def _name(id: str) -> str:
    return id.removeprefix(f"{NAMESPACE}/")


def _is_glob(id: str) -> bool:
    return any(mark in id for mark in "*?[")


def _named(ids: Sequence[str] | None) -> set[str]:
    """The contracts that are named in full, by their own id or by one of their environments."""
    exact = {_name(id) for id in ids or () if not _is_glob(id)}
    return {one.id for one in all_contracts().values() if exact & {one.id, *map(_name, one.env_ids)}}


def _packages(known: Iterable[Contract]) -> dict[str, str]:
    return {one.package: one.domain for one in known if one.package}


def _checked(place: str, values: Sequence[str] | None, known: dict[str, str]) -> set[str]:
    given = [part for value in values or () for part in value.split(",")]
    for value in given:
        if value not in known:
            raise WrongArgument(place, value, known)
    return {known[value] for value in given}
