"""People's names, drawn from the pools of a market or a place abroad; given names of different splits are disjoint."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Literal, Protocol, TypeVar

import msgspec

from agentbench_env.errors import WrongArgument
from agentbench_env.market import market_table, shared_table

T = TypeVar("T")
Gender = Literal["female", "male"]
_GENDERS: tuple[Gender, ...] = ("female", "male")
# Hidden seeds are drawn from the pool that is kept for measuring.
_POOLS = {"train": "train", "dev": "dev", "test": "test", "private": "test"}


class Choices(Protocol):
    """What drawing a name asks of a source of random choices."""

    def choice(self, options: Sequence[T]) -> T:
        """Draw one of `options`."""
        ...


class PersonName(msgspec.Struct, frozen=True, gc=False, cache_hash=True):
    """A person's name in the script of the market and in Latin letters; parts that the name does not have are ""."""

    native: str
    latin: str
    reading: str
    """The kana reading where the market uses one."""
    gender: Gender
    family: str
    given: str
    family_latin: str
    given_latin: str


class _Part(msgspec.Struct, frozen=True, gc=False):
    native: str
    latin: str
    reading: str


class _Form(msgspec.Struct, frozen=True):
    """How a full name is put together: patterns for the native, Latin and kana writing."""

    male: tuple[str, ...]
    female: tuple[str, ...]
    weight: int = 1


class _Group(msgspec.Struct, frozen=True):
    """A community with its own names and forms; weights are whole shares."""

    name: str
    forms: tuple[_Form, ...]
    given: dict[Gender, dict[str, tuple[str, ...]]]
    weight: int = 1
    family: tuple[str, ...] = ()
    resident: bool = False
    """Whether these are names of people who live in the market without being its nationals."""


class _Pool(msgspec.Struct, frozen=True):
    forms: tuple[_Form, ...]
    given: dict[Gender, dict[str, tuple[_Part, ...]]]
    family: tuple[_Part, ...]


_NO_PART = _Part("", "", "")


def draw_name(
    market: str, split: str, draw: Choices, gender: Gender | Literal[""] = "", *, national: bool = False
) -> PersonName:
    """Draw a full name of `market` from the pool of `split`; the gender too, unless it is given.

    A place abroad is named as `shared/foreign.toml` names it ("GB-ENG"). `national` leaves out the names of residents
    from elsewhere.
    """
    if split not in _POOLS:
        raise WrongArgument("split", split, _POOLS)
    pool = draw.choice(_pools(market, national))
    chosen: Gender = gender or draw.choice(_GENDERS)
    given = draw.choice(pool.given[chosen][_POOLS[split]])
    form = draw.choice(pool.forms)
    native, *others = form.male if chosen == "male" else form.female
    latin, reading = others[0], "".join(others[1:])
    family = draw.choice(pool.family) if "{family}" in native else _NO_PART
    father = _NO_PART
    if "{father}" in native:
        father = draw.choice([part for part in pool.given["male"][_POOLS[split]] if part is not given])
    return PersonName(
        native=native.format(given=given.native, family=family.native, father=father.native),
        latin=latin.format(given=given.latin, family=family.latin, father=father.latin),
        reading=reading.format(given=given.reading, family=family.reading),
        gender=chosen,
        family=family.native,
        given=given.native,
        family_latin=family.latin,
        given_latin=given.latin,
    )


@cache
def _pools(market: str, national: bool) -> tuple[_Pool, ...]:
    """Return the groups of a market or a place abroad, or those of its nationals, each as often as its weight says."""
    abroad = shared_table("foreign")["places"].get(market)
    groups = msgspec.convert((abroad or market_table(market, "names"))["groups"], tuple[_Group, ...])
    return tuple(
        pool for group in groups if not (national and group.resident) for pool in [_pool(group)] * group.weight
    )


def _pool(group: _Group) -> _Pool:
    given: Mapping[Gender, dict[str, tuple[_Part, ...]]] = {
        gender: {split: _parts(names) for split, names in splits.items()} for gender, splits in group.given.items()
    }
    forms = tuple(form for form in group.forms for _ in range(form.weight))
    return _Pool(forms, dict(given), _parts(group.family))


def _parts(rows: tuple[str, ...]) -> tuple[_Part, ...]:
    """Read rows of the form native/Latin/kana; a row without a slash is written in Latin letters only."""
    parts: list[_Part] = []
    for row in rows:
        native, *others = row.split("/")
        parts.append(_Part(native, others[0] if others else native, "".join(others[1:])))
    return tuple(parts)
