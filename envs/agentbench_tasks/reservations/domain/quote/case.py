"""The case of an enquiry, and what the assistant wrote."""

from __future__ import annotations

import json
from datetime import date

from agentbench_env.episode import Episode
from agentbench_env.text.language import language_of
from agentbench_env.text.own import own_text
from agentbench_env.world import World
from agentbench_env.zones import to_local
from agentbench_tasks.commons.errand import BuiltCase
from agentbench_tasks.commons.written import without
from agentbench_tasks.reservations.domain.belongings import belongings
from agentbench_tasks.reservations.domain.letters import Letter, letters
from agentbench_tasks.reservations.domain.messages import MsgSendDraft
from agentbench_tasks.reservations.domain.places import Mark, Place
from agentbench_tasks.reservations.domain.quote.answer import QuoteAnswer
from agentbench_tasks.reservations.domain.quote.build import Built
from agentbench_tasks.reservations.domain.quote.goal import Goal
from agentbench_tasks.reservations.domain.quote.words import Words


class QuoteCase(BuiltCase[Built, Words], frozen=True):
    """Everything that an instance of the enquiry fixes."""

    @property
    def goal(self) -> Goal:
        """What is right."""
        return self.built.goal

    @property
    def today(self) -> date:
        """The day on which letters are written."""
        return self.built.when.today

    def goal_for(self, place_id: str) -> Goal:
        """What a letter to a place is judged by: what that firm of the trade asks, else what the right one does."""
        firms = self.built.cast.of_trade
        return next((self.built.goal_of(firm) for firm in firms if firm.place.id == place_id), self.goal)

    def names(self) -> tuple[str, ...]:
        """Names that stand in letters in whatever script, and are no change of language."""
        user = self.built.user
        places = [firm.place for firm in self.built.cast.everybody]
        found = [*user.accepted_names, user.name.native, user.name.latin, user.home]
        found += [name for place in places for name in (place.name.local, place.name.latin)]
        found += [name for mark in self.start.all(Mark) for name in (mark.name.local, mark.name.latin)]
        return (*found, *belongings(self.built.town.setting.market.code).makers)


class Enquiry:
    """The message that the answer names, as it stands at the end."""

    def __init__(self, case: QuoteCase, ep: Episode) -> None:
        self.case, self.ep = case, ep
        assert isinstance(ep.answer, QuoteAnswer)
        self.answer = ep.answer

    @property
    def letter(self) -> Letter | None:
        """The message, by the id of its draft or, once it was sent, of either."""
        id = self.answer.draft_id.strip()
        sent = [entry for entry in self.ep.calls(MsgSendDraft) if json.loads(entry.arguments)["draft_id"] == id]
        ids = {id, *(change.id for entry in sent for change in entry.changes)}
        return next((letter for letter in letters(self.ep.world) if letter.id in ids), None)

    @property
    def to_firms(self) -> list[Letter]:
        """All messages to firms."""
        return [letter for letter in letters(self.ep.world) if _is_firm(self.ep.world, letter.recipient_id)]

    def goal(self, letter: Letter) -> Goal:
        """What the message is judged by."""
        return self.case.goal_for(letter.recipient_id)

    def language(self, letter: Letter) -> str:
        """The language of the message."""
        names = sorted(self.case.names(), key=len, reverse=True)
        return language_of(without(own_text(letter.body), names))

    @property
    def day(self) -> date:
        """The day on which it was written."""
        world = self.ep.world
        return date.fromisoformat(to_local(world.now, world.zone)[:10])


def _is_firm(world: World, id: str) -> bool:
    place = world.find(id)
    return isinstance(place, Place) and place.kind == "home_service"
