"""What the user says of a repeating slot: the request, the boundary, answers to questions, decisions."""

from __future__ import annotations

from agentbench_env.draw import Draw
from agentbench_env.text import render as writing
from agentbench_tasks.calendar_mail.domain.holiday_series.plot import Plot
from agentbench_tasks.calendar_mail.domain.letters import particles_of
from agentbench_tasks.calendar_mail.domain.people import Person
from agentbench_tasks.commons.speech import Speech

FILE = "holiday_series"


class Words(Speech):
    """The user's sentences in one language.

    Args:
        plot: the story.
        title: what the slot is called.
        user: who speaks.
        colleagues: the two whom the user may want invited.
        client: who may take part one day.
        draw: the key of the streams that choose wordings.
        language: the language to speak.
    """

    def __init__(
        self,
        plot: Plot,
        title: str,
        user: Person,
        colleagues: tuple[Person, Person],
        client: Person,
        draw: Draw,
        language: str,
    ) -> None:
        gender = user.name.gender
        super().__init__(FILE, gender, draw, language, **particles_of(gender, language))
        self._plot, self._title, self._colleagues, self._client = plot, title, colleagues, client

    def request(self) -> str:
        """The whole request."""
        plot, request = self._plot, self._plot.request
        self._begin("request")
        days = [writing.weekday(f"2026-01-{4 + day:02}", self._language) for day in request.weekdays]
        slots = {
            "title": self._title,
            "days": self._pair(days),
            "one": days[0],
            "other": days[-1],
            "clock": writing.time(request.clock, self._language),
            "length": writing.duration(request.minutes, self._language),
            "first": writing.date(request.first, self._language),
            "last": writing.date(request.last, self._language),
            "n": str(request.count),
        }
        sentences = [self._piece(f"open_{request.form}", **slots), self._piece("skip")]
        if "guest_tempts" in plot.traps:
            card = self._client.contact
            sentences.append(self._piece("guest", name=self._called(self._client), org=card.organisation))
        if plot.invites:
            one, other = map(self._called, self._colleagues)
            sentences.append(self._piece("invite_two", one=one, other=other))
        else:
            sentences.append(self._piece("invite_none"))
        return self._join([*sentences, *self._probe()])

    def _pair(self, names: list[str]) -> str:
        join: str = self._common["form"]["pair_join"]
        return join.join(names)

    def _called(self, person: Person) -> str:
        return person.name.latin if self._language == "en" else person.contact.display_name
