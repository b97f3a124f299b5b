"""The world: frozen records in tables, a clock, and a journal of every change.

The records an instance starts with are never changed and may be shared by any number of worlds (`Start`). A world
keeps only what differs from them, so that a step, a snapshot and a fork cost the same in a small and in a large world.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from hashlib import sha256
from typing import Any, ClassVar, TypeVar

import msgspec

from agentbench_env.draw import opaque_id
from agentbench_env.errors import ToolError
from agentbench_env.zones import to_iso, to_local

_encoder = msgspec.json.Encoder(order="sorted")
_encode = _encoder.encode


class Record(msgspec.Struct, frozen=True, gc=False):
    """One row of a provider's tables. Subclasses add fields; `id` is opaque and unique in the world."""

    id: str

    binds: ClassVar[bool] = False
    """Whether an approval binds to this record's content (drafts, requests, quotes)."""

    def facts(self, world: World) -> Mapping[str, object]:
        """The facts that this record states, by fact key; values are canonical (str, int, bool)."""
        return {}

    def replaces(self, world: World) -> Collection[str]:
        """The ids of the records whose statements this one replaces, older versions of it all the way back."""
        return ()


R = TypeVar("R", bound=Record)


class Change(msgspec.Struct, frozen=True, gc=False):
    """One journal entry: the record before and after, None where there was or is none."""

    table: str
    id: str
    before: Record | None
    after: Record | None


class Start:
    """The records an instance starts with, and the indexes over them; never changed once built."""

    __slots__ = ("_indexes", "_tables", "records")

    def __init__(self, records: Iterable[Record]) -> None:
        self.records: dict[str, Record] = {record.id: record for record in records}
        self._tables: dict[type[Record], tuple[Any, ...]] | None = None
        self._indexes: dict[tuple[type[Record], str], dict[Any, tuple[Any, ...]]] = {}

    def __deepcopy__(self, memo: object) -> Start:
        return self

    def __reduce__(self) -> tuple[object, ...]:
        return Start, (tuple(self.records.values()),)

    def table(self, kind: type[R]) -> tuple[R, ...]:
        """All records of one type, in the order in which they were given."""
        if self._tables is None:
            groups: defaultdict[type[Record], list[Any]] = defaultdict(list)
            for record in self.records.values():
                groups[type(record)].append(record)
            self._tables = {kind: tuple(group) for kind, group in groups.items()}
        return self._tables.get(kind, ())

    def index(self, kind: type[R], field: str) -> dict[Any, tuple[R, ...]]:
        """The records of one type grouped by the value of `field`."""
        key = (kind, field)
        found = self._indexes.get(key)
        if found is None:
            groups: defaultdict[Any, list[R]] = defaultdict(list)
            for record in self.table(kind):
                groups[getattr(record, field)].append(record)
            found = self._indexes[key] = {value: tuple(group) for value, group in groups.items()}
        return found


