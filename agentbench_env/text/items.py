"""What a note lists: its body split into entries, the threads that they list and the people whom they name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from agentbench_env.text.facts import ids, names
from agentbench_env.text.fold import fold
from agentbench_env.text.own import own_text

_BULLET: Final = re.compile(
    r"(?:[-–—*•·▪◦‣⁃■□●○◆◇▶▷※→➤✓✔☐☑]+|\(?[0-9０-９]{1,2}[.)、．](?!\d)|\d️⃣|[①-⑳]|[가-하][.)]|[a-zA-Z][.)]|[一二三四五六七八九十]{1,2}[、.．]"
    r"|[（(][一二三四五六七八九十\d]{1,2}[)）])\s*"
)
# A line right below an entry that goes on about it: Owner: Jun Lim, → 담당: 박지훈.
_MORE: Final = re.compile(r"\s*(?:[-–—]*[>→⇒]|[^\W\d][^\d:：\n\[\]]{0,24}\s*[:：]\s*\S)")
_RULE: Final = re.compile(r"\s*\|?[\s:|+-]{3,}\|?\s*")
# A few words, or more with a colon, but no sentence and no salutation.
_HEADING: Final = re.compile(r"[^。.!?,、,，،]{1,60}[:：]\s*|[^。.!?,、,，،]{1,30}")
_SAME: Final = 12
"""How many characters of a subject in a row tell which thread is meant."""
_SHORTEST: Final = 6


class Item(NamedTuple):
    """An entry of a note: its own lines, and how deep it stands below the entries before it."""

    text: str
    depth: int
    heading: bool = False
    """Whether it is a line above a list rather than an entry of one."""


def items(body: str) -> list[Item]:
    """Split the writer's own words into entries: lines, bullets, numbers, rows of a table; each with its nested lines.

    A nested line with a bullet is an entry of its own, deeper than the one it stands under.
    """
    found: list[Item] = []
    blank = True
    for line in own_text(body).expandtabs(4).split("\n"):
        if not line.strip() or _RULE.fullmatch(line):
            blank = True
            continue
        indent = len(line) - len(line.lstrip(" \u3000"))
        words = line.strip()
        bullet = _BULLET.match(words)
        last = found[-1] if found else None
        if last is not None and not bullet and _continues(last, line, indent, blank=blank):
            found[-1] = last._replace(text=f"{last.text}\n{words}")
        else:
            depth = 2 * indent + 1 if bullet or words.startswith("|") else 2 * indent
            found.append(Item(words[bullet.end() :] if bullet else words, depth, not bullet))
        blank = False
    return found


def _continues(last: Item, line: str, indent: int, *, blank: bool) -> bool:
    """Whether a line without a bullet belongs to the entry before it."""
    if 2 * indent > last.depth and not last.heading:
        return True
    if blank or line.lstrip().startswith("|") or last.text.startswith("|"):
        return False
    if line.rstrip().endswith((":", "：")):
        return False
    return not last.heading or _MORE.match(line) is not None


def lists(item: Item | str, code: str, subject_root: str) -> bool:
    """Whether an entry means the thread: by its reference code, or by twelve characters of its subject in a row."""
    text = item if isinstance(item, str) else item.text
    if code and ids.places(text, code):
        return True
    entry, subject = fold(text), fold(subject_root)
    size = min(_SAME, len(subject))
    if size < _SHORTEST:
        return False
    return any(subject[start : start + size] in entry for start in range(len(subject) - size + 1))


def names_in(item: Item | str, people: Mapping[str, Sequence[str]]) -> set[str]:
    """Who of `people`, each with the accepted forms of their name, an entry names."""
    return names.who(item if isinstance(item, str) else item.text, people)


def listed(
    body: str, threads: Mapping[str, tuple[str, str]], people: Mapping[str, Sequence[str]]
) -> dict[str, set[str]]:
    """Return the threads (code and subject root) that a note lists, each with the people named for it.

    They are named in the entry or the lines nested under it; failing that, in the heading that the entry stands under.
    A name that may as well be a word of the subject counts where no other is found.
    """
    entries = items(body)
    meant = [{key for key, (code, root) in threads.items() if lists(entry, code, root)} for entry in entries]
    found: dict[str, set[str]] = {}
    for place, keys in enumerate(meant):
        if not keys:
            continue
        named = names_in(entries[place], _apart(people, [threads[key][1] for key in keys]))
        for below in _nested(entries, place):
            if meant[below]:
                break
            named |= names_in(entries[below], people)
        for above in _above(entries, place):
            if named:
                break
            if not meant[above] and _HEADING.fullmatch(entries[above].text):
                named = names_in(entries[above], people)
        named = named or names_in(entries[place], people)
        for key in sorted(keys):
            found[key] = found.get(key, set()) | named
    return found


def _apart(people: Mapping[str, Sequence[str]], subjects: Sequence[str]) -> Mapping[str, Sequence[str]]:
    """The forms of names without those that stand in a subject, where they mean nobody: Ali, in Jebel Ali."""
    if not any(names.who(subject, people) for subject in subjects):
        return people
    return {
        key: [form for form in forms if not any(names.occurs(form, subject) for subject in subjects)]
        for key, forms in people.items()
    }


def _nested(entries: Sequence[Item], place: int) -> Iterator[int]:
    for below in range(place + 1, len(entries)):
        if entries[below].depth <= entries[place].depth or entries[below].heading:
            return
        yield below


def _above(entries: Sequence[Item], place: int) -> Iterator[int]:
    """The entries that this one stands under, the nearest first."""
    depth = entries[place].depth
    for above in range(place - 1, -1, -1):
        if entries[above].depth < depth:
            depth = entries[above].depth
            yield above
