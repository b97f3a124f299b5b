"""The user's card: who they are, their cards and memberships, and what they leave to an assistant."""

from __future__ import annotations

from typing import ClassVar

import msgspec

from agentbench_env.episode import Call
from agentbench_env.tool import Tool
from agentbench_tasks.commons.papers import Paper, PaperField
from agentbench_tasks.commons.texts import body_of
from agentbench_tasks.commons.wallet import PaymentMethod


class SavedCard(msgspec.Struct, frozen=True):
    """A card that the user saved."""

    card_id: str
    brand: str
    label: str
    last4: str
    status: str


class Membership(msgspec.Struct, frozen=True):
    """A membership of the user's."""

    paper_id: str
    title: str
    issuer: str
    fields: list[PaperField]


class Delegation(msgspec.Struct, frozen=True):
    """What the user leaves to an assistant, and what not; empty where there is no note."""

    paper_id: str
    text: str


class ProfileCard(msgspec.Struct, frozen=True):
    """What `profile_get_card` returns; the zone and language are those of the user's home."""

    profile_id: str
    fields: list[PaperField]
    text: str
    zone: str
    language: str
    cards: list[SavedCard]
    memberships: list[Membership]
    delegation: Delegation


class ProfileGetCard(Tool):
    """Read the user's profile, saved cards, memberships and the note on what an assistant may do."""

    latency_s: ClassVar[float] = 0.3

    def run(self, call: Call) -> ProfileCard:
        world = call.world
        profile = next(paper for paper in world.where(Paper, "kind", "profile") if paper.status == "active")
        notes = [note for note in world.where(Paper, "kind", "delegation_note") if note.status == "active"]
        memberships = [paper for paper in world.where(Paper, "kind", "membership") if paper.status == "active"]
        cards = [card for card in world.all(PaymentMethod) if card.kind in ("credit", "debit", "prepaid")]
        for record in (profile, *notes[:1], *memberships, *cards):
            call.show(record.id)
        return ProfileCard(
            profile.id,
            _fields(profile),
            body_of(profile.text),
            world.zone,
            world.language,
            [SavedCard(card.id, card.brand, card.label, card.last4, card.status) for card in cards],
            [Membership(paper.id, paper.title, paper.issuer, _fields(paper)) for paper in memberships],
            Delegation(notes[0].id, body_of(notes[0].text)) if notes else Delegation("", ""),
        )


def _fields(paper: Paper) -> list[PaperField]:
    return [PaperField(name, value) for name, value in paper.fields]
