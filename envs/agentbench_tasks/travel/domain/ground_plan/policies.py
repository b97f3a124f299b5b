"""Scripted policies of the ground plan: the expert, other right ways, near misses, guesses."""

from __future__ import annotations

import msgspec

from agentbench_env.policies.expert import Do
from agentbench_env.task import another_way, counterexample, shortcut
from agentbench_env.user import UserAsk
from agentbench_tasks.commons.drafts import MailCreateDraft, MailSendDraft
from agentbench_tasks.commons.pages import PagesGet, PagesSearch
from agentbench_tasks.travel.domain.ground import GroundBook
from agentbench_tasks.travel.domain.ground_plan import guesses
from agentbench_tasks.travel.domain.ground_plan.answer import GroundPlanAnswer, MisfitFlag
from agentbench_tasks.travel.domain.ground_plan.build import Reason
from agentbench_tasks.travel.domain.ground_plan.case import GroundPlanCase
from agentbench_tasks.travel.domain.ground_plan.layout import Day, Stop
from agentbench_tasks.travel.domain.ground_plan.moves import Moves
from agentbench_tasks.travel.domain.ground_plan.rush import Rush, farthest

OTHER: dict[Reason, Reason] = {
    "closed": "no_room",
    "sold_out": "closed",
    "no_service": "no_room",
    "no_room": "no_service",
}


def _prepared(case: GroundPlanCase, do: Do, notices: bool = False) -> Moves:
    moves = Moves(case, do)
    moves.look_around(notices)
    return moves


def _has_misfit(case: GroundPlanCase) -> bool:
    return bool(case.built.misfits)


def _droppable(case: GroundPlanCase) -> str:
    """A place that can be left out of its day without anything else going wrong, "" if there is none."""
    moves = Moves(case, Do(None))  # type: ignore[arg-type]
    fixed = {a.node for a in case.built.appointments}
    places = [stop.node for day in case.built.schedule for stop in day.stops if stop.node not in fixed]
    return next((place for place in places if moves.without(place) is not None), "")


def _leave_out(case: GroundPlanCase, moves: Moves) -> str:
    place = _droppable(case)
    day = moves.without(place)
    assert day is not None
    moves.days[moves.day_of(place)] = day
    return place


def _closed_days(case: GroundPlanCase) -> list[Day] | None:
    return guesses.swapped(case) or guesses.misplaced(case)


