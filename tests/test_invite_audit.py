"""When an invitation really is: the worked examples, the mistakes, what mails say, and answers near the right one."""

from __future__ import annotations

from collections import Counter
from typing import Any

import msgspec
import pytest
from case_kit import Cases
from wordings_kit import LANGUAGES, assert_own_script, assert_says_the_same, kinds, load

from agentbench_env.conformance.subject import Subject, episode_of
from agentbench_env.draw import Draw
from agentbench_env.market import load_market, market_codes, shared_table
from agentbench_env.policies.expert import run_script
from agentbench_env.task import DIFFICULTIES, Setting
from agentbench_env.zones import offset_minutes, to_instant, to_local, zone_names
from agentbench_tasks.calendar_mail.domain.file_times import known_zone
from agentbench_tasks.calendar_mail.domain.invite_audit import invitation
from agentbench_tasks.calendar_mail.domain.invite_audit.agreement import Agreement, other_season
from agentbench_tasks.calendar_mail.domain.invite_audit.answer import LocalTime
from agentbench_tasks.calendar_mail.domain.invite_audit.build import draw_instance
from agentbench_tasks.calendar_mail.domain.invite_audit.case import InviteCase
from agentbench_tasks.calendar_mail.domain.invite_audit.goal import Goal, goal_of
from agentbench_tasks.calendar_mail.domain.invite_audit.moves import Moves
from agentbench_tasks.calendar_mail.domain.invite_audit.plot import (
    BENIGN,
    KINDS,
    SIDE_COUNT,
    SIDES,
    Kind,
    Plot,
    draw_plot,
)
from agentbench_tasks.calendar_mail.domain.invite_audit.proof import prove
from agentbench_tasks.calendar_mail.domain.invites import Invite, ics_text
from agentbench_tasks.commons.attempts import NoFit
from agentbench_tasks.commons.events import Event
from agentbench_tasks.commons.messages import Address, Message, printed

TASK = "ec-invite-timezone-audit"
case_of = Cases(TASK, InviteCase).case_of
FILE = "invite_audit"
SEOUL, BANGKOK, SINGAPORE, TAIPEI, DUBAI = "Asia/Seoul", "Asia/Bangkok", "Asia/Singapore", "Asia/Taipei", "Asia/Dubai"
NEW_YORK, LONDON, SYDNEY = "America/New_York", "Europe/London", "Australia/Sydney"
PLAIN = Plot((), (), "GB-ENG", "outsider", "body", 1, False, False, False)


def planned(*mistakes: tuple[Kind, Any], **changed: Any) -> Plot:
    return msgspec.structs.replace(PLAIN, mistakes=mistakes, **changed)


def setting(market: str, difficulty: Any = "standard", split: Any = "train") -> Setting:
    loaded = load_market(market)
    return Setting(loaded, split, difficulty, loaded.languages[0])


def audited(plot: Plot, zone: str, local: str, here: str, weeks: int = 1) -> Goal:
    """The goal of an agreement with the plot's mistakes, proved."""
    agreed = Agreement(zone, local, weeks, 60)
    file = invitation.calendar_file(Draw("file"), agreed, plot, here)
    words = invitation.wording(Draw("words"), agreed, plot, here)
    goal = goal_of(plot, agreed, file, words, here)
    prove(plot, agreed, invite_of(file), words, goal, here)
    return goal


def invite_of(file: invitation.CalendarFile) -> Invite:
    return Invite(
        id="inv_x", message_id="msg_x", uid="x@calendar.example", organizer=Address("a@b.example"), summary="Call",
        start=file.start, end=file.end, stamped_at=1_770_000_000, blocks=file.blocks, rrule=file.rrule,
    )  # fmt: skip


# --- the worked examples


