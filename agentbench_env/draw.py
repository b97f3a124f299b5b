"""Random draws that are the same on every machine and under every version of every library.

A `Draw` is keyed by text. It uses only `random.Random(int).random()`, the one sequence that the standard library
documents as stable across Python versions. Streams named differently share nothing. A stream costs as much as a
hundred draws from it, so one serves whatever belongs together.
"""

from __future__ import annotations

import _random
from collections.abc import Callable, Sequence
from datetime import date, timedelta
from functools import lru_cache
from hashlib import sha256
from typing import Any, Literal, TypeVar

T = TypeVar("T")
Split = Literal["train", "dev", "test", "private"]
SPLITS: tuple[Split, ...] = ("train", "dev", "test", "private")

# Every pool is cut in quarters: two for training, one for development, one for test (private seeds share test's).
_QUARTERS: dict[str, tuple[int, ...]] = {"train": (0, 1), "dev": (2,), "test": (3,), "private": (3,)}

_SEPARATOR = "\x1f"
_BASE32 = "abcdefghijkmnpqrstuvwxyz23456789"
_PAIRS = tuple(a + b for a in _BASE32 for b in _BASE32)


def opaque_id(prefix: str, number: int) -> str:
    """Write the low 40 bits of `number` as an id such as `msg_7k2fq8za`."""
    pairs = _PAIRS
    return (
        f"{prefix}_{pairs[number & 1023]}{pairs[number >> 10 & 1023]}"
        f"{pairs[number >> 20 & 1023]}{pairs[number >> 30 & 1023]}"
    )


def stable_number(*parts: object) -> int:
    """Hash `parts` to a 256-bit number that depends on nothing but their text."""
    return _number(_SEPARATOR.join(map(str, parts)))


def _number(text: str) -> int:
    return int.from_bytes(sha256(text.encode()).digest())


class _Random(_random.Random):
    """What `random.Random` builds on, which seeds it a second time; that takes as long as all else of a stream."""

    __slots__ = ()

    def __reduce__(self) -> tuple[object, ...]:
        return _Random, (0,), self.getstate()

    def __setstate__(self, state: Any) -> None:
        self.setstate(state)


class Draw:
    """A stream of random choices, keyed by text and cut by split."""

    __slots__ = ("_ids", "_random", "_text", "key", "split")

    def __init__(self, *key: object, split: Split = "train") -> None:
        self._open(key, _SEPARATOR.join(map(str, key)), split)

    def _open(self, key: tuple[object, ...], text: str, split: Split) -> None:
        self.key, self._text = key, text
        self.split: Split = split

    def __getattr__(self, name: str) -> Any:
        # Seeding is what a stream costs, and many serve only to name others: it waits for the first draw.
        if name == "_random":
            self._random: Callable[[], float] = _Random(_number(self._text)).random
            return self._random
        if name == "_ids":
            self._ids: set[int] = set()
            return self._ids
        raise AttributeError(f"a Draw has no {name}")

    def stream(self, purpose: str) -> Draw:
        """Return a stream of its own for `purpose`, the same however much has been drawn from this one."""
        stream = Draw.__new__(Draw)
        stream._open((*self.key, purpose), f"{self._text}{_SEPARATOR}{purpose}", self.split)
        return stream

    def random(self) -> float:
        """Draw a float in [0, 1)."""
        return self._random()

    def chance(self, probability: float) -> bool:
        """Draw True with `probability`."""
        return self._random() < probability

    def int(self, low: int, high: int) -> int:
        """Draw a whole number from `low` to `high`, both included."""
        return low + int(self._random() * (high - low + 1))

    def uniform(self, low: float, high: float) -> float:
        """Draw a float from `low` to `high`."""
        return low + self._random() * (high - low)

    def choice(self, options: Sequence[T]) -> T:
        """Draw one of `options`."""
        return options[int(self._random() * len(options))]

    def weighted(self, options: dict[T, float]) -> T:
        """Draw a key of `options` with probability in proportion to its value."""
        mark = self._random() * sum(options.values())
        for option, weight in options.items():
            mark -= weight
            if mark < 0:
                return option
        return next(reversed(options))

    def shuffled(self, options: Sequence[T]) -> list[T]:
        """Return `options` in a drawn order."""
        rest = list(options)
        for last in range(len(rest) - 1, 0, -1):
            other = int(self._random() * (last + 1))
            rest[last], rest[other] = rest[other], rest[last]
        return rest

    def sample(self, options: Sequence[T], count: int) -> list[T]:
        """Draw `count` different members of `options`, in a drawn order."""
        return self.shuffled(options)[:count]

    def id(self, prefix: str) -> str:
        """Draw an opaque id that this stream has not drawn before."""
        draw, drawn = self._random, self._ids
        number = int(draw() * (1 << 40))
        while number in drawn:
            number = int(draw() * (1 << 40))
        drawn.add(number)
        return opaque_id(prefix, number)

    def variant(self, variants: Sequence[T]) -> T:
        """Draw one of `variants` from the quarter of them that belongs to this split."""
        places = _places(len(variants), self.split)
        return variants[places[int(self._random() * len(places))]]

    def pool(self, options: Sequence[T]) -> list[T]:
        """Return the members of `options` that belong to this split; pools of different splits are disjoint."""
        return pool_of(options, self.split)

    def day(self, first: date, last: date) -> date:
        """Draw a day from `first` to `last` whose week belongs to this split."""
        return self.choice(_days(first, last, self.split))


def pool_of(options: Sequence[T], split: Split) -> list[T]:
    """Return the members of `options` that belong to `split`."""
    return [options[place] for place in _places(len(options), split)]


@lru_cache(maxsize=4096)
def _places(count: int, split: Split) -> tuple[int, ...]:
    """Return which of `count` places belong to a split."""
    quarters = _QUARTERS[split]
    return tuple(place for place in range(count) if place % 4 in quarters)


@lru_cache(maxsize=256)
def _days(first: date, last: date, split: Split) -> tuple[date, ...]:
    quarters = _QUARTERS[split]
    days = (first + timedelta(n) for n in range((last - first).days + 1))
    return tuple(day for day in days if day.toordinal() // 7 % 4 in quarters)
