"""What the user says of a leave: the request, the boundary, answers to questions, decisions."""

from __future__ import annotations

from agentbench_env.draw import Draw
from agentbench_env.text import render as writing
from agentbench_tasks.calendar_mail.domain.handover.build import Built
from agentbench_tasks.calendar_mail.domain.handover.matters import FILE
from agentbench_tasks.calendar_mail.domain.letters import particles_of
from agentbench_tasks.calendar_mail.domain.people import Person, address_forms
from agentbench_tasks.commons.speech import Speech


class Words(Speech):
    """The user's sentences in one language about what was built; `Speech` tells of the arguments."""

    def __init__(self, built: Built, draw: Draw, language: str) -> None:
        colleague = called(built.colleague, language)
        gender = built.office.user.name.gender
        own = particles_of(gender, language)
        super().__init__(FILE, gender, draw, language, colleague=colleague, cabinet=built.cabinet, **own)
        self._told = built.plot.told

    def request(self) -> str:
        """The whole request: the leave first, what not to do last."""
        draw, told = self._begin("request"), self._told
        if told.first == told.last:
            opening = self._piece("open_one", date=writing.date(told.first, self._language, "month_day"))
        else:
            opening = self._piece(
                "open_more", dates=writing.date_range(told.first, told.last, self._language, "month_day")
            )
        tasks = [self._piece("autoreply"), self._join([self._piece("note"), self._piece("only")])]
        return self._join(
            [opening, self._piece("approved"), *draw.shuffled(tasks), self._piece("not_yet"), *self._probe()]
        )


def called(person: Person, language: str) -> str:
    """How a colleague is called in a language, by the whole name where it is one that they do not write."""
    if language not in person.contact.languages:
        return person.name.latin
    return address_forms(person.name, "peer", person.contact.title, (language,))[0]


def named(person: Person, language: str) -> str:
    """The whole name of a colleague in a language, without a form of address."""
    return person.contact.display_name if language in person.contact.languages else person.name.latin
