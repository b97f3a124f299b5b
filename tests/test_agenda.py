"""The brief for tomorrow (01.05): the worked example, the traps, what threads say, and answers near the right one."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise
from typing import Any

import pytest
from wordings_kit import LANGUAGES, assert_own_script, assert_says_the_same, kinds, load

from agentbench_env.claims import TextClaim
from agentbench_env.conformance.subject import Subject
from agentbench_env.draw import Draw
from agentbench_env.injections import SHARE
from agentbench_env.instance import build_instance
from agentbench_env.market import load_market, market_codes, shared_table
from agentbench_env.policies.expert import run_script
from agentbench_env.task import DIFFICULTIES, Setting
from agentbench_env.zones import to_instant, to_local
from agentbench_tasks.calendar_mail.domain.agenda.answer import MeetingBrief
from agentbench_tasks.calendar_mail.domain.agenda.case import AgendaCase
from agentbench_tasks.calendar_mail.domain.agenda.checks import quote_fault
from agentbench_tasks.calendar_mail.domain.agenda.goal import Goal
from agentbench_tasks.calendar_mail.domain.agenda.guesses import by_subject, last_file, last_question
from agentbench_tasks.calendar_mail.domain.agenda.moves import Moves
from agentbench_tasks.calendar_mail.domain.agenda.plot import (
    ACTIVE,
    BENIGN,
    DECOYS,
    MEETINGS,
    TRAPS,
    Meeting,
    Plot,
    Trap,
    draw_plot,
)
from agentbench_tasks.calendar_mail.domain.agenda.proof import is_meeting, takes_place
from agentbench_tasks.calendar_mail.domain.invites import Invite
from agentbench_tasks.commons.events import Attendee, Event, When
from agentbench_tasks.commons.messages import Message, printed
from agentbench_tasks.commons.texts import Text, body_of, title_of

TASK = "ec-daily-agenda-brief"
DAY_S = 86_400


def setting(market: str, difficulty: Any = "standard", split: Any = "train") -> Setting:
    loaded = load_market(market)
    return Setting(loaded, split, difficulty, loaded.languages[0])


def plot_of(market: str, difficulty: Any, seed: int) -> Plot:
    chosen = setting(market, difficulty)
    topics = list(shared_table(f"text/{chosen.language}/agenda")["topics"])
    return draw_plot(Draw("shares", market, difficulty, seed), chosen, topics)


def case_of(market: str, difficulty: Any, seed: int, split: Any = "train", *, injections: bool = False) -> AgendaCase:
    case = build_instance(TASK, market, split, difficulty, seed, injections).case
    assert isinstance(case, AgendaCase)
    return case


def with_trap(market: str, trap: Trap, difficulty: Any = "hard") -> tuple[int, AgendaCase, Meeting, Goal]:
    """The first instance with a trap, and the meeting on which it lies."""
    for seed in range(80):
        case = case_of(market, difficulty, seed)
        for meeting, goal in zip(case.built.plot.meetings, case.goals, strict=True):
            if meeting.has(trap):
                return seed, case, meeting, goal
    raise AssertionError(f"{trap} lies nowhere")


def mails_of(case: AgendaCase, thread_id: str) -> list[Message]:
    """The mails of a thread, the oldest first."""
    return sorted((m for m in case.start.all(Message) if m.thread_id == thread_id), key=lambda mail: mail.sent_at)


def event(start: When, *guests: str, rrule: str = "", response: Any = "accepted") -> Event:
    user = Attendee("me@here.example", "Me", "required", response, True)
    others = [Attendee(address, "", "required", "accepted", True) for address in guests]
    return Event(
        id="evt_x", ical_uid="x", sequence=0, calendar_id="cal_x", organizer="boss@here.example", title="Review",
        description="", location="", start=start, end=start, rrule=rrule, attendees=(user, *others),
        created_at=0, updated_at=0,
    )  # fmt: skip


# --- the worked example: tomorrow is Thursday, 15 October 2026, in Dubai


@pytest.mark.parametrize(
    ("start", "rrule", "local"),
    [
        (When("2026-10-01T16:00", "Europe/London"), "FREQ=WEEKLY;BYDAY=TH;COUNT=5", "2026-10-15T19:00"),
        (When("2026-10-16T01:00", "Asia/Seoul"), "", "2026-10-15T20:00"),
    ],
)
def test_tomorrow_goes_by_the_users_zone(start: When, rrule: str, local: str) -> None:
    found = [to_local(at, "Asia/Dubai") for _, at in takes_place(event(start, "boss@here.example", rrule=rrule))]
    assert [one for one in found if one.startswith("2026-10-15")] == [local]


def test_a_meeting_has_other_people_and_was_not_declined() -> None:
    start = When("2026-10-15T10:00", "Asia/Dubai")
    assert is_meeting(event(start, "boss@here.example"), "me@here.example")
    assert is_meeting(event(start, "boss@here.example", response="needs_action"), "me@here.example")
    assert not is_meeting(event(start), "me@here.example")
    assert not is_meeting(event(start, "boss@here.example", response="declined"), "me@here.example")
    assert not is_meeting(event(start, "boss@here.example"), "other@here.example")


# --- shares


@pytest.mark.parametrize("difficulty", DIFFICULTIES)
@pytest.mark.parametrize("market", ["KR", "AE"])
def test_shares_of_traps(market: str, difficulty: Any) -> None:
    plots = [plot_of(market, difficulty, seed) for seed in range(500)]
    benign = sum(not plot.traps for plot in plots) / len(plots)
    assert abs(benign - BENIGN[difficulty]) <= 0.03
    assert all(len(set(plot.traps)) in (0, ACTIVE[difficulty]) for plot in plots)
    shares = Counter(trap for plot in plots for trap in plot.traps)
    assert all(shares[trap] / len(plots) >= 0.05 for trap in TRAPS), shares
    for plot in plots:
        least, most = MEETINGS[difficulty]
        assert least <= len(plot.meetings) <= most
        assert Counter(plot.traps) == Counter(trap for meeting in plot.meetings for trap in meeting.traps)
        assert all(2 <= len(meeting.questions) <= 4 for meeting in plot.meetings)
        assert difficulty == "hard" or not any(meeting.in_words or meeting.elsewhere for meeting in plot.meetings)


@pytest.mark.parametrize("market", ["SG", "TH"])
def test_guesses_fail_in_most_standard_instances(market: str) -> None:
    lucky = Counter[str]()
    seeds = range(100)
    for seed in seeds:
        env = Subject(TASK, market, "standard", "train").env(seed)

        def script(case: AgendaCase, do: Any) -> None:
            moves = Moves(case, do)
            moves.read()
            goals = {goal.event_id: goal for goal in case.goals}
            hashes = {
                file.attachment_id: file.content_hash
                for found in moves.found
                for mail in found.thread.mails
                for file in mail.attachments
            }
            right: dict[str, list[bool]] = {"file": [], "question": [], "subject": []}
            for found in moves.found:
                item, goal = moves.item(found), goals[found.row.event_id]
                mails = found.thread.mails
                right["file"].append(hashes[last_file(mails).value] == hashes[item.read_first.value])
                right["question"].append(last_question(case, mails).value == item.open_question.value)
                right["subject"].append(by_subject(moves, found).value == goal.thread_id)
            lucky.update({name: all(hits) for name, hits in right.items()})

        run_script(script, env)
    assert all(count <= 0.3 * len(seeds) for count in lucky.values()), lucky


# --- what instances hold


@pytest.mark.parametrize("difficulty", DIFFICULTIES)
@pytest.mark.parametrize("market", market_codes())
def test_threads_keep_their_measure(market: str, difficulty: Any) -> None:
    for seed in range(5):
        case = case_of(market, difficulty, seed)
        built = case.built
        people = {person.address: person.contact for person in built.office.people}
        least, most = DECOYS[difficulty]
        assert least <= len(built.decoys) <= most
        for thread in (*(goal.thread_id for goal in case.goals), *built.decoys):
            mails = mails_of(case, thread)
            assert all(first.sent_at < then.sent_at for first, then in pairwise(mails))
            assert mails[-1].sent_at < built.office.now
            for mail in mails:
                assert "07:00" < to_local(mail.sent_at, people[mail.sender.address].zone)[11:] < "19:30"
        for goal in case.goals:
            assert 4 <= len(mails_of(case, goal.thread_id)) <= 9


@pytest.mark.parametrize("market", market_codes())
def test_questions_stand_word_for_word_in_own_text(market: str) -> None:
    for seed in range(4):
        case = case_of(market, "hard", seed)
        for goal in case.goals:
            for kind, mail in goal.asked_in.items():
                sentence, own = case.sentence(mail, kind), body_of(case.start.get(Message, mail).body)
                assert own.count(sentence) == 1
                assert sentence == body_of(goal.sentences[kind])
                assert quote_fault(sentence, own, goal) == (
                    "" if kind == goal.open else quote_fault(sentence, own, goal)
                )
            others = [mail for mail in mails_of(case, goal.thread_id) if mail.id != goal.asked_in[goal.open]]
            assert not any(body_of(goal.sentences[goal.open]) in body_of(mail.body) for mail in others)


def test_an_earlier_thread_has_the_subject_and_another_event() -> None:
    _, case, _, goal = with_trap("KR", "same_subject")
    right, earlier = mails_of(case, goal.thread_id), mails_of(case, goal.lookalike)
    assert title_of(right[0].subject) == title_of(earlier[0].subject)
    *old, bump = earlier
    assert all(60 <= (case.built.office.now - mail.sent_at) / DAY_S <= 91 for mail in old)
    assert bump.sent_at > right[-1].sent_at
    uids = {invite.message_id: invite.uid for invite in case.start.all(Invite)}
    event_id = goal.event_id.partition("@")[0]
    uid = case.start.get(Event, event_id).ical_uid
    assert all(uids.get(mail.id) != uid for mail in earlier)
    assert sum(len(mail.attachment_ids) for mail in earlier) > len(set(goal.files)) - 1


def test_a_subject_drifts_into_that_of_another_thread() -> None:
    _, case, _, goal = with_trap("TW", "subject_drift")
    first, *_, last = mails_of(case, goal.thread_id)
    title = case.start.get(Event, goal.event_id).title
    assert str(title) not in title_of(first.subject)
    assert title_of(last.subject).endswith(str(title))
    lookalike = mails_of(case, goal.lookalike)
    assert title_of(lookalike[0].subject) == str(title)
    assert lookalike[-1].sent_at > last.sent_at


@pytest.mark.parametrize("market", market_codes())
def test_a_meeting_abroad_is_printed_under_another_date(market: str) -> None:
    _, case, _, goal = with_trap(market, "zone_edge", "standard")
    start = case.start.get(Event, goal.event_id).start
    assert start.local[:10] != case.built.day
    assert to_local(to_instant(start.local, start.zone), case.built.zone)[:10] == case.built.day
    other = next(one.event for one in case.built.others if one.kind == "abroad")
    assert other.start.local[:10] == case.built.day
    assert to_local(to_instant(other.start.local, other.start.zone), case.built.zone)[:10] != case.built.day


def test_a_moved_instance_is_one_of_tomorrow_and_another_leaves_it() -> None:
    _, case, _, goal = with_trap("JP", "moved_instance")
    series, _, original = goal.event_id.partition("@")
    moved = case.start.get(Event, series).overrides
    assert [own.original_start for own in moved] == [original]
    assert original[:10] < case.built.day
    away = next(one.event for one in case.built.others if one.kind == "series")
    assert away.overrides
    assert all(to_local(at, case.built.zone)[:10] != case.built.day for _, at in takes_place(away))


def test_an_old_file_comes_last_and_the_new_one_is_right() -> None:
    _, case, _, goal = with_trap("AE", "old_version_first")
    files = [case.start.get(Message, mail.id).attachment_ids for mail in mails_of(case, goal.thread_id)]
    documents = [getattr(case.start.find(id), "document", "") for ids in files for id in ids]
    read = [one for one in documents if ".read." in one]
    assert read[-1] == f"{goal.key}.read.1"
    assert goal.document == f"{goal.key}.read.2"


def test_an_answered_question_stands_quoted_in_the_last_mail() -> None:
    _, case, _, goal = with_trap("SG", "question_in_quote")
    last = mails_of(case, goal.thread_id)[-1]
    quoted = [kind for kind in goal.asked_in if case.sentence(goal.asked_in[kind], kind) in printed(last, case.start)]
    assert set(quoted) - {goal.open}
    assert all(case.sentence(goal.asked_in[kind], kind) not in body_of(last.body) for kind in quoted)


def test_an_answer_elsewhere_names_the_subject() -> None:
    for seed in range(40):
        case = case_of("TH", "hard", seed)
        for meeting, goal in zip(case.built.plot.meetings, case.goals, strict=True):
            if meeting.elsewhere:
                key = f"answers.{goal.key}.{meeting.elsewhere}"
                [mail] = [m for m in case.start.all(Message) if any(fact.key == key for fact in m.stated)]
                assert mail.thread_id != goal.thread_id
                assert mail.sent_at > case.start.get(Message, goal.asked_in[meeting.elsewhere]).sent_at
                assert title_of(mails_of(case, goal.thread_id)[0].subject) in body_of(mail.body)
                return
    raise AssertionError("nothing is answered elsewhere")


def test_shares_of_hostile_mail() -> None:
    for difficulty in DIFFICULTIES:
        hits = [_is_hostile(case_of("SG", difficulty, seed, injections=True)) for seed in range(40)]
        assert abs(sum(hits) / len(hits) - SHARE[difficulty]) <= 0.2
        assert not any(_is_hostile(case_of("SG", difficulty, seed)) for seed in range(10))


def _is_hostile(case: AgendaCase) -> bool:
    return any(isinstance(mail.body, Text) and "hostile" in _kinds(mail.body) for mail in case.start.all(Message))


def _kinds(text: Text) -> set[str]:
    inner = [sentence for _, slot in text.slots for sentence in getattr(slot, "sentences", ())]
    return {text.kind, *(one.kind for one in inner if isinstance(one, Text))}


@pytest.mark.parametrize("market", market_codes())
@pytest.mark.parametrize("split", ["train", "dev", "test"])
def test_mails_read_as_mails(market: str, split: Any) -> None:
    case = case_of(market, "hard", 4, split)
    for mail in case.start.all(Message):
        assert printed(mail, case.start).strip()
        assert "{" not in printed(mail, case.start)


def test_the_expert_is_quick() -> None:
    for market in ("KR", "AE"):
        for seed in range(6):
            env = Subject(TASK, market, "standard", "train").env(seed)
            info = run_script(env.unwrapped._episode.task.expert, env)  # type: ignore[attr-defined]
            assert info["reward"] == 1
            assert info["steps"] <= 18


# --- what anybody can read: texts alone, no facts behind them


def patterns(language: str, section: str) -> dict[str, list[re.Pattern[str]]]:
    """The wordings of a section as patterns, by kind."""
    table = load(language, "agenda")[section]
    return {
        kind: [re.compile(re.sub(r"\\\{[a-z_]+\\\}", ".+?", re.escape(text))) for text in row["variants"]]
        for kind, row in table.items()
    }


def says(text: str, wordings: dict[str, list[re.Pattern[str]]]) -> list[str]:
    """The kinds of which a wording stands in a text."""
    return [kind for kind, found in wordings.items() if any(one.search(text) for one in found)]


@pytest.mark.parametrize("market", market_codes())
@pytest.mark.parametrize("split", ["train", "dev", "test"])
def test_the_words_alone_lead_to_what_is_right(market: str, split: Any) -> None:
    for seed in range(4):
        case = case_of(market, "hard", seed, split)
        language = case.start.language
        questions, answers = patterns(language, "questions"), patterns(language, "answers")
        texts = patterns(language, "mails")
        read = {kind: texts[kind] for kind in ("first_read", "replaced")}
        everything = sorted(case.start.all(Message), key=lambda mail: mail.sent_at)
        for goal in case.goals:
            mails = mails_of(case, goal.thread_id)
            subject = title_of(mails[0].subject)
            asked, told = dict[str, str](), ""
            for mail in mails:
                own = body_of(mail.body)
                asked |= dict.fromkeys(says(own, questions), mail.id)
                for kind in says(own, answers):
                    asked.pop(kind)
                told = mail.id if says(own, read) else told
            if len(asked) > 1:
                others = [mail for mail in everything if mail.thread_id != goal.thread_id]
                recent = [mail for mail in others if mail.sent_at > mails[0].sent_at]
                for own in (body_of(mail.body) for mail in recent):
                    if subject in own:
                        for kind in says(own, answers):
                            asked.pop(kind, None)
            assert asked == {goal.open: goal.asked_in[goal.open]}
            [file] = case.start.get(Message, told).attachment_ids
            assert getattr(case.start.find(file), "document", "") == goal.document
            assert told == goal.told_by


# --- quotes


def quoted(passage: str, text: str = "Shall we take A or B? Who leads? Let us talk.", still_open: str = "a") -> str:
    goal = Goal("0", "", "", still_open, {"a": "Shall we take A or B?", "b": "Who leads?"}, {}, "", {}, "", "")  # type: ignore[arg-type,dict-item]
    return quote_fault(passage, text, goal)


def test_quotes_are_compared_without_spaces_punctuation_and_width() -> None:
    assert quoted("Shall we take A or B?") == ""
    assert quoted("“Shall we  take\nA or B”") == ""
    assert quoted("Shall we take \uff21 or B") == ""
    assert quoted("we take A or B") == ""


def test_a_quote_of_less_than_half_is_none() -> None:
    assert "half" in quoted("Shall we")
    assert "half" in quoted("Let us talk.")
    assert "stand" in quoted("")
    assert "stand" in quoted("Shall we take B or A?")


def test_a_quote_touches_no_other_question() -> None:
    assert "another" in quoted("Shall we take A or B? Who leads?")
    assert "another" in quoted("take A or B? Who")
    assert quoted("Shall we take A or B? Let us talk.", "Who leads? Shall we take A or B? Let us talk.") == ""


# --- near the right answer


def finish(market: str, seed: int, difficulty: Any, change: Any) -> tuple[bool, tuple[str, ...]]:
    env = Subject(TASK, market, difficulty, "train").env(seed)

    def script(case: AgendaCase, do: Any) -> None:
        moves = Moves(case, do)
        moves.read()
        items = moves.items()
        moves.deliver(change(moves, case, items) or items)

    run_script(script, env)
    verdict = env.unwrapped.verdict  # type: ignore[attr-defined]
    return verdict.success, verdict.broken


def at(items: list[MeetingBrief], goal: Goal, **changes: TextClaim) -> list[MeetingBrief]:
    """The items with something else said about one meeting."""
    return [one.model_copy(update=changes) if one.event_id == goal.event_id else one for one in items]


def test_an_older_instruction_beside_the_newer_one_does_no_harm() -> None:
    seed, _, _, goal = with_trap("KR", "old_version_first")

    def cites_both(moves: Moves, case: AgendaCase, items: list[MeetingBrief]) -> Any:
        found = next(one for one in moves.found if one.row.event_id == goal.event_id)
        said = [m.message_id for m in found.thread.mails if any(s.act == "read" for s in case.said(m.message_id))]
        assert len(said) == 2
        item = moves.item(found)
        return at(items, goal, read_first=TextClaim(value=item.read_first.value, sources=said))

    def rests_on_the_older(moves: Moves, case: AgendaCase, items: list[MeetingBrief]) -> Any:
        found = next(one for one in moves.found if one.row.event_id == goal.event_id)
        first = next(m for m in found.thread.mails if any(s.act == "read" for s in case.said(m.message_id)))
        item = moves.item(found)
        return at(items, goal, read_first=TextClaim(value=item.read_first.value, sources=[first.message_id]))

    assert finish("KR", seed, "hard", cites_both) == (True, ())
    assert finish("KR", seed, "hard", rests_on_the_older) == (False, ("final.read_first_right",))


def test_an_unread_mail_carries_nothing() -> None:
    def unread(moves: Moves, case: AgendaCase, items: list[MeetingBrief]) -> Any:
        claim = TextClaim(value=items[0].thread.value, sources=["msg_unknown"])
        return [items[0].model_copy(update={"thread": claim}), *items[1:]]

    assert finish("JP", 3, "standard", unread) == (False, ("final.thread_paired",))


def test_clauses_stay_apart() -> None:
    def leaves_all_out(moves: Moves, case: AgendaCase, items: list[MeetingBrief]) -> Any:
        return items[1:]

    def only_other_events(moves: Moves, case: AgendaCase, items: list[MeetingBrief]) -> Any:
        declined = case.built.others[0].event.id
        return [*items, items[0].model_copy(update={"event_id": declined, "thread": TextClaim()})]

    for change in (leaves_all_out, only_other_events):
        assert finish("SG", 2, "standard", change) == (False, ("final.every_meeting_covered",))


# --- texts


def texts(language: str) -> dict[str, list[Any]]:
    """Every text by kind; topics, titles and papers are words."""
    return dict(kinds(load(language, "agenda")))


WORDS = ("topics.", "others.", "papers.", "events.")


@pytest.mark.parametrize("language", LANGUAGES)
def test_same_kinds_and_slots_as_english(language: str) -> None:
    own = texts(language)
    assert_says_the_same(own, texts("en"), ("particle", "ask", "me"))
    assert {len(wordings) for wordings in own.values()} == {1, 4}


@pytest.mark.parametrize("language", LANGUAGES)
def test_own_script(language: str) -> None:
    assert_own_script(texts(language), language)


@pytest.mark.parametrize("language", [one for one in LANGUAGES if one != "th"])
def test_sentences_of_mails_end_as_sentences(language: str) -> None:
    for kind, wordings in texts(language).items():
        if kind.startswith(("questions.", "answers.", "mails.")):
            assert all(re.search(r"[.?!。？؟」]$", wording) for wording in wordings), (kind, wordings)


@pytest.mark.parametrize("language", LANGUAGES)
def test_topics_are_told_apart(language: str) -> None:
    table = load(language, "agenda")
    rows = [*table["topics"].values(), *table["others"].values()]
    names = [row["subject"] for row in rows] + [row["drifted"] for row in table["topics"].values()]
    names.append(table["events"]["notes"])
    assert len(names) == len(set(names))
    assert not any(one != other and one in other for one in names for other in names)
    assert len({row["noun"] for row in rows}) == len(rows)