class World:
    """The only truth of an episode: records, clock, and the journal of what changed.

    Args:
        start: the records at the beginning, shared.
        now: the in-world instant at the beginning, seconds since the Unix epoch.
        zone: the user's home zone (IANA).
        language: the language that providers use towards the user.
        key: text from which ids made during the episode derive.
        settings: anything else that tools of the domain need and that never changes (page size, market code).
    """

    __slots__ = (
        "_added",
        "_overlay",
        "elapsed_ms",
        "journal",
        "key",
        "language",
        "settings",
        "stamps",
        "start",
        "start_at",
        "zone",
    )

    def __init__(
        self,
        start: Start,
        now: int,
        zone: str,
        language: str,
        key: str,
        settings: Mapping[str, Any] | None = None,
    ) -> None:
        self.start, self.start_at, self.zone, self.language, self.key = start, now, zone, language, key
        self.settings: Mapping[str, Any] = settings or {}
        self.elapsed_ms = 0
        self.journal: list[Change] = []
        self.stamps: dict[str, Record] = {}
        self._overlay: dict[type[Record], dict[str, Record | None]] = {}
        self._added = 0

    @property
    def now(self) -> int:
        """The in-world instant, in whole seconds since the Unix epoch."""
        return self.start_at + self.elapsed_ms // 1000

    @property
    def now_iso(self) -> str:
        """The in-world time of the user's home zone with its offset."""
        return to_iso(self.now, self.zone)

    @property
    def today(self) -> str:
        """The ISO date in the user's home zone."""
        return to_local(self.now, self.zone)[:10]

    def find(self, id: str) -> Record | None:
        """Return the record with this id, or None."""
        for rows in self._overlay.values():
            if id in rows:
                return rows[id]
        return self.start.records.get(id) or self.stamps.get(id)

    def get(self, kind: type[R], id: str, field: str = "") -> R:
        """Return the record of this type and id; refuse the call with `unknown_id` if there is none."""
        record = self.find(id)
        if type(record) is not kind:
            raise ToolError("unknown_id", field=field, hint="an id that an earlier result showed")
        return record

    def all(self, kind: type[R]) -> list[R]:
        """Return all records of a type: those of the start in their order, then those made since."""
        rows: Any = self._overlay.get(kind)
        if not rows:
            return list(self.start.table(kind))
        kept = [rows.get(record.id, record) for record in self.start.table(kind)]
        known = self.start.records
        return [*filter(None, kept), *(record for id, record in rows.items() if record and id not in known)]

    def where(self, kind: type[R], field: str, value: object) -> list[R]:
        """Return the records of a type whose `field` equals `value`, through an index over the start."""
        group = self.start.index(kind, field).get(value, ())
        rows: Any = self._overlay.get(kind)
        if not rows:
            return list(group)
        now = [rows.get(record.id, record) for record in group]
        kept = [record for record in now if record is not None and getattr(record, field) == value]
        inside = {record.id for record in group}
        moved = (record for id, record in rows.items() if record and id not in inside)
        return kept + [record for record in moved if getattr(record, field) == value]

    def put(self, record: R) -> R:
        """Add a record or replace the one with its id; journalled."""
        self._change(type(record), record.id, record)
        return record

    def remove(self, record: Record) -> None:
        """Remove a record; journalled."""
        self._change(type(record), record.id, None)

    def _change(self, kind: type[Record], id: str, after: Record | None) -> None:
        before = self.find(id)
        self._overlay.setdefault(kind, {})[id] = after
        self.journal.append(Change(kind.__name__, id, before, after))

    def stamp(self, record: R) -> R:
        """Keep a citable answer outside the state: no journal entry, no effect."""
        self.stamps[record.id] = record
        return record

    def new_id(self, prefix: str) -> str:
        """Return the next id of this world's own sequence."""
        self._added += 1
        return self.stamp_id(prefix, self._added)

    def stamp_id(self, prefix: str, *content: object) -> str:
        """Return the id that belongs to `content`: the same content gives the same id."""
        text = f"{self.key}|{prefix}|{'|'.join(map(str, content))}"
        return opaque_id(prefix, int.from_bytes(sha256(text.encode()).digest()[:5]))

    def undo(self, mark: int) -> None:
        """Take back every change after the first `mark` journal entries."""
        while len(self.journal) > mark:
            change = self.journal.pop()
            record = change.before or change.after
            assert record is not None
            rows = self._overlay[type(record)]
            if change.before is self.start.records.get(change.id):
                rows.pop(change.id, None)
            else:
                rows[change.id] = change.before

    def copy(self) -> World:
        """Return an independent world in the same state, sharing every record."""
        twin = World(self.start, self.start_at, self.zone, self.language, self.key, self.settings)
        twin.restore(self)
        return twin

    def restore(self, other: World) -> None:
        """Take over the state of `other`, a world of the same instance."""
        self.elapsed_ms, self._added = other.elapsed_ms, other._added
        self.journal, self.stamps = other.journal.copy(), other.stamps.copy()
        self._overlay = {kind: rows.copy() for kind, rows in other._overlay.items()}

    def diff(self) -> list[Change]:
        """Return what differs from the start, one entry a record, in the order of first change."""
        first: dict[str, Change] = {}
        for change in self.journal:
            first.setdefault(change.id, change)
        ends = ((change, self.find(change.id)) for change in first.values())
        return [Change(c.table, c.id, c.before, end) for c, end in ends if end != c.before]

    def digest(self) -> str:
        """Hash the whole state: for tests and instance digests, never for judging or per step."""
        lines = _encoder.encode_lines(self.records()).split(b"\n")[:-1]
        return sha256(b"\n".join(sorted(lines))).hexdigest()

    def records(self) -> list[Record]:
        """Return every record there is."""
        # The latest state of a start's record keeps its place; new ones come after.
        now: dict[str, Record | None] = dict(self.start.records)
        for rows in self._overlay.values():
            now.update(rows)
        return [record for record in now.values() if record is not None]


def canonical(value: object) -> bytes:
    """Encode a value as JSON with sorted keys: equal values give equal bytes."""
    return _encode(value)


def content_digest(record: Record) -> str:
    """Hash a record's type and content: what an approval binds to."""
    return sha256(type(record).__name__.encode() + b"\x1f" + canonical(record)).hexdigest()
