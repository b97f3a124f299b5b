"""What the user says of a two-leg journey: the request, the boundary, answers to questions, decisions."""

from __future__ import annotations

from agentbench_env.draw import Draw
from agentbench_env.money import Money
from agentbench_env.text import render as writing
from agentbench_tasks.commons.speech import Speech
from agentbench_tasks.commons.texts import CountSlot, say
from agentbench_tasks.travel.domain.geography import city_name, points
from agentbench_tasks.travel.domain.records import name_in
from agentbench_tasks.travel.domain.two_leg.plot import Plot
from agentbench_tasks.travel.domain.two_leg.rules import Wish


class Words(Speech):
    """The user's sentences in one language.

    Args:
        plot: the story.
        wish: the request.
        card: brand of the credit card.
        gender, draw, language: as in `Speech`.
    """

    def __init__(self, plot: Plot, wish: Wish, card: str, gender: str, draw: Draw, language: str) -> None:
        super().__init__("two_leg", gender, draw, language, card=card)
        self._plot, self._wish = plot, wish

    def request(self) -> str:
        """The whole request: every condition once, the opening first and what to deliver last."""
        wish = self._wish
        self._begin("request")
        middle = [self._arrival(), self._budget(), self._bag(), self._piece("pay_credit")]
        if wish.shape == "connect":
            middle += [self._piece("connection_min")]
            middle += [self._piece("separate_ok")] if self._draw.chance(0.5) else []
        if wish.max_gap:
            hours = writing.count(wish.max_gap // 60, "hour", self._language)
            middle.append(self._piece("connection_max", hours=hours))
        if wish.economy:
            middle.append(self._piece("cabin_economy"))
        if wish.nonstop_leg:
            middle.append(self._piece("nonstop_leg", leg_name=self._leg(wish.nonstop_leg)))
        if wish.refundable_leg:
            middle.append(self._piece("refundable", leg_name=self._leg(wish.refundable_leg)))
        end = [self._piece(f"mode_{wish.mode}"), self._piece("answer_format"), *self._probe()]
        sentences = [self._opening(), *self._draw.shuffled(middle), *end]
        return self._join(sentences)

    def boundary(self) -> str:
        """The boundary in the user's words."""
        self._begin("boundary")
        return self._piece(f"boundary_{self._wish.mode}")

    def reply(self, topic: str) -> str:
        """The answer to a question."""
        wish = self._wish
        if topic == "second_airport":
            kind = "second_airport_not" if wish.excluded_point else "second_airport_any"
            return self._say("replies", kind, airport=self._point(wish.excluded_point))
        if topic == "night_transfer":
            kind = "night_transfer_not_before" if wish.not_before else "night_transfer_any"
            return self._say("replies", kind, time=self._time(wish.not_before))
        return self._say("replies", topic, kg=self._kg(), budget=self._money(wish.budget))

    def decision(self, kind: str) -> str:
        """The words of a decision."""
        wish = self._wish
        return self._say(
            "decisions",
            kind,
            budget=self._money(wish.budget),
            kg=self._kg(),
            airport=self._point(wish.excluded_point),
            time=self._time(wish.not_before),
        )

    # --- pieces

    def _opening(self) -> str:
        wish, language = self._wish, self._language
        origin, via, dest = (city_name(city, language) for city in self._plot.ends)
        one_day = wish.depart_from == wish.depart_to
        return self._piece(
            f"open_{wish.shape}{'_one_day' if one_day else ''}",
            party=self._party(),
            origin=origin,
            via=via,
            dest=dest,
            nights=writing.count(wish.nights, "night", language),
            depart_from=self._date(wish.depart_from),
            depart_to=self._date(wish.depart_to),
            depart_on=self._date(wish.depart_from),
        )

    def _party(self) -> str:
        party = self._wish.party
        if party.child_ages:
            return self._say("parties", "party_two_one_child", age=str(party.child_ages[0]))
        return self._say("parties", "party_one" if party.adults == 1 else "party_two")

    def _arrival(self) -> str:
        wish = self._wish
        return self._piece(
            "arrive_by",
            place=city_name(self._plot.ends[2], self._language),
            date=self._date(wish.arrive_on),
            from_time=self._time(wish.arrive_from),
            to_time=self._time(wish.arrive_to),
        )

    def _budget(self) -> str:
        return self._piece("budget", amount=self._money(self._wish.budget))

    def _bag(self) -> str:
        return self._piece("bag_one" if self._wish.bag_each else "bag_shared", kg=self._kg())

    def _leg(self, number: int) -> str:
        return self._say("legs", f"leg_{number}")

    def _kg(self) -> str:
        return say(CountSlot(self._wish.bag_kg, "kg"), self._language)

    def _money(self, money: Money) -> str:
        return writing.money(money.minor, money.currency, self._language)

    def _date(self, day: str) -> str:
        return writing.date(day, self._language)

    def _time(self, clock: str) -> str:
        return writing.time(clock, self._language) if clock else ""

    def _point(self, code: str) -> str:
        return name_in(points()[code].names, self._language) if code else ""
