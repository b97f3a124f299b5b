"""What the user says of an enquiry: the request, the boundary, answers to questions, decisions."""

from __future__ import annotations

from agentbench_env.draw import Draw
from agentbench_env.market import shared_table
from agentbench_tasks.commons.speech import Speech
from agentbench_tasks.commons.texts import say
from agentbench_tasks.reservations.domain.market import in_language
from agentbench_tasks.reservations.domain.quote.build import FILE, Built
from agentbench_tasks.reservations.domain.quote.keys import ANSWERABLE, SPOKEN
from agentbench_tasks.reservations.domain.quote_facts import QuoteFact, fact_words
from agentbench_tasks.reservations.domain.quote_page import named


class Words(Speech):
    """The user's sentences in one language about what was built; `Speech` tells of the arguments."""

    def __init__(self, built: Built, draw: Draw, language: str) -> None:
        super().__init__(FILE, built.user.gender, draw, language)
        self._built = built

    def request(self) -> str:
        """The whole request: the job, which firm, when, and that the user will look it over."""
        self._begin("request")
        built, plot = self._built, self._built.plot
        spoken = built.estate.spoken
        sentences = [self._piece(f"job_{plot.trade}")]
        sentences += [
            self._piece(f"spoken_{key}", value=self._value(QuoteFact(key, spoken[key])))
            for key in SPOKEN
            if key in spoken
        ]
        sentences.append(
            self._piece(
                "firm",
                district=in_language(built.quarter.district.names, self._language),
                skill=named("capabilities", (plot.skill,), self._language),
            )
        )
        join: str = shared_table(f"text/{self._language}/common")["form"]["list_join"]
        free = join.join(self._value(one.fact) for one in built.when.free)
        sentences += [self._piece("free", free=free), self._piece("details"), self._piece("draft")]
        return self._join([*sentences, *self._probe()])

    def reply(self, topic: str) -> str:
        """The answer to a question: what no paper has, if the user knows it."""
        asked = self._built.estate.asked
        if asked and topic == asked.key:
            return self._say("replies", "known", value=self._value(asked))
        return self._say("replies", "in_papers" if topic in ANSWERABLE else topic)

    def _value(self, fact: QuoteFact) -> str:
        return say(fact_words(fact, self._language), self._language)
