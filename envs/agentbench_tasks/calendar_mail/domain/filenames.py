"""The names that people give to the versions of a file, in the habits of their language."""

from __future__ import annotations

from collections.abc import Sequence

from agentbench_env.draw import Draw
from agentbench_env.market import shared_table
from agentbench_env.text.template import fill
from agentbench_tasks.calendar_mail.domain.matters import FILE


class FileNames:
    """Draws names for the files of one document, none of them twice.

    Args:
        draw: the stream to draw from.
        language: whose habits.
        stem: how every name begins.
        suffix: the ending of the names, without its dot.
    """

    def __init__(self, draw: Draw, language: str, stem: str, suffix: str = "docx") -> None:
        self._draw, self._stem, self._suffix = draw, stem, suffix
        table = shared_table(f"text/{language}/{FILE}")
        self._table, self._year_offset = table["names"], table["form"]["year_offset"]
        self._given: set[str] = set()

    def plain(self, day: str) -> str:
        """Return the bare name; a dated one if it is taken."""
        return self._fresh(["{stem}"], day)

    def final(self, day: str) -> str:
        """Return a name that claims to be the last."""
        return self._fresh(self._draw.pool(self._table["final"]), day)

    def revised(self, day: str) -> str:
        """Return a name that speaks of a change."""
        return self._fresh(self._draw.pool(self._table["revised"]), day)

    def numbered(self, number: int, day: str) -> str:
        """Return a name with the number of the version."""
        return self._fresh(self._draw.pool(self._table["numbered"]), day, n=str(number))

    def dated(self, day: str) -> str:
        """Return a name with a day, written in the years of the language."""
        return self._fresh((), day)

    def copy(self, name: str) -> str:
        """Return the name that a mail program gives to the same file once more."""
        return self._keep(self._copied(name))

    def _fresh(self, patterns: Sequence[str], day: str, **slots: str) -> str:
        """A name that was not given yet: of one of the patterns, or else with the day, or else a copy of one."""
        for pattern in self._draw.shuffled(patterns):
            if name := self._free(pattern, **slots):
                return self._keep(name)
        for pattern in self._draw.shuffled(self._draw.pool(self._table["dated"])):
            if name := self._free(pattern, ymd=_compact(day, self._year_offset)):
                return self._keep(name)
        name = self._draw.choice(sorted(self._given))
        while name in self._given:
            name = self._copied(name)
        return self._keep(name)

    def _free(self, pattern: str, **slots: str) -> str:
        """The name that a pattern makes, "" if it was given."""
        name = f"{fill(pattern, {'stem': self._stem, **slots})[0]}.{self._suffix}"
        return "" if name in self._given else name

    def _copied(self, name: str) -> str:
        stem, _, suffix = name.rpartition(".")
        return f"{fill(self._table['copy'], {'name': stem})[0]}.{suffix}"

    def _keep(self, name: str) -> str:
        self._given.add(name)
        return name


def _compact(day: str, offset: int) -> str:
    return f"{int(day[:4]) + offset}{day[5:7]}{day[8:]}"