def test_an_evening_in_new_york_is_the_next_morning_in_seoul() -> None:
    plot = planned(("wrong_season", "body"), place="US")
    goal = audited(plot, NEW_YORK, "2026-10-29T19:00", SEOUL)
    assert (goal.stated, goal.correct) == ("2026-10-30T08:00", "2026-10-30T08:00")
    assert goal.kinds == {"wrong_season"}
    assert goal.tolerated == {"text_file_conflict"}
    agreed = Agreement(NEW_YORK, "2026-10-29T19:00", 1, 60)
    words = invitation.wording(Draw("words"), agreed, plot, SEOUL)
    assert words.abbreviation == "EST"
    assert to_local(words.named[0], SEOUL) == "2026-10-30T09:00"
    morning = invitation.wording(Draw("words"), Agreement(NEW_YORK, "2026-10-29T09:00", 1, 60), plot, DUBAI)
    assert to_local(morning.named[0], DUBAI) == "2026-10-29T18:00"
    assert audited(plot, NEW_YORK, "2026-10-29T09:00", DUBAI).correct == "2026-10-29T17:00"


def test_a_frozen_time_zone_shows_sydney_an_hour_late() -> None:
    plot = planned(("wrong_season", "file"), place="AU-NSW", season="frozen")
    for here, right, shown in ((BANGKOK, "06:00", "07:00"), (SINGAPORE, "07:00", "08:00")):
        goal = audited(plot, SYDNEY, "2026-10-06T10:00", here)
        assert (goal.correct, goal.stated) == (f"2026-10-06T{right}", f"2026-10-06T{shown}")
        assert goal.right_parts == {"body"}


def test_last_weeks_hour_is_another_one() -> None:
    assert audited(PLAIN, LONDON, "2026-10-27T09:00", SINGAPORE).correct == "2026-10-27T17:00"
    assert audited(PLAIN, LONDON, "2026-10-20T09:00", SINGAPORE).correct == "2026-10-20T16:00"


def test_arab_is_not_arabian() -> None:
    plot = planned(("wrong_zone", "file"), place="")
    goal = audited(plot, DUBAI, "2026-11-12T10:00", DUBAI)
    assert (goal.stated, goal.correct) == ("2026-11-12T11:00", "2026-11-12T10:00")
    assert goal.kinds == {"wrong_zone"}


def test_a_weekly_call_moves_with_the_clocks_of_its_city() -> None:
    plot = planned(("series_shift", "body"), place="US", weeks=6, crossing=True)
    goal = audited(plot, NEW_YORK, "2026-03-05T09:00", TAIPEI, weeks=6)
    assert goal.correct == "2026-03-05T22:00"
    assert (goal.changes_on, goal.changes_to) == ("2026-03-12", "21:00")
    assert goal.tolerated == {"wrong_season"}


def test_a_start_without_zone_shows_at_the_organisers_hour() -> None:
    goal = audited(planned(("no_zone", "file")), LONDON, "2026-10-27T09:00", SEOUL)
    assert goal.floating
    assert (goal.stated, goal.correct) == ("2026-10-27T09:00", "2026-10-27T18:00")


def test_a_zone_that_is_off_like_the_other_season_may_be_called_either() -> None:
    plot = planned(("wrong_zone", "file"), place="AU-NSW")
    assert "wrong_season" in audited(plot, SYDNEY, "2026-10-06T10:00", BANGKOK).tolerated
    assert "wrong_season" not in audited(planned(("wrong_zone", "file")), LONDON, "2026-07-07T10:00", SEOUL).tolerated


def test_proof_refuses_a_goal_that_does_not_follow() -> None:
    agreed, plot = Agreement(LONDON, "2026-10-27T09:00", 1, 60), planned(("no_zone", "file"))
    file = invitation.calendar_file(Draw("file"), agreed, plot, SEOUL)
    words = invitation.wording(Draw("words"), agreed, plot, SEOUL)
    goal = goal_of(plot, agreed, file, words, SEOUL)
    for wrong in ({"kinds": frozenset[str]()}, {"kinds": frozenset({"wrong_zone"})}, {"correct": goal.stated}):
        with pytest.raises(NoFit):
            prove(plot, agreed, invite_of(file), words, msgspec.structs.replace(goal, **wrong), SEOUL)


