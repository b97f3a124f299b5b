"""The order of a thread: who writes what, before times are known."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from agentbench_env.draw import Draw
from agentbench_tasks.calendar_mail.domain.agenda.plot import Meeting
from agentbench_tasks.calendar_mail.domain.people import Person
from agentbench_tasks.commons.messages import Kind

OLD, NEW = "read.1", "read.2"
AGENDA, SIDE = "agenda", "minutes"


class Beat(msgspec.Struct, gc=False):
    """One mail of a thread: what it says, and what it carries."""

    writer: Person
    parts: tuple[str, ...]
    """Names of wordings; `ask budget` and `answer budget` are a question and its answer."""
    files: tuple[str, ...] = ()
    answers: str = ""
    """The kind of the question whose mail it replies to; "" for the mail before it."""
    quotes: bool = False
    """Whether the mail that it replies to stands below it."""
    kind: Kind = "mail"


def beats_of(draw: Draw, meeting: Meeting, organiser: Person, guests: Sequence[Person], user: Person) -> list[Beat]:
    """Return every mail of the thread of a meeting, in order."""
    kinds = [f"ask {one.kind}" for one in meeting.questions]
    at_first = 2 if len(kinds) == 4 else 1
    opening = ["open", *kinds[:at_first], *(["agenda"] if meeting.early_agenda else [])]
    asked = [
        Beat(organiser, tuple(opening), (AGENDA,) if meeting.early_agenda else ()),
        Beat(guests[0], ("first_read",), (OLD,)),
        *(Beat(guests[(number + 1) % 2], (kind,)) for number, kind in enumerate(kinds[at_first:])),
    ]
    if meeting.has("answered_later"):
        asked[-1].parts = (*asked[-1].parts, "loud")
    later = _answers(draw, meeting, organiser, guests, user)
    extra: list[Beat] = []
    if meeting.has("old_version_first"):
        extra = [Beat(guests[0], ("replaced",), (NEW,)), Beat(guests[1], ("old_again",), (OLD,))]
    elif meeting.side_file:
        extra = [Beat(guests[1], ("side",), (SIDE,))]
    # The answer to the question asked last comes after what else there is.
    place = 0 if meeting.has("answered_later") else draw.int(0, len(later))
    later[place:place] = extra[:1]
    later += extra[1:]
    return [*asked, *later, _ending(meeting, organiser)]


def _answers(draw: Draw, meeting: Meeting, organiser: Person, guests: Sequence[Person], user: Person) -> list[Beat]:
    """The mails that answer: one for each question, but no more than two."""
    kinds = [one.kind for one in meeting.answered]
    if not meeting.has("answered_later"):
        kinds = draw.shuffled(kinds)
    groups = [kinds[:1], kinds[1:]] if len(kinds) < 3 else [kinds[:2], kinds[2:]]
    writers = [draw.choice((organiser, user)), draw.choice((organiser, guests[1]))]
    return [
        Beat(writer, tuple(f"answer {kind}" for kind in group), answers=group[0])
        for writer, group in zip(writers, groups, strict=True)
        if group
    ]


def _ending(meeting: Meeting, organiser: Person) -> Beat:
    """The mail that brings the invitation or says when the meeting is."""
    parts, files = ["placed" if meeting.in_words else "invite"], ()
    if meeting.has("agenda_not_preread"):
        parts, files = [*parts, "agenda"], (AGENDA,)
    quoted = meeting.answered[-1].kind if meeting.has("question_in_quote") and meeting.answered else ""
    kind: Kind = "mail" if meeting.in_words else "event_invite"
    return Beat(organiser, tuple(parts), files, quoted, bool(quoted), kind)
