"""What the user says of a booking to be moved: the request, the boundary, answers to questions, decisions."""

from __future__ import annotations

from agentbench_env.draw import Draw
from agentbench_env.market import shared_table
from agentbench_env.text import render as writing
from agentbench_tasks.commons.speech import Speech
from agentbench_tasks.travel.domain.geography import city_name, points
from agentbench_tasks.travel.domain.modification.deal import Deal, Stay
from agentbench_tasks.travel.domain.modification.papers import FILE, Papers
from agentbench_tasks.travel.domain.records import Service, name_in
from agentbench_tasks.travel.domain.stay_papers import FILE as STAYS


class Words(Speech):
    """The user's sentences in one language.

    Args:
        deal: what is to be moved.
        papers: its bookings and names.
        draw: the key of the streams that choose wordings: the same each time they are asked for.
        language: the language to speak.
    """

    def __init__(self, deal: Deal, papers: Papers, draw: Draw, language: str) -> None:
        self._deal, self._language = deal, language
        said = papers.suppliers_own if deal.shape.suppliers and papers.suppliers_own else papers.booking
        slots = {
            "locator": said.locator,
            "supplier": name_in(papers.names, language),
            "agency": name_in(deal.agency.names, language) if deal.agency else "",
            "party": shared_table(f"text/{language}/{STAYS}")["parties"][f"adults_{deal.party}"],
            **(self._of_stay(deal.about) if isinstance(deal.about, Stay) else self._of_trip()),
        }
        super().__init__(FILE, papers.traveller.name.gender, draw, language, **slots)

    def _of_stay(self, stay: Stay) -> dict[str, str]:
        language = self._language
        _, first, last = stay.old.stay
        return {
            "house": name_in(stay.house.record.names, language),
            "city": city_name(stay.house.record.city_id, language),
            "room": name_in(stay.room.names, language),
            "board": shared_table(f"text/{language}/{STAYS}")["boards"][stay.board],
            "dates": writing.date_range(first, last, language),
            "new_dates": writing.date_range(*stay.new, language),
        }

    def _of_trip(self) -> dict[str, str]:
        found: dict[str, str] = {}
        for place, one in zip(("", "back_"), self._deal.moved, strict=False):
            assert isinstance(one.old, Service)
            assert isinstance(one.new, Service)
            ends = {"origin": one.old.origin, "dest": one.old.dest}
            found |= {f"{place}{name}": city_name(points()[code].city, self._language) for name, code in ends.items()}
            found[f"{place}number"] = one.old.number
            found[f"{place}date"] = writing.date(one.old.dep_local[:10], self._language)
            found[f"{place}new_date"] = writing.date(one.new.dep_local[:10], self._language)
        return found

    def request(self) -> str:
        """The whole request."""
        self._begin("request")
        deal = self._deal
        kind = "stay" if isinstance(deal.about, Stay) else "one" if len(deal.moved) == 1 else "two"
        same = "keep_stay" if kind == "stay" else "keep_fare"
        pieces = [self._piece(f"open_{kind}"), *(self._piece(name) for name in (same, "ask"))]
        return self._join(pieces)

    def reply(self, topic: str) -> str:
        """The answer to a question."""
        if topic == "who_booked":
            topic = "who_booked_agency" if self._deal.agency else "who_booked_direct"
        elif topic == "must_keep":
            topic = "must_keep_stay" if isinstance(self._deal.about, Stay) else "must_keep_fare"
        return super().reply(topic)