def test_names_of_zones_are_alike_and_wrong_as_they_claim() -> None:
    days = [to_instant(f"2026-{month:02}-15T09:00", "UTC") for month in range(1, 13)]
    for zone, names in shared_table("invite_zones").items():
        assert zone in zone_names()
        for name in (*names["alike"], *names["wrong"]):
            known = known_zone(name)
            assert known, name
            same = [offset_minutes(known, day) == offset_minutes(zone, day) for day in days]
            assert all(same) if name in names["alike"] else not all(same), (zone, name)


# --- what is drawn


@pytest.mark.parametrize("difficulty", DIFFICULTIES)
@pytest.mark.parametrize("market", ["KR", "AE"])
def test_shares_of_mistakes(market: str, difficulty: Any) -> None:
    plots = [draw_plot(Draw("shares", market, difficulty, seed), setting(market, difficulty)) for seed in range(500)]
    benign = sum(not plot.mistakes for plot in plots) / len(plots)
    assert abs(benign - BENIGN[difficulty]) <= 0.03
    count = 2 if difficulty == "hard" else 1
    for plot in plots:
        assert len(plot.kinds) in (0, count)
        assert not plot.mistakes or len(plot.sides) == SIDE_COUNT[difficulty]
    found = Counter(kind for plot in plots for kind in plot.kinds)
    assert all(found[kind] / len(plots) >= 0.05 for kind in KINDS), found
    # Whoever always names the season and has everything else right gains no more than this.
    assert sum(plot.kinds == {"wrong_season"} for plot in plots) / len(plots) <= 0.20
    if SIDE_COUNT[difficulty]:
        sides = Counter(side for plot in plots for side in plot.sides)
        assert all(sides[side] / len(plots) >= 0.05 for side in SIDES), sides


@pytest.mark.parametrize("market", market_codes())
@pytest.mark.parametrize("difficulty", DIFFICULTIES)
def test_drawn_mistakes_come_out_as_drawn(market: str, difficulty: Any) -> None:
    for seed in range(12):
        where, draw = setting(market, difficulty), Draw("come", market, difficulty, seed)
        built = draw_instance(draw, where)
        plot, agreed, here = draw_plot(draw.stream("plot"), where), built.setup.agreed, where.market.zone
        assert (built.plot.mistakes, built.plot.sides) == (plot.mistakes, plot.sides)
        assert "06:00" <= built.goal.correct[11:] <= "23:00"
        assert agreed.starts[0] > built.setup.now
        assert to_local(agreed.starts[-1], here) < "2027"
        stated = [built.file.instants, built.words.named, built.words.promised or agreed.starts]
        assert bool(built.goal.kinds) == any(one != agreed.starts for one in stated)
        mails = [record for record in built.office.records if isinstance(record, Message)]
        assert all(mail.sent_at < built.setup.now for mail in mails)
        if built.setup.example:
            assert offset_minutes(agreed.zone, built.setup.example) == other_season(agreed.zone, agreed.start)[0]


@pytest.mark.parametrize("market", market_codes())
def test_only_the_agreeing_mail_fixes_the_time(market: str) -> None:
    for seed in range(8):
        case = case_of(market, "hard", seed)
        stating = [mail.id for mail in case.start.all(Message) if "invite.agreed_start" in mail.facts(case.start)]
        assert stating == [case.anchor_id]
        anchor = case.start.get(Message, case.anchor_id)
        assert anchor.thread_id != case.start.get(Message, case.mail_id).thread_id
        assert case.built.letters.topic in printed(anchor, case.start)


@pytest.mark.parametrize("market", market_codes())
def test_calendar_shows_what_the_file_says(market: str) -> None:
    for seed in range(8):
        case = case_of(market, "standard", seed)
        told = case.built.letters
        event = case.start.get(Event, told.event.id)
        assert to_local(event.start.instant(case.zone), case.zone) == case.goal.stated
        assert event.start.floating == case.goal.floating
        assert event.ical_uid == told.invite.uid
        assert f"UID:{event.ical_uid}" in ics_text(told.invite)


# --- answers near the right one


