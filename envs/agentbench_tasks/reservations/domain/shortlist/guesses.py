"""What those do who look less closely."""

from __future__ import annotations

from agentbench_env.policies.expert import Do
from agentbench_env.task import shortcut
from agentbench_tasks.reservations.domain.directory import PlaceRow
from agentbench_tasks.reservations.domain.listing_text import site_tag
from agentbench_tasks.reservations.domain.shortlist.answer import Claims, Listed
from agentbench_tasks.reservations.domain.shortlist.case import ShortlistCase
from agentbench_tasks.reservations.domain.shortlist.evidence import Room
from agentbench_tasks.reservations.domain.shortlist.moves import Moves, claiming


class ShortlistGuesses:
    """Ways that save the reading."""

    @shortcut
    def lists_nothing(self, case: ShortlistCase, do: Do) -> None:
        """No place can be sure enough."""
        Moves(case, do).deliver([])

    @shortcut
    def copies_the_tags(self, case: ShortlistCase, do: Do) -> None:
        """The site's tags tell which places qualify, and what there is to say of them."""
        moves = Moves(case, do)
        rows, listed = moves.search(), list[Listed]()
        for row in rows:
            claims = self._tagged(case, row)
            if claims != Claims():
                moves.list(row.venue_id)
                listed.append(Listed(venue=row.venue_id, claims=claims))
        moves.deliver(listed)

    def _tagged(self, case: ShortlistCase, row: PlaceRow) -> Claims:
        language, claims = case.built.town.setting.language, Claims()
        if site_tag("quiet", language) in row.site_tags:
            claims = claiming(claims, "noise", "quiet", [row.venue_id])
        if site_tag("private_room", language) in row.site_tags:
            claims = claiming(claims, "private_room", Room("closed_room", 8), [row.venue_id])
        return claims

    @shortcut
    def lists_all_in_reach(self, case: ShortlistCase, do: Do) -> None:
        """Every place is listed, with whatever is true of it."""
        moves = Moves(case, do)
        moves.list(*(row.venue_id for row in moves.search()))
        moves.deliver([moves.listed(venue) for venue in moves.listings])

    @shortcut
    def takes_the_first_three(self, case: ShortlistCase, do: Do) -> None:
        """The nearest three, with whatever is true of them."""
        moves = Moves(case, do)
        venues = [row.venue_id for row in moves.search()][:3]
        moves.list(*venues)
        for venue in venues:
            moves.bear_out(venue)
        moves.deliver([moves.listed(venue) for venue in venues])

    @shortcut
    def speaks_of_the_musts_alone(self, case: ShortlistCase, do: Do) -> None:
        """The right places, of which nothing is said but what was demanded."""
        moves = Moves(case, do)
        moves.read()
        free = case.built.plot.free
        moves.deliver([moves.listed(venue, leave_out=free) for venue in case.goal.members])

    @shortcut
    def reads_no_reviews(self, case: ShortlistCase, do: Do) -> None:
        """Only what the places say themselves is reported."""
        moves = Moves(case, do)
        moves.read()
        evidence = case.goal.evidence
        moves.deliver(
            [
                moves.listed(venue, leave_out=[one for one, found in evidence[venue].items() if found.review_ids])
                for venue in case.goal.members
            ]
        )
