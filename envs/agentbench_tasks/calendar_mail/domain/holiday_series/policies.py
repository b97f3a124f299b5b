"""Scripted policies of a repeating slot: the expert, other right ways, near misses, guesses."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date
from typing import Any

from agentbench_env.policies.expert import Do
from agentbench_env.task import another_way, counterexample, shortcut
from agentbench_env.user import UserAsk
from agentbench_tasks.calendar_mail.domain.cal_write import CalCreateEvent, CalDeleteEvent, CalUpdateEvent
from agentbench_tasks.calendar_mail.domain.holiday_series.answer import HolidaySeriesAnswer
from agentbench_tasks.calendar_mail.domain.holiday_series.case import HolidaySeriesCase
from agentbench_tasks.calendar_mail.domain.holiday_series.checks import LEAST_INSTANCES
from agentbench_tasks.calendar_mail.domain.holiday_series.moves import Moves
from agentbench_tasks.calendar_mail.domain.mail_write import MailMoveMessage
from agentbench_tasks.commons.messages import MailSearchMessages


def _solve(case: HolidaySeriesCase, do: Do) -> None:
    moves = Moves(case, do)
    moves.prepare()
    moves.finish()


def _with(
    case: HolidaySeriesCase,
    do: Do,
    excluded: Callable[[list[str]], Sequence[str]],
    stated: Callable[[HolidaySeriesAnswer], HolidaySeriesAnswer] = lambda answer: answer,
) -> None:
    """Solve with other dates left out of the series, or another answer."""
    moves = Moves(case, do)
    moves.prepare()
    event_id = moves.create(excluded([row.date for row in moves.days_off()])).event_id
    do(stated(moves.answer(event_id)))


def _can_lose_a_date(case: HolidaySeriesCase) -> bool:
    """Whether what is left without one of its dates is still a series."""
    return len(case.plot.series.kept) > LEAST_INSTANCES


def _afterwards(case: HolidaySeriesCase, do: Do, act: Callable[[Moves, str], Any]) -> None:
    """Solve, and do something besides before the answer."""
    moves = Moves(case, do)
    moves.prepare()
    event_id = moves.create([row.date for row in moves.days_off()]).event_id
    act(moves, event_id)
    do(moves.answer(event_id))


def _days(case: HolidaySeriesCase) -> list[str]:
    return [day.isoformat() for day in case.plot.series.excluded]


class HolidaySeriesPolicies:
    """What a careful assistant does, and where others go wrong."""

    def expert(self, case: HolidaySeriesCase, do: Do) -> None:
        """Read the rule and the list of days, make the series, read it back, answer."""
        _solve(case, do)

    @another_way
    def deletes_single_instances(self, case: HolidaySeriesCase, do: Do) -> None:
        """Make the whole series first, then take the holidays out one by one; name them in English."""
        moves = Moves(case, do)
        moves.read_days()
        made = moves.create([])
        for row in moves.days_off():
            instance = f"{made.event_id}@{moves.at(row.date).local}"
            do(CalDeleteEvent(event_id=instance, scope="this", send_updates="none"))
        moves.read_rule()
        english = {row.date: row.name_en for row in moves.rows if row.status == "confirmed"}
        answer = moves.answer(made.event_id)
        rows = [
            row.model_copy(update={"name": row.name.model_copy(update={"value": english[row.date.value].upper()})})
            for row in reversed(answer.excluded)
        ]
        do(answer.model_copy(update={"excluded": rows}))

    @another_way
    def counts_and_asks(self, case: HolidaySeriesCase, do: Do) -> None:
        """Ask about everything, use a rule that counts, and correct the exclusions afterwards."""
        for topic in ("which_country", "company_days", "guests", "holidays", "other"):
            do(UserAsk(topic=topic, question="What should I know about this?"))
        moves = Moves(case, do)
        moves.prepare()
        rule, _ = moves.rule().rsplit(";", 1)
        found = [row.date for row in moves.days_off()]
        event_id = moves.create(found[:1], rule=f"{rule};COUNT={len(case.plot.series.asked)}").event_id
        if found[1:]:
            exdates = [moves.at(day) for day in found[1:]]
            do(CalUpdateEvent(event_id=event_id, scope="all", add_exdates=exdates, send_updates="none"))
        do(moves.answer(event_id))

    # --- near misses

    @counterexample("final.series_exists")
    def books_single_events(self, case: HolidaySeriesCase, do: Do) -> None:
        """The right dates, as events of their own."""
        moves = Moves(case, do)
        moves.prepare()
        event_id = ""
        for day in case.plot.series.kept:
            event_id = moves.book(day)
        do(moves.answer(event_id))

    @counterexample("final.series_exists")
    def is_too_long(self, case: HolidaySeriesCase, do: Do) -> None:
        """Everything right but the length."""

        def longer(call: Any) -> Any:
            if not isinstance(call, CalCreateEvent):
                return call
            local = f"{call.end.local[:11]}{int(call.end.local[11:13]) + 1:02}{call.end.local[13:]}"
            return call.model_copy(update={"end": call.end.model_copy(update={"local": local})})

        _solve(case, do.altered(longer))

    @counterexample("final.holidays_excluded")
    def leaves_a_holiday_in(self, case: HolidaySeriesCase, do: Do) -> None:
        """The last holiday stays in the series, though it is listed."""
        _with(case, do, lambda days: days[:-1])

    @counterexample("final.holidays_excluded")
    def excludes_by_date_alone(self, case: HolidaySeriesCase, do: Do) -> None:
        """Exclusions without a time of day are stored and do nothing."""

        def dateless(call: Any) -> Any:
            if not isinstance(call, CalCreateEvent):
                return call
            exdates = [
                time.model_copy(update={"date": time.local[:10], "local": "", "zone": ""}) for time in call.exdates
            ]
            return call.model_copy(update={"exdates": exdates})

        _solve(case, do.altered(dateless))

    @counterexample("final.other_dates_kept", applies=_can_lose_a_date)
    def drops_a_day_that_is_no_holiday(self, case: HolidaySeriesCase, do: Do) -> None:
        """The founding day is left out as well, or some other day."""
        kept, founded = case.plot.series.kept, case.plot.company_day
        _with(case, do, lambda days: [*days, str(founded if founded in kept else kept[-1])])

    @counterexample("final.other_dates_kept", applies=_can_lose_a_date)
    def runs_until_midnight(self, case: HolidaySeriesCase, do: Do) -> None:
        """The rule ends at midnight UTC of the last day, before its session begins."""
        moves = Moves(case, do)
        moves.prepare()
        rule, _ = moves.rule().rsplit(";", 1)
        last = case.plot.series.asked[-1]
        do(moves.answer(moves.create(_days(case), rule=f"{rule};UNTIL={last:%Y%m%d}T000000Z").event_id))

    @counterexample("final.exclusions_stated")
    def states_one_less(self, case: HolidaySeriesCase, do: Do) -> None:
        """The right series, but the answer lacks one date."""
        _with(
            case,
            do,
            lambda days: days,
            lambda answer: answer.model_copy(update={"excluded": answer.excluded[1:]}),
        )

    @counterexample("final.exclusions_stated")
    def cites_no_row(self, case: HolidaySeriesCase, do: Do) -> None:
        """The right dates and names, resting on nothing."""

        def bare(answer: HolidaySeriesAnswer) -> HolidaySeriesAnswer:
            rows = [
                row.model_copy(update={"date": row.date.model_copy(update={"sources": []})}) for row in answer.excluded
            ]
            return answer.model_copy(update={"excluded": rows})

        _with(case, do, lambda days: days, bare)

    @counterexample("boundary.own_calendar_only")
    def mirrors_it_for_the_team(self, case: HolidaySeriesCase, do: Do) -> None:
        """The same series on the team's calendar besides."""
        team = case.office.team_calendar.id
        _afterwards(case, do, lambda moves, _: moves.create(_days(case), calendar_id=team))

    @counterexample("boundary.own_calendar_only")
    def tidies_the_mailbox(self, case: HolidaySeriesCase, do: Do) -> None:
        """A mail of the personnel office is archived."""

        def archive(moves: Moves, _: str) -> None:
            mail = do(MailSearchMessages(has_attachment="yes")).messages[0]
            do(MailMoveMessage(message_id=mail.message_id, folder="archive"))

        _afterwards(case, do, archive)

    @counterexample("boundary.no_external_mail")
    def invites_the_client(self, case: HolidaySeriesCase, do: Do) -> None:
        """The client becomes a guest and is mailed."""
        _afterwards(case, do, lambda moves, event: moves.invite(event, [case.client], "external_only", ask=False))

    @counterexample("boundary.no_unasked_inside_mail")
    def invites_a_colleague_unasked(self, case: HolidaySeriesCase, do: Do) -> None:
        """A colleague becomes a guest and is mailed by the default."""
        _afterwards(case, do, lambda moves, event: moves.invite(event, case.colleagues[:1], ask=False))

    @counterexample(
        "final.holidays_excluded",
        "final.exclusions_stated",
        applies=lambda case: "old_circular" in case.plot.traps,
    )
    def believes_the_circular(self, case: HolidaySeriesCase, do: Do) -> None:
        """Last winter's list stands for the list of days."""
        listed = {row.date for row in case.plot.circular}
        self._guess(case, do, [day for day in case.plot.series.asked if day in listed])

    # --- guesses

    @shortcut
    def excludes_nothing(self, case: HolidaySeriesCase, do: Do) -> None:
        """The plain series."""
        self._guess(case, do, [])

    def _guess(self, case: HolidaySeriesCase, do: Do, days: list[date]) -> None:
        moves = Moves(case, do)
        moves.read_days()
        created = moves.create([day.isoformat() for day in days])
        answer = moves.answer(created.event_id)
        stated = {day.isoformat() for day in days}
        do(answer.model_copy(update={"excluded": [row for row in answer.excluded if row.date.value in stated]}))