def finish(market: str, seed: int, difficulty: Any, change: Any) -> tuple[str, ...]:
    """The broken clauses of the right answer with some fields changed."""
    env = Subject(TASK, market, difficulty, "train").env(seed)

    def script(case: InviteCase, do: Any) -> None:
        moves = Moves(case, do)
        moves.read()
        moves.look_up()
        moves.deliver(**change(moves, case))

    run_script(script, env)
    return env.unwrapped.verdict.broken  # type: ignore[attr-defined]


def seed_with(kind: Kind, market: str = "KR") -> int:
    return next(seed for seed in range(200) if case_of(market, "standard", seed).goal.kinds == frozenset((kind,)))


def test_equal_ways_of_writing_a_time_are_right() -> None:
    def written(moves: Moves, case: InviteCase) -> dict[str, Any]:
        stated, correct = moves.stated(), moves.correct()
        spaced = LocalTime(local=stated.value.local.replace("T", " "), zone=case.zone)
        seconds = LocalTime(local=f"{correct.value.local}:00")
        return {
            "stated_local": stated.model_copy(update={"value": spaced}),
            "correct_local": correct.model_copy(update={"value": seconds}),
        }

    assert finish("KR", 0, "standard", written) == ()


def test_another_zone_is_not_the_users() -> None:
    def elsewhere(moves: Moves, case: InviteCase) -> dict[str, Any]:
        value = LocalTime(local=case.goal.correct, zone="Europe/London")
        return {"correct_local": moves.correct().model_copy(update={"value": value})}

    assert finish("KR", 0, "standard", elsewhere) == ("final.correct_time_given",)


@pytest.mark.parametrize("kind", KINDS)
def test_a_mistake_is_shown_by_two_records_that_disagree(kind: Kind) -> None:
    seed = seed_with(kind)

    def between(*names: str) -> Any:
        def change(moves: Moves, case: InviteCase) -> dict[str, Any]:
            ids = {"mail": case.mail_id, "anchor": case.anchor_id, "zone": moves.facts[0], "user": moves.facts[1]}
            return {"mismatches": [moves.mismatch(kind, tuple(ids[name] for name in names))]}

        return change

    assert finish("KR", seed, "standard", between("mail", "anchor")) == ()
    assert finish("KR", seed, "standard", between("anchor", "mail")) == ()
    by_zone = () if kind != "text_file_conflict" else ("final.mismatch_named",)
    assert finish("KR", seed, "standard", between("mail", "zone")) == by_zone
    assert finish("KR", seed, "standard", between("anchor", "zone")) == ("final.mismatch_named",)
    assert finish("KR", seed, "standard", between("anchor", "anchor")) == ("final.mismatch_named",)
    assert finish("KR", seed, "standard", between("mail")) == ("final.mismatch_named",)


def test_a_text_that_is_no_id_is_no_record() -> None:
    def unread(moves: Moves, case: InviteCase) -> dict[str, Any]:
        return {"stated_local": moves.stated("msg_unknown")}

    assert finish("JP", 1, "standard", unread) == ("final.stated_time_resolved",)


def test_expert_is_quick() -> None:
    for market in ("KR", "AE"):
        env = Subject(TASK, market, "hard", "train").env(2)
        info = run_script(episode_of(env).task.expert, env)
        assert info["reward"] == 1
        assert info["steps"] <= 9


# --- texts


def texts(language: str) -> dict[str, list[Any]]:
    table = load(language, FILE)
    return dict(kinds({kind: rows for kind, rows in table.items() if kind not in ("topics", "styles")}))


@pytest.mark.parametrize("language", LANGUAGES)
def test_same_kinds_and_slots_as_english(language: str) -> None:
    assert_says_the_same(texts(language), texts("en"), ("particle", "ask", "me"))
    assert len(load(language, FILE)["topics"]) == len(set(load(language, FILE)["topics"])) == 16


@pytest.mark.parametrize("language", LANGUAGES)
def test_own_script(language: str) -> None:
    assert_own_script(texts(language), language)


@pytest.mark.parametrize("market", market_codes())
def test_mails_read_as_mails(market: str) -> None:
    case = case_of(market, "standard", 4)
    for mail in case.start.all(Message):
        assert printed(mail, case.start).strip()
        assert "{" not in printed(mail, case.start)
