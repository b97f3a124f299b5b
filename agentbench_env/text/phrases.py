"""Whether a message apologises, takes back a mail that was sent in error, or gives a reason: by stems of each language.

The stems stand in `shared/lexicons/phrases.toml` and `reasons.toml`. Those of all languages are looked for in every
message. In a pattern, `a <> b` means both near each other in either order, for word order is a matter of taste, and
`{name}` stands for any of the row `name` of its family.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from itertools import permutations
from typing import Final, Literal, TypedDict

from agentbench_env.errors import WrongArgument
from agentbench_env.market import shared_table
from agentbench_env.text.fold import fold
from agentbench_env.text.own import own_text

Part = Literal["error", "delete", "unused"]
_PARTS: Final[tuple[Part, ...]] = ("error", "delete", "unused")
_NEVER: Final = "(?!)"
_NEAR: Final = ".{0,30}"
"""What may stand between two stems that belong together."""
_PIECE: Final = re.compile(r"\{([a-z]+)\}")
_SENTENCE: Final = re.compile(r"(?<=[.!?。！？؟])(?=\s|[^\s\d.!?])|\n")


class Found(TypedDict):
    """Which wording of a reason a message has."""

    inside: bool
    outside: bool


def reason_pairs() -> tuple[str, ...]:
    """The reasons that are known, each with an inside and an outside wording."""
    return tuple(shared_table("lexicons/reasons"))


def apologises(text: str) -> bool:
    """Whether the writer's own words apologise."""
    return _has(text, "phrases.apology", "say")


def says_sent_in_error(text: str) -> list[Part]:
    """The parts that a note to a wrong recipient lacks: sent in error, please delete, do not use or pass on."""
    return [part for part in _PARTS if not _has(text, "phrases.error", part)]


def announces_secret(text: str) -> bool:
    """Whether the writer's own words announce what the reader should not know: between us, the real reason is."""
    return _has(text, "phrases.secret", "say")


def turns_down(before: str, behind: str) -> bool:
    """Whether the words before or behind a moment say that it will not do."""
    ahead = _beside("refused", "before").search(f"{fold(before)} ")
    return ahead is not None or _beside("refused", "after").match(fold(behind)) is not None


def reason_in(text: str, pair: str, *, denied: bool = False) -> Found:
    """Whether the writer's own words give the reason in its inside and in its outside wording.

    A reason that may be told to anybody has one wording, which is both. One that is named only to say that it is not
    the reason counts with `denied`: it was named all the same.
    """
    if pair not in reason_pairs():
        raise WrongArgument("pair", pair, reason_pairs())
    family = f"reasons.{pair}"
    inside = _has(text, family, "inside", stands=not denied)
    one = not any("outside" in row for row in _family(family).values())
    return {"inside": inside, "outside": inside if one else _has(text, family, "outside", stands=not denied)}


def says(text: str, family: str) -> bool:
    """Whether the writer's own words have what a family of `shared/lexicons` looks for: `shop_phrases.cancel`."""
    return _has(text, family, "say")


def _has(text: str, family: str, key: str, *, stands: bool = False) -> bool:
    """Whether a sentence has a pattern of the family; with `stands`, one that is not denied."""
    return any(
        not (stands and _is_denied(bare, found))
        for sentence in _sentences(own_text(text))
        for language in _family(family)
        for bare in [_bare(sentence, family, key, language)]
        for found in _matcher(family, key, language).finditer(bare)
    )


def _bare(sentence: str, family: str, key: str, language: str) -> str:
    """The sentence without the words that look like the family's, or like those of the key, in another sense."""
    for other in ("but", f"{key}_but"):
        sentence = _matcher(family, other, language).sub(" ", sentence)
    return sentence


def _is_denied(sentence: str, found: re.Match[str]) -> bool:
    """Whether what was found stands right behind or before words that deny it as a reason, in whatever language."""
    # The words in front may reach into what was found, for a pattern may begin in the midst of a phrase.
    ahead = (
        one for one in _beside("denied", "before").finditer(sentence, 0, found.end()) if one.end() >= found.start()
    )
    return any(ahead) or _beside("denied", "after").match(sentence, found.end()) is not None


@cache
def _beside(family: str, side: str) -> re.Pattern[str]:
    # Languages that share letters share words, so that one language may find what another one denies.
    patterns = (_matcher(f"phrases.{family}", side, language).pattern for language in _family(f"phrases.{family}"))
    return re.compile("|".join(patterns))


@lru_cache(maxsize=64)
def _sentences(own: str) -> tuple[str, ...]:
    # Lines may be broken for their width, so that only blank lines and list entries end a sentence.
    joined = re.sub(r"(?<=\S)[ \t]*\n(?=[^\s*•·▪◦\d-])", " ", own)
    return tuple(filter(None, map(fold, _SENTENCE.split(joined))))


def _family(family: str) -> dict[str, dict[str, list[str]]]:
    file, name = family.split(".")
    return shared_table(f"lexicons/{file}")[name]


@cache
def _matcher(family: str, key: str, language: str) -> re.Pattern[str]:
    rows = _family(family)[language]

    def piece(match: re.Match[str]) -> str:
        return f"(?:{'|'.join(rows[match[1]])})"

    patterns = (_either_order(fold(_PIECE.sub(piece, row))) for row in rows.get(key, ()))
    return re.compile("|".join(patterns) or _NEVER)


def _either_order(pattern: str) -> str:
    return "|".join(_NEAR.join(order) for order in permutations(pattern.split(" <> ")))