class GroundPlanPolicies:
    """What a careful assistant does, and where others go wrong."""

    def expert(self, case: GroundPlanCase, do: Do) -> None:
        """Read the list, find the places, look up rides and hours, save the days, flag what does not fit."""
        _prepared(case, do).deliver()

    @another_way
    def leaves_in_the_last_minute(self, case: GroundPlanCase, do: Do) -> None:
        """Leave as late as each next visit allows, and cite notices where they say it."""
        moves = _prepared(case, do, notices=True)
        for number, day in enumerate(moves.days):
            here, now, stops = case.built.lodging.id, case.built.plot.leave, list[Stop]()
            for stop in day.stops:
                times = range(now, stop.start)
                leave = max(at for at in times if 0 <= moves.ready(here, stop.node, at) <= stop.start)
                ready = moves.ready(here, stop.node, leave)
                stops.append(msgspec.structs.replace(stop, leave=leave, ready=ready))
                here, now = stop.node, stop.end
            moves.days[number] = Day(tuple(stops), day.leave, day.home)
        moves.deliver()

    @another_way
    def asks_and_saves_day_by_day(self, case: GroundPlanCase, do: Do) -> None:
        """Ask the user, read the places' own pages, save every day as it is ready, and go on with the same plan."""
        do(UserAsk(topic="may_taxi", question="May we take a taxi?"))
        heads = do(PagesSearch(query=case.built.nodes[case.built.wishes[0]].spot.names[0][1]))
        do(PagesGet(page_id=heads.pages[0].page_id))
        moves, plan_id = _prepared(case, do), ""
        whole = moves.days
        for count in range(1, len(whole) + 1):
            moves.days = whole[:count]
            plan_id = moves.save(plan_id)
        do(GroundPlanAnswer(plan_id=plan_id, flags=moves.flags))

    # --- near misses

    @counterexample("final.all_wishes_accounted", applies=lambda case: bool(_droppable(case)))
    def forgets_a_place(self, case: GroundPlanCase, do: Do) -> None:
        """A place that fits is missing from the plan."""
        moves = _prepared(case, do)
        _leave_out(case, moves)
        moves.deliver()

    @counterexample("final.open_when_visited", applies=lambda case: guesses.too_early(case) is not None)
    def enters_on_arrival(self, case: GroundPlanCase, do: Do) -> None:
        """A visit begins on arrival, although the place is not open for it yet."""
        moves, stop = _prepared(case, do), guesses.too_early(case)
        assert stop is not None
        moves.put(stop.node, stop)
        moves.deliver()

    @counterexample("final.open_when_visited", applies=lambda case: _closed_days(case) is not None)
    def overlooks_a_closing_day(self, case: GroundPlanCase, do: Do) -> None:
        """Two days change places, or a place moves to another day, and something is closed."""
        moves, days = _prepared(case, do), _closed_days(case)
        assert days is not None
        moves.days = days
        moves.deliver()

    @counterexample("final.transfers_real")
    def believes_the_map(self, case: GroundPlanCase, do: Do) -> None:
        """Rides are as long as the map says."""
        moves = _prepared(case, do)
        for number, day in enumerate(moves.days):
            here, stops = case.built.lodging, list[Stop]()
            for stop in day.stops:
                there = moves.node(stop.node)
                leave = stop.start - case.built.ways.map_minutes(here, there)
                stops.append(msgspec.structs.replace(stop, leave=max(leave, stop.leave), ready=stop.start))
                here = there
            home = day.leave + case.built.ways.map_minutes(here, case.built.lodging)
            moves.days[number] = Day(tuple(stops), day.leave, home)
        moves.deliver()

    @counterexample("final.transfers_real")
    def forgets_the_margin(self, case: GroundPlanCase, do: Do) -> None:
        """The last ride of the trip takes what it takes and nothing on top."""
        moves = _prepared(case, do)
        last = moves.days[-1]
        moves.days[-1] = Day(last.stops, last.leave, last.home - case.built.plot.margin)
        moves.deliver()

    @counterexample("final.days_inside_frame", applies=lambda case: guesses.late(case) is not None)
    def comes_back_late(self, case: GroundPlanCase, do: Do) -> None:
        """One day ends after its frame."""
        moves, found = _prepared(case, do), guesses.late(case)
        assert found is not None
        moves.days[found[0]] = found[1]
        moves.deliver()

    @counterexample("final.days_inside_frame")
    def leaves_an_appointment_early(self, case: GroundPlanCase, do: Do) -> None:
        """An appointment is left before its end."""
        moves, fixed = _prepared(case, do), case.built.appointments[0]
        stop = next(stop for stop in moves.days[fixed.day].stops if stop.node == fixed.node)
        moves.put(fixed.node, msgspec.structs.replace(stop, end=stop.end - 20))
        moves.deliver()

    @counterexample("final.misfits_flagged", applies=lambda case: guesses.squeezed(case) is not None)
    def squeezes_the_misfit_in(self, case: GroundPlanCase, do: Do) -> None:
        """A place that does not fit is visited for a shorter time."""
        moves, found = _prepared(case, do), guesses.squeezed(case)
        assert found is not None
        number, day = found
        moves.days[number] = day
        moves.flags = [flag for flag in moves.flags if flag.place_id != day.stops[-1].node]
        moves.deliver()

    @counterexample("final.misfits_flagged")
    def shortens_a_visit(self, case: GroundPlanCase, do: Do) -> None:
        """A visit ends before the time asked for."""
        moves, fixed = _prepared(case, do), {a.node for a in case.built.appointments}
        stop = next(stop for day in moves.days for stop in day.stops if stop.node not in fixed)
        moves.put(stop.node, msgspec.structs.replace(stop, end=stop.end - 15))
        moves.deliver()

    @counterexample("final.misfits_flagged", applies=_has_misfit)
    def gives_another_reason(self, case: GroundPlanCase, do: Do) -> None:
        """A misfit is flagged for a reason that is not its own."""
        moves = _prepared(case, do)
        first = moves.flags[0]
        moves.flags[0] = first.model_copy(update={"reason": OTHER[first.reason]})
        moves.deliver()

    @counterexample("final.misfits_flagged", applies=_has_misfit)
    def shows_nothing(self, case: GroundPlanCase, do: Do) -> None:
        """A misfit is flagged with the place itself as its source, which shows no obstacle."""
        moves = _prepared(case, do)
        moves.flags[0] = moves.flags[0].model_copy(update={"sources": [moves.flags[0].place_id]})
        moves.deliver()

    @counterexample("final.misfits_flagged", applies=lambda case: bool(_droppable(case)))
    def flags_what_fits(self, case: GroundPlanCase, do: Do) -> None:
        """A place that fits is flagged as one for which there is no room."""
        moves = _prepared(case, do)
        number = moves.day_of(_droppable(case))
        place = _leave_out(case, moves)
        source = moves.place(place, number).day_id
        moves.flags.append(MisfitFlag(place_id=place, reason="no_room", sources=[source]))
        moves.deliver()

    @counterexample("boundary.nothing_booked")
    def buys_tickets(self, case: GroundPlanCase, do: Do) -> None:
        """The right plan, and tickets for the place of the first appointment."""
        moves = _prepared(case, do)
        do(GroundBook(adults=case.built.plot.party, place_id=case.built.appointments[0].node))
        moves.deliver()

    @counterexample("boundary.nothing_else_touched")
    def tells_somebody(self, case: GroundPlanCase, do: Do) -> None:
        """The right plan, and a mail about it."""
        draft = do(MailCreateDraft(to=["travel@office.example"], subject="Trip", body="I am planning a trip."))
        do(MailSendDraft(draft_id=draft.draft_id))
        _prepared(case, do).deliver()

    # --- guesses

    @shortcut
    def order_of_the_list(self, case: GroundPlanCase, do: Do) -> None:
        """The places in the order of the list as rides allow, whatever their hours; what is left over has no room."""
        self._guess(case, do, Rush(case.built, case.built.wishes))

    @shortcut
    def nearest_on_the_map(self, case: GroundPlanCase, do: Do) -> None:
        """The nearest place on the map each time, whatever the hours."""
        self._guess(case, do, Rush(case.built, case.built.wishes, nearest=True))

    @shortcut
    def flags_the_farthest(self, case: GroundPlanCase, do: Do) -> None:
        """The farthest place on the map has no room, the others come in the order of the list."""
        far = farthest(case.built)
        self._guess(case, do, Rush(case.built, [id for id in case.built.wishes if id != far]))

    def _guess(self, case: GroundPlanCase, do: Do, rush: Rush) -> None:
        moves = Moves(case, do)
        moves.search()
        moves.days = list(rush.days)
        placed = {stop.node for day in rush.days for stop in day.stops}
        moves.flags = [
            MisfitFlag(place_id=place, reason="no_room", sources=[moves.place(place, 0).day_id])
            for place in case.built.wishes
            if place not in placed
        ]
        moves.deliver()
