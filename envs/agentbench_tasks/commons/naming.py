"""Names and addresses of a world's people: drawn so that nobody is taken for somebody else unless that is asked for."""

from __future__ import annotations

import re
from functools import cache
from typing import Literal

from agentbench_env.draw import Draw, Split
from agentbench_env.text.names import Gender, PersonName, draw_name, draw_parts

MOST_TRIES = 40
_NOT_LETTERS = re.compile(r"[^a-z]+")


class Namer:
    """Draws names so that no two people share a family name or a given name, unless that is asked for."""

    def __init__(self, draw: Draw, split: Split) -> None:
        self._draw, self._split = draw, split
        self._families: set[str] = set()
        self._givens: set[str] = set()

    def fresh(self, place: str, *, gender: Gender | Literal[""] = "", national: bool = False) -> PersonName:
        """Draw a name of a place (a market's code or a region's) that shares nothing with those drawn before.

        It does share something where a place has no other name left.
        """
        taken = {"families": self._families, "givens": self._givens}
        for _ in range(MOST_TRIES):
            name = draw_name(place, self._split, self._draw, gender, national=national, **taken)
            if name.family_latin not in self._families and name.given_latin not in self._givens:
                return self._take(name)
        return self._take(draw_name(place, self._split, self._draw, gender, national=national))

    def alike(self, place: str, other: PersonName) -> PersonName:
        """Draw the name of somebody who is easily taken for `other`: the same family name, another given name."""
        while True:
            parts = draw_parts(place, self._split, self._draw)
            if parts.family.latin == other.family_latin and parts.given.latin not in self._givens:
                return self._take(parts.written)

    def _take(self, name: PersonName) -> PersonName:
        self._families.add(name.family_latin)
        self._givens.add(name.given_latin)
        return name


def mailbox_name(name: PersonName) -> str:
    """Return what stands before the @ of a person's mail address."""
    return ".".join(filter(None, (_letters(name.given_latin), _letters(name.family_latin))))


@cache
def _letters(name: str) -> str:
    return _NOT_LETTERS.sub("", name.lower())
