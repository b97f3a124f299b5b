"""On which evenings a near miss can be made, and of what."""

from __future__ import annotations

from agentbench_tasks.commons.pages import Page
from agentbench_tasks.commons.service_time import service_minutes
from agentbench_tasks.reservations.domain.geo import METRES_PER_MINUTE
from agentbench_tasks.reservations.domain.places import Mark, Place, listing_of, metres_between
from agentbench_tasks.reservations.domain.queue import Board
from agentbench_tasks.reservations.domain.walk_in.case import WalkInCase
from agentbench_tasks.reservations.domain.walk_in.goal import Standing
from agentbench_tasks.reservations.domain.walk_in.plot import WANTED


def lists(case: WalkInCase) -> bool:
    """Whether there is anything to list."""
    return bool(case.goal)


def misfit(case: WalkInCase) -> Standing | None:
    """A house that will not do, of which everything else that an item says can be said: the closing lists first."""
    ranked = ("ticket_cutoff", "last_order", "paused_board", "plus_plus_band", "other_band", "implied_need", "silent")
    found = [one for one in case.built.candidates if one.kind in ranked]
    return min(found, key=lambda one: ranked.index(one.kind)).standing if found else None


def has_misfit(case: WalkInCase) -> bool:
    """Whether there is such a house."""
    return misfit(case) is not None


def swaps(case: WalkInCase) -> bool:
    """Whether such a house can stand in the place of a good one."""
    return bool(case.goal) and has_misfit(case)


def pads(case: WalkInCase) -> bool:
    """Whether such a house can fill the list up."""
    return len(case.goal) < WANTED and has_misfit(case)


def walk_misleads(case: WalkInCase) -> bool:
    """Whether the nearest house is not the first."""
    walks = [house.walk for house in case.goal]
    return walks != sorted(walks)


def crow_differs(case: WalkInCase) -> bool:
    """Whether the crow flies in fewer minutes than one walks."""
    return any(crow(case, house.venue_id) != house.walk for house in case.goal)


def crow(case: WalkInCase, venue_id: str) -> int:
    """Minutes as the crow flies, as the list of the site suggests them."""
    mark, place = case.start.get(Mark, case.wish.origin_id), case.start.get(Place, venue_id)
    return -(-metres_between(mark.point, place.point) // METRES_PER_MINUTE)


def has_list_end(case: WalkInCase) -> bool:
    """Whether a good house closes its list before the kitchen stops."""
    return any(house.board.ticket_cutoff for house in case.goal)


def older_hours(case: WalkInCase, venue_id: str) -> str:
    """The page of hours that was replaced at a house that the last order alone bounds, "" if there is none."""
    pages = [page for page in case.start.where(Page, "publisher", venue_id) if page.kind == "hours"]
    older = [page.supersedes for page in pages if page.supersedes]
    house = case.standing(venue_id)
    return older[0] if older and house and not house.board.ticket_cutoff else ""


def has_older_hours(case: WalkInCase) -> bool:
    """Whether a good house has such a page."""
    return any(older_hours(case, house.venue_id) for house in case.goal)


def joinable(case: WalkInCase) -> list[Board]:
    """The boards of lists that can be joined from afar."""
    boards = (one.standing.board.now(case.start) for one in case.built.candidates)
    party = case.wish.party
    return [
        board
        for board in boards
        if board.remote_join and board.accepting and board.walk_in.holds(party) and not _over(case, board)
    ]


def _over(case: WalkInCase, board: Board) -> bool:
    """Whether the list closes soon."""
    return bool(board.ticket_cutoff) and service_minutes(board.ticket_cutoff) < case.wish.minute + 15


def can_join(case: WalkInCase) -> bool:
    """Whether there is such a list."""
    return bool(joinable(case))


def reads_diet_pages(case: WalkInCase) -> bool:
    """Whether the listing of a good house does not speak of the diet."""
    return any(not _told_in_listing(case, house) for house in case.goal)


def _told_in_listing(case: WalkInCase, house: Standing) -> bool:
    told = listing_of(case.start, house.venue_id).facts(case.start)
    return house.diet_fact is not None and house.diet_fact[0] in told
