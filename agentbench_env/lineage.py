"""The lineage: one hash-chained entry a step, with what it showed, what it changed, where its values came from."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import Any

import msgspec

from agentbench_env.tool import Effect
from agentbench_env.world import Change, canonical

GENESIS = "0" * 64
_WORD = re.compile(r"[\w.:+@-]+")


class Shown(msgspec.Struct, frozen=True, gc=False):
    """A record that a result printed, and which of its facts; no keys mean all of them."""

    id: str
    keys: tuple[str, ...] = ()


class Entry(msgspec.Struct, frozen=True, gc=False):
    """What one step did.

    `at` is the in-world instant in seconds since the Unix epoch, `effect` the strongest effect that the call really
    had ("" if it was refused; where a reply was lost there is an error and an effect), `approval` the id of the
    approval it used, `digest` the SHA-256 of the result's text.
    """

    index: int
    at: int
    actor: str
    tool: str
    arguments: str
    error: str
    effect: Effect | str
    digest: str
    shown: tuple[Shown, ...]
    changes: tuple[Change, ...]
    approval: str
    previous: str
    hash: str = ""

    @property
    def ok(self) -> bool:
        """Whether the call was carried out, its reply lost or not."""
        return not self.error or bool(self.effect)

    def sealed(self) -> Entry:
        """Return the entry with the hash over everything else in it."""
        return msgspec.structs.replace(self, hash=sha256(canonical(self)).hexdigest())


class Lineage:
    """The entries of an episode, in order. Read-only for whoever is handed it."""

    __slots__ = ("_contents", "_entries")

    def __init__(self, brief: str) -> None:
        self._entries: list[Entry] = []
        self._contents: list[str] = [brief]

    def __len__(self) -> int:
        return len(self._entries)

    def __iter__(self) -> Iterator[Entry]:
        return iter(self._entries)

    def __getitem__(self, index: int) -> Entry:
        return self._entries[index]

    @property
    def head(self) -> str:
        """The hash of the last entry; before the first one, the hash of the brief."""
        return self._entries[-1].hash if self._entries else sha256(self._contents[0].encode()).hexdigest()

    def _append(self, entry: Entry, content: str) -> None:
        self._entries.append(entry.sealed())
        self._contents.append(content)

    def _copy(self) -> Lineage:
        twin = Lineage("")
        twin._entries, twin._contents = self._entries.copy(), self._contents.copy()
        return twin

    def content(self, index: int) -> str:
        """Return the text that step `index` returned (-1: the brief)."""
        return self._contents[index + 1]

    def verify(self) -> bool:
        """Recompute every hash; False if any entry or result was changed, dropped, added or moved."""
        previous = sha256(self._contents[0].encode()).hexdigest()
        for index, entry in enumerate(self._entries):
            bare = msgspec.structs.replace(entry, hash="")
            same_text = sha256(self._contents[index + 1].encode()).hexdigest() == entry.digest
            if entry.index != index or entry.previous != previous or not same_text or bare.sealed().hash != entry.hash:
                return False
            previous = entry.hash
        return len(self._contents) == len(self._entries) + 1

    def provenance(self, index: int) -> dict[str, str]:
        """Say for each argument of step `index` where its value was first seen.

        Returns:
            Path of the argument (`items.0.price`) -> `brief`, `step 3` (that step's result) or `nowhere`.
        """
        return first_seen(json.loads(self._entries[index].arguments), self._contents[: index + 1])

    def export(self) -> list[dict[str, Any]]:
        """Return the entries as plain JSON values."""
        return msgspec.json.decode(msgspec.json.encode(self._entries))


def first_seen(arguments: Any, contents: Sequence[str]) -> dict[str, str]:
    """Say for each argument where its value was first seen: in the brief, `contents[0]`, or in a result after it.

    Returns:
        As `Lineage.provenance`.
    """
    found: dict[str, str] = {}
    for path, value in _leaves(arguments):
        text = value if isinstance(value, str) else json.dumps(value)
        places = (_place(number) for number, content in enumerate(contents) if _stands_in(text, content))
        found[path] = next(places, "nowhere")
    return found


def _place(number: int) -> str:
    return "brief" if number == 0 else f"step {number - 1}"


def _stands_in(text: str, content: str) -> bool:
    if not text:
        return True
    quoted = json.dumps(text, ensure_ascii=False)[1:-1]
    start = content.find(quoted)
    while start >= 0:
        before, after = content[start - 1 : start], content[start + len(quoted) : start + len(quoted) + 1]
        if not (_is_word(before) and _is_word(quoted[0])) and not (_is_word(after) and _is_word(quoted[-1])):
            return True
        start = content.find(quoted, start + 1)
    return False


def _is_word(character: str) -> bool:
    # Scripts without spaces have no word edges to look for.
    return bool(character) and character.isascii() and bool(_WORD.fullmatch(character))


def _nested(text: str) -> Any:
    """The object or list that a text is, as in arguments given as JSON; None if it is another text."""
    if text[:1] not in ("{", "["):
        return None
    try:
        return json.loads(text)
    except ValueError:
        return None


def _leaves(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict):
        for key, child in value.items():
            yield from _leaves(child, f"{path}.{key}" if path else key)
    elif isinstance(value, list):
        for number, child in enumerate(value):
            yield from _leaves(child, f"{path}.{number}" if path else str(number))
    elif isinstance(value, str) and (nested := _nested(value)) is not None:
        yield from _leaves(nested, path)
    elif value not in (None, "", [], {}):
        yield path, value
