"""The order of a thread: who writes what, before times are known. Groups of beats stay together."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from agentbench_env.draw import Draw
from agentbench_tasks.calendar_mail.domain.people import Person
from agentbench_tasks.calendar_mail.domain.versions.circle import Circle
from agentbench_tasks.calendar_mail.domain.versions.plot import Plot
from agentbench_tasks.calendar_mail.domain.versions.talk import Talk

MAIN = "main"
BRANCH, WRONG = "main.branch", "main.wrong"


class Beat(msgspec.Struct, gc=False):
    """One mail of the thread: which text, by whom, to whom, and the contents that it carries."""

    kind: str
    writer: Person
    reader: Person
    contents: tuple[str, ...] = ()
    other: str = ""
    """Which paper beside the main document it is about."""
    soon: bool = False
    """Whether it follows within the hour."""
    late: bool = False
    """Whether it is written on an evening that is the user's next day."""
    reply_to: Beat | None = None
    copied: bool = False
    """Whether its file bears the name of a copy."""
    wording: int = -1
    """Which wording it has where that is fixed: talk that is about no version."""

    @property
    def is_talk(self) -> bool:
        """Whether it is about no version."""
        return self.wording >= 0


Group = list[Beat]


def version(number: int) -> str:
    """Return the name of the content of a version of the main document."""
    return f"{MAIN}.{number}"


class Order:
    """Puts the beats of a thread into an order."""

    def __init__(self, draw: Draw, plot: Plot, circle: Circle) -> None:
        self._draw, self._plot, self._circle = draw, plot, circle
        self._keepers: dict[str, Person] = {}
        """Who keeps each paper beside the main document."""
        self._bringer = circle.owner
        """Who brings the current version."""

    def beats(self) -> list[Beat]:
        """Return every mail of the thread in order."""
        plot, draw = self._plot, self._draw
        core = self._versions()
        early = [[self._folder()]]
        for other in plot.others:
            self._keepers[other] = draw.choice(self._circle.editors)
            early.append([self._other("other_first", self._keepers[other], other, 1)])
        groups = core[:1] + _interleaved(draw, core[1:-1], early) + core[-1:] + self._after()
        last = groups.pop() if plot.has("forward_old_date") else []
        written = sum(map(len, groups)) + len(last)
        talk = Talk(draw, self._circle.everybody)
        for pair in talk.units(plot.mails - written):
            # The thread opens with the document, and its last file may be the very last mail.
            beats = [Beat(kind, writer, reader, wording=wording) for kind, wording, writer, reader in pair]
            place = draw.int(1, len(groups))
            groups.insert(place, beats[:1])
            if len(beats) == 2:
                beats[1].reply_to = beats[0]
                groups.insert(place + draw.int(1, 3), beats[1:])
        return [beat for group in (*groups, last) for beat in group]

    def _versions(self) -> list[Group]:
        plot, circle = self._plot, self._circle
        groups = [[Beat("open", circle.owner, circle.editors[0], (version(1),))]]
        for number, step in enumerate(plot.steps, 2):
            current = number == plot.versions
            if plot.has("in_file_table") and number >= plot.versions - 1:
                if current:
                    both = (version(number - 1), version(number))
                    late = plot.has("day_edge")
                    drawn = tuple(self._draw.shuffled(both))
                    groups.append([Beat("two_states", circle.owner, circle.editors[0], drawn, late=late)])
                continue
            late = current and plot.has("day_edge")
            if step == "announce":
                groups.append([Beat("announce", circle.owner, circle.editors[0], (version(number),), late=late)])
                continue
            editor = circle.abroad if late and circle.abroad else self._draw.choice(circle.editors)
            self._bringer = editor if current else self._bringer
            proposal = Beat("propose", editor, circle.owner, (version(number),), late=late)
            groups.append([proposal, Beat("adopt", circle.owner, editor, reply_to=proposal)])
        return groups

    def _after(self) -> list[Group]:
        """What is written after the current version: the traps, and an attachment that nobody takes for a version."""
        plot, draw, circle = self._plot, self._draw, self._circle
        owner, editors = circle.owner, circle.editors
        old = version(draw.int(1, plot.versions - (2 if plot.has("in_file_table") else 1)))
        groups: list[Group] = []
        if plot.has("reattached_old"):
            groups.append([Beat("reattached", draw.choice(editors), circle.user, (old,))])
        if plot.has("other_document_newer"):
            other = draw.choice(plot.others)
            groups.append([self._other("other_revised", self._keepers[other], other, 2)])
        if plot.has("withdrawn"):
            wrong = Beat("wrong_file", owner, editors[0], (WRONG,))
            groups.append([wrong, Beat("withdraw", owner, editors[0], soon=True, reply_to=wrong)])
        if plot.has("branch"):
            editor = draw.choice(editors)
            edit = Beat("branch", editor, owner, (BRANCH,))
            groups.append([edit, Beat("discard", owner, editor, reply_to=edit)])
        if plot.has("duplicate_resend"):
            again = [person for person in editors if person is not self._bringer]
            current = (version(plot.versions),)
            groups.append([Beat("resend", draw.choice(again), circle.user, current, copied=draw.chance(0.5))])
        groups = draw.shuffled(groups)
        scan = [self._other("other_first", draw.choice(editors), "scan", 1)]
        groups.insert(draw.int(0, len(groups)), scan)
        if groups[-1][0].kind == "resend":
            # The last file of a thread is next to never the current one.
            groups.append(groups.pop(groups.index(scan)))
        if plot.has("forward_old_date"):
            groups.append([Beat("forward_old", draw.choice(editors), circle.user, (old,))])
        return groups

    def _folder(self) -> Beat:
        insiders = [person for person in self._circle.editors if person.contact.is_internal]
        return Beat("folder", self._draw.choice(insiders or self._circle.editors), self._circle.user)

    def _other(self, kind: str, writer: Person, other: str, number: int) -> Beat:
        return Beat(kind, writer, self._circle.owner, (f"{other}.{number}",), other=other)


def _interleaved(draw: Draw, first: Sequence[Group], second: Sequence[Group]) -> list[Group]:
    """Return both in one list; the first keep their order."""
    groups = list(first)
    for group in second:
        groups.insert(draw.int(0, len(groups)), group)
    return groups
