"""What long threads are about: an agreement for some place, with its main document and the papers beside it."""

from __future__ import annotations

from functools import cache

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.market import market_table, shared_table
from agentbench_env.task import Setting
from agentbench_env.text.template import fill

FILE = "versions"


class Matter(msgspec.Struct, frozen=True, gc=False):
    """An agreement that people write to each other about, in their language."""

    key: str
    site: str
    language: str

    @property
    def subject(self) -> str:
        """The subject of its thread."""
        return _named(self.language, self.key, "subject", self.site)

    @property
    def noun(self) -> str:
        """Its main document as people name it."""
        return noun_of(self.key, self.language)

    @property
    def stem(self) -> str:
        """How the names of the main document's files begin."""
        return _named(self.language, self.key, "stem")

    def other_noun(self, other: str) -> str:
        """A paper beside the main document as people name it."""
        return self._other(other)["noun"]

    def other_stem(self, other: str) -> str:
        """How the names of such a paper's files begin."""
        stem = self._other(other)["stem"]
        return fill(stem, {"stem": self.stem})[0] if "{stem}" in stem else stem

    def _other(self, other: str) -> dict[str, str]:
        return shared_table(f"text/{self.language}/{FILE}")["others"][other]


def noun_of(key: str, language: str) -> str:
    """Return how people name the main document of a kind of matter in a language."""
    return _named(language, key, "noun")


@cache
def _named(language: str, key: str, part: str, site: str = "") -> str:
    pattern: str = shared_table(f"text/{language}/{FILE}")["matters"][key][part]
    return fill(pattern, {"site": site} if site else {})[0]


def draw_matters(draw: Draw, setting: Setting, count: int) -> list[Matter]:
    """Draw different matters of the market; the second is easily taken for the first: the same kind, elsewhere."""
    language = setting.language
    kinds = draw.pool(list(shared_table(f"text/{language}/{FILE}")["matters"]))
    sites = [row[language] for row in draw.pool(market_table(setting.market.code, FILE)["sites"])]
    every = draw.shuffled([Matter(kind, site, language) for kind in kinds for site in sites])
    first, rest = every[0], every[1:]
    like = next(one for one in rest if one.key == first.key)
    return [first, like, *(one for one in rest if one is not like)][:count]
