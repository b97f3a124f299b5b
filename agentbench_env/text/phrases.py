"""Whether a message apologises, takes back a mail that was sent in error, or gives a reason: by stems of each language.

The stems stand in `shared/lexicons/phrases.toml`. Those of all languages are looked for in every message.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import Final, Literal, TypedDict

from agentbench_env.errors import WrongArgument
from agentbench_env.market import shared_table
from agentbench_env.text.fold import fold
from agentbench_env.text.own import own_text

Part = Literal["error", "delete", "unused"]
_PARTS: Final[tuple[Part, ...]] = ("error", "delete", "unused")
_PIECE: Final = re.compile(r"\{([a-z]+)\}")
_SENTENCE: Final = re.compile(r"(?<=[.!?。！？؟])(?=\s|[^\s\d.!?])|\n")


class Found(TypedDict):
    """Which wording of a reason a message has."""

    inside: bool
    outside: bool


def reason_pairs() -> tuple[str, ...]:
    """The reasons that are known, each with an inside and an outside wording."""
    return tuple(shared_table("lexicons/phrases")["reason"])


def apologises(text: str) -> bool:
    """Whether the writer's own words apologise."""
    return _has(text, "apology", "say")


def says_sent_in_error(text: str) -> list[Part]:
    """The parts that a note to a wrong recipient lacks: sent in error, please delete, do not use or pass on."""
    return [part for part in _PARTS if not _has(text, "error", part)]


def reason_in(text: str, pair: str) -> Found:
    """Whether the writer's own words give the reason in its inside and in its outside wording.

    A reason that may be told to anybody has one wording, which is both.
    """
    if pair not in reason_pairs():
        raise WrongArgument("pair", pair, reason_pairs())
    inside = _has(text, f"reason.{pair}", "inside")
    one = not any("outside" in row for row in _family(f"reason.{pair}").values())
    return {"inside": inside, "outside": inside if one else _has(text, f"reason.{pair}", "outside")}


def _has(text: str, family: str, key: str) -> bool:
    sentences = _sentences(own_text(text))
    return any(
        _matcher(family, key, language).search(_without(sentence, _matcher(family, f"{key}_but", language)))
        for language in _family(family)
        for sentence in (_without(one, _matcher(family, "but", language)) for one in sentences)
    )


@lru_cache(maxsize=64)
def _sentences(own: str) -> tuple[str, ...]:
    # Lines may be broken for their width, so that only blank lines and list entries end a sentence.
    joined = re.sub(r"(?<=\S)[ \t]*\n(?=[^\s*•·▪◦\d-])", " ", own)
    return tuple(filter(None, map(fold, _SENTENCE.split(joined))))


def _without(sentence: str, other: re.Pattern[str]) -> str:
    return other.sub(" ", sentence) if other.pattern else sentence


def _family(family: str) -> dict[str, dict[str, list[str]]]:
    table = shared_table("lexicons/phrases")
    for name in family.split("."):
        table = table[name]
    return table  # type: ignore[return-value]


@cache
def _matcher(family: str, key: str, language: str) -> re.Pattern[str]:
    rows = _family(family)[language]

    def piece(match: re.Match[str]) -> str:
        return f"(?:{'|'.join(rows[match[1]])})"

    return re.compile("|".join(fold(_PIECE.sub(piece, row)) for row in rows.get(key, ())))
