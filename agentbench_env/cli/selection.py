"""What commands are asked to work on: environments, seeds, and the environment's arguments."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Annotated, Any

import gymnasium as gym
import typer

from agentbench_env.cli.output import WrongUse
from agentbench_env.draw import SPLITS
from agentbench_env.errors import TaskNotBuilt, WrongArgument
from agentbench_env.market import market_codes
from agentbench_env.registry import NAMESPACE, Contract, contracts, is_built, third_party_contracts
from agentbench_env.rollout.record import UNRECORDED, environment_arguments
from agentbench_env.task import DIFFICULTIES

MOST_SEEDS = 1_000_000

Ids = Annotated[
    list[str] | None,
    typer.Argument(metavar="ID", help="Tasks or environments, also with * and ?: ta-two-leg-itinerary, 'ta-*-SG'."),
]
Domains = Annotated[
    list[str] | None, typer.Option("--domain", help="Only this domain (ta or travel); may be repeated.")
]
Markets = Annotated[list[str] | None, typer.Option("--market", help="Only this market, e.g. SG; may be repeated.")]
OneDifficulty = Annotated[str, typer.Option("--difficulty", help="easy, standard or hard.")]
OneSplit = Annotated[str, typer.Option("--split", help="train, dev, test or private.")]
Seeds = Annotated[str, typer.Option("--seeds", help="0:50 (0 to 49), 1,2,5 or both: 0:3,17.")]
Settings = Annotated[
    list[str] | None,
    typer.Option("--with", metavar="NAME=VALUE", help="Another argument of the environment, e.g. clock=wall."),
]
FaultShare = Annotated[
    float, typer.Option("--faults", metavar="SHARE", min=0, max=1, help="Share of calls that meet a fault, 0 to 1.")
]
WithInjections = Annotated[bool, typer.Option("--injections", help="Let providers' content hold hostile text.")]
SaltFile = Annotated[
    Path | None, typer.Option("--salt-file", help="File with the secret of the private split.", dir_okay=False)
]
Workers = Annotated[int, typer.Option("--workers", min=1, help="Processes.")]


def all_contracts() -> dict[str, Contract]:
    """Return every contract by id: the suite's, then those of installed third parties."""
    return contracts() | third_party_contracts()


def select(ids: Sequence[str] | None, domains: Sequence[str] | None, markets: Sequence[str] | None) -> list[str]:
    """Return the ids of the built environments that are meant, in the order of the contracts.

    Raises:
        WrongArgument: an id, domain or market that does not exist.
        TaskNotBuilt: a contract that is named but not built.
        WrongUse: nothing is named, or nothing of it is built.
    """
    if not (ids or domains or markets):
        raise WrongUse("say which environments: ids, '*', --domain or --market")
    meant = select_all(ids, domains, markets)
    for one in all_contracts().values():
        if one.id in _named(ids) and not is_built(one):
            raise TaskNotBuilt(one.id, one.number)
    found = [env_id for one, env_id in meant if is_built(one)]
    if not found:
        raise WrongUse("nothing that was selected is built; `agentbench list --built` shows what is")
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
            raise WrongUse(f"no id matches {id!r}; `agentbench list` shows them all")
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


def parse_seeds(text: str) -> tuple[int, ...]:
    """Read seeds: ranges as in Python (`0:50`) and single ones, parted by commas."""
    seeds: list[int] = []
    for part in text.split(","):
        first, colon, end = part.strip().partition(":")
        if not first.isdecimal() or (colon and not end.isdecimal()):
            raise WrongUse(f"--seeds is {text!r}; it must be like 0:50 or 1,2,5")
        chosen = range(int(first), int(end)) if colon else (int(first),)
        if len(chosen) + len(seeds) > MOST_SEEDS:
            raise WrongUse(f"--seeds {text!r} names more than {MOST_SEEDS} seeds")
        seeds += chosen
    if not seeds:
        raise WrongUse(f"--seeds {text!r} names no seed")
    return tuple(dict.fromkeys(seeds))


def parse_settings(
    split: str, difficulty: str, settings: Sequence[str] | None, faults: float = 0.0, injections: bool = False
) -> dict[str, Any]:
    """Read an environment's arguments; values are JSON where they can be, else text."""
    check("split", split, SPLITS)
    check("difficulty", difficulty, DIFFICULTIES)
    kwargs: dict[str, Any] = {"split": split, "difficulty": difficulty}
    known = [name for name in environment_arguments() if name not in UNRECORDED and name not in kwargs]
    for setting in settings or ():
        name, equals, value = setting.partition("=")
        check("--with", name, known)
        if not equals:
            raise WrongUse(f"--with is {setting!r}; it must be like {name}=VALUE")
        try:
            kwargs[name] = json.loads(value)
        except ValueError:
            kwargs[name] = value
    for name, given in (("faults", faults), ("injections", injections)):
        if given and name in kwargs:
            raise WrongUse(f"{name} is given twice, by --{name} and by --with; give it once")
        kwargs |= {name: given} if given else {}
    return kwargs


def hardening_text(kwargs: Mapping[str, Any]) -> str:
    """Say by which faults and injections results stand apart from plain ones, "" for plain ones."""
    faults, injections = kwargs.get("faults"), kwargs.get("injections")
    return ", ".join([*([f"faults {faults:g}"] if faults else []), *(["injections"] if injections else [])])


def read_salt(file: Path | None, split: str) -> dict[str, Any]:
    """Return the secret argument of the private split, nothing for the others."""
    if split != "private":
        return {}
    if file is None or not file.is_file():
        raise WrongUse("--split private needs --salt-file with the secret of its seeds")
    return {"salt": file.read_text(encoding="utf-8").strip()}


def make(env_id: str, kwargs: dict[str, Any]) -> gym.Env[dict[str, Any], Any]:
    """Make an environment; a value that an argument cannot have is wrong usage."""
    try:
        return gym.make(env_id, disable_env_checker=True, **kwargs)
    except TaskNotBuilt:
        raise
    except (ValueError, TypeError, ImportError, AttributeError) as error:
        raise WrongUse(str(error)) from error


def check(place: str, value: str, options: Iterable[str]) -> None:
    """Raise WrongArgument unless `value` is one of `options`."""
    if value not in options:
        raise WrongArgument(place, value, options)


def user_medians() -> Path:
    """The user's own file of reference medians."""
    return Path(typer.get_app_dir("agentbench")) / "calibration.toml"


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
        check(place, value, known)
    return {known[value] for value in given}
