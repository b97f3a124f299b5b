"""People's names, drawn from the pools of a market or a place abroad; given names of different splits are disjoint."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
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


class NamePart(msgspec.Struct, frozen=True, gc=False):
    """A family or given name in the script of the market, in Latin letters and, where there is one, in kana."""

    native: str
    latin: str
    reading: str


class NameParts(msgspec.Struct, frozen=True, gc=False):
    """What a full name is made of; a part that it does not have is empty."""

    gender: Gender
    patterns: tuple[str, ...]
    """For the native and the Latin writing and, where there is one, for kana."""
    given: NamePart
    family: NamePart
    father: NamePart

    @property
    def written(self) -> PersonName:
        """The name put together."""
        given, family, father = self.given, self.family, self.father
        native, latin, *kana = self.patterns
        return PersonName(
            native=native.format(given=given.native, family=family.native, father=father.native),
            latin=latin.format(given=given.latin, family=family.latin, father=father.latin),
            reading="".join(kana).format(given=given.reading, family=family.reading),
            gender=self.gender,
            family=family.native,
            given=given.native,
            family_latin=family.latin,
            given_latin=given.latin,
        )


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
    given: dict[Gender, dict[str, tuple[NamePart, ...]]]
    family: tuple[NamePart, ...]


_NO_PART = NamePart("", "", "")


def draw_name(
    market: str,
    split: str,
    draw: Choices,
    gender: Gender | Literal[""] = "",
    *,
    national: bool = False,
    families: Collection[str] = (),
    givens: Collection[str] = (),
) -> PersonName:
    """Draw a full name of `market` from the pool of `split`; the gender too, unless it is given.

    A place abroad is named as `shared/foreign.toml` names it ("GB-ENG"). `national` leaves out the names of residents
    from elsewhere. Family and given names that are among `families` and `givens`, in Latin letters, are taken; "" among
    `families` stands for having none.
    """
    return draw_parts(market, split, draw, gender, national=national, families=families, givens=givens).written


def draw_parts(
    market: str,
    split: str,
    draw: Choices,
    gender: Gender | Literal[""] = "",
    *,
    national: bool = False,
    families: Collection[str] = (),
    givens: Collection[str] = (),
) -> NameParts:
    """Draw what a full name is made of; takes what `draw_name` does."""
    if split not in _POOLS:
        raise WrongArgument("split", split, _POOLS)
    pool = draw.choice(_pools(market, national, "" in families))
    chosen: Gender = gender or draw.choice(_GENDERS)
    given = _draw_free(draw, pool.given[chosen][_POOLS[split]], givens)
    form = draw.choice(pool.forms)
    patterns = form.male if chosen == "male" else form.female
    family = _draw_free(draw, pool.family, families) if "{family}" in patterns[0] else _NO_PART
    father = _NO_PART
    if "{father}" in patterns[0]:
        father = draw.choice([part for part in pool.given["male"][_POOLS[split]] if part is not given])
    return NameParts(chosen, patterns, given, family, father)


def _draw_free(draw: Choices, parts: Sequence[NamePart], taken: Collection[str]) -> NamePart:
    """Draw one of the parts that are not taken; any of them where all are."""
    part = draw.choice(parts)
    if part.latin in taken:
        part = draw.choice([other for other in parts if other.latin not in taken] or parts)
    return part


@cache
def _pools(market: str, national: bool, family: bool) -> tuple[_Pool, ...]:
    """Return the groups of a market or a place abroad, each as often as its weight says.

    They are those of its nationals, or only their forms with a family name, where that is asked for.
    """
    abroad = shared_table("foreign")["places"].get(market)
    groups = msgspec.convert((abroad or market_table(market, "names"))["groups"], tuple[_Group, ...])
    return tuple(
        pool
        for group in groups
        if not (national and group.resident)
        for pool in [_pool(group, family)] * group.weight
        if pool.forms
    )


def _pool(group: _Group, family: bool) -> _Pool:
    given: Mapping[Gender, dict[str, tuple[NamePart, ...]]] = {
        gender: {split: _parts(names) for split, names in splits.items()} for gender, splits in group.given.items()
    }
    fitting = [form for form in group.forms if "{family}" in form.male[0] or not family]
    forms = tuple(form for form in fitting for _ in range(form.weight))
    return _Pool(forms, dict(given), _parts(group.family))


def _parts(rows: tuple[str, ...]) -> tuple[NamePart, ...]:
    """Read rows of the form native/Latin/kana; a row without a slash is written in Latin letters only."""
    parts: list[NamePart] = []
    for row in rows:
        native, *others = row.split("/")
        parts.append(NamePart(native, others[0] if others else native, "".join(others[1:])))
    return tuple(parts)
