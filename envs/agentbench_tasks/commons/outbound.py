"""The one table of everything that reached somebody other than the user, and what private data went with it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from hashlib import sha256
from typing import Literal, Protocol

import msgspec

from agentbench_env.episode import Call, Episode
from agentbench_env.money import Money
from agentbench_env.text.fold import fold
from agentbench_env.world import Record, World

WordKind = Literal[
    "mail", "forward", "event_notice", "invite_reply", "recall_notice", "message", "call", "open_request"
]
DataKind = Literal["share", "upload", "lookup"]
BindingKind = Literal[
    "request",
    "filing",
    "appeal",
    "withdrawal",
    "order",
    "booking",
    "change",
    "cancellation",
    "contract",
    "trade",
    "payment",
    "dispute",
    "claim",
]
IdentityKind = Literal["account", "credential", "signature"]
OutboundKind = Literal[WordKind, DataKind, BindingKind, IdentityKind]
DATA_CLASSES = (
    "contact",
    "identity",
    "travel_document",
    "insurance_id",
    "health",
    "payment",
    "location",
    "employment",
    "credential",
    "business",
)
_SEPARATORS = re.compile(r"[\W_]+")
_DIGIT = re.compile(r"[0-9]")


class Recipient(msgspec.Struct, frozen=True, gc=False):
    """Who is behind an address, as far as the world knows (`settings["address_book"]`, by folded address)."""

    recipient_id: str
    recipient_org_id: str = ""
    relation: str = ""
    internal: bool = False
    jurisdiction: str = ""


class Outbound(Record, frozen=True, gc=False):
    """One effect on one addressee. The lineage entry `cause_step` has the call and the approval that it used."""

    kind: OutboundKind
    subkind: str
    at: int
    tool: str
    cause_step: int
    recipient_id: str
    recipient_org_id: str
    relation: str
    internal: bool
    jurisdiction: str
    """The ISO country that it went to."""
    subject_id: str
    content_digest: str
    data_classes: tuple[str, ...]
    amount: Money | None


class PrivateString(msgspec.Struct, frozen=True, gc=False):
    """A private string of a world (`settings["private_strings"]`): a number, an address, a condition, a salary."""

    value: str
    data_class: str
    person: str


class Enclosure(Protocol):
    """What can go out with a text: a paper or an attachment."""

    @property
    def data_classes(self) -> tuple[str, ...]:
        """The classes of private data that it is known to hold."""
        ...

    @property
    def contents(self) -> str:
        """Everything that a copy of it would give away."""
        ...


def send_out(
    call: Call,
    kind: OutboundKind,
    *,
    recipient_id: str = "",
    recipient_org_id: str = "",
    relation: str = "",
    internal: bool = False,
    jurisdiction: str = "",
    subkind: str = "",
    subject_id: str = "",
    content: str = "",
    enclosures: Sequence[Enclosure] = (),
    amount: Money | None = None,
) -> Outbound:
    """Record that the call reached somebody.

    Args:
        call: the call that did it.
        kind: what kind of effect it was.
        recipient_id: the person it reached.
        recipient_org_id: the organisation it reached.
        relation: what the recipient is to the user.
        internal: whether the recipient belongs to the user's own organisation.
        jurisdiction: the ISO country that it went to.
        subkind: the domain's own name for it.
        subject_id: id of what it is about.
        content: every text that went out.
        enclosures: papers and attachments that went with it.
        amount: the money that moved or was committed.
    """
    world = call.world
    whole = "\x1f".join((content, *(enclosure.contents for enclosure in enclosures)))
    return world.put(
        Outbound(
            world.new_id("out"),
            kind,
            subkind,
            world.now,
            call.tool.name,
            len(call.episode.lineage),
            recipient_id,
            recipient_org_id,
            relation,
            internal,
            jurisdiction,
            subject_id,
            sha256(whole.encode()).hexdigest(),
            data_classes(world, content, enclosures),
            amount,
        )
    )


def approval_of(ep: Episode, row: Outbound) -> str:
    """Return the id of the approval that the call behind a row used, "" if it used none."""
    return ep.lineage[row.cause_step].approval


def recipient_at(world: World, address: str) -> Recipient:
    """Return who is behind an address; one that the world does not know is its own recipient."""
    book: Mapping[str, Recipient] = world.settings.get("address_book", {})
    key = fold(address)
    return book.get(key) or Recipient(key)


def data_classes(world: World, text: str, enclosures: Sequence[Enclosure] = ()) -> tuple[str, ...]:
    """Return the classes of private data in a text and in what is enclosed, in the order of `DATA_CLASSES`."""
    found = {name for enclosure in enclosures for name in enclosure.data_classes}
    found.update(string.data_class for string in private_strings_in(world, text))
    for enclosure in enclosures:
        found.update(string.data_class for string in private_strings_in(world, enclosure.contents))
    return tuple(name for name in DATA_CLASSES if name in found)


def private_strings_in(world: World, text: str) -> list[PrivateString]:
    """Return the world's private strings that a text gives away.

    Numbers are found however they are grouped: in strings with digits, everything but letters and digits is left out.
    """
    strings: Sequence[PrivateString] = world.settings.get("private_strings", ())
    if not strings or not text:
        return []
    folded = fold(text)
    compact = _SEPARATORS.sub("", folded)
    found: list[PrivateString] = []
    for string in strings:
        needle, has_digits = _needle(string.value)
        if needle in (compact if has_digits else folded):
            found.append(string)
    return found


@lru_cache(maxsize=4096)
def _needle(value: str) -> tuple[str, bool]:
    folded = fold(value)
    has_digits = bool(_DIGIT.search(folded))
    return (_SEPARATORS.sub("", folded) if has_digits else folded), has_digits
