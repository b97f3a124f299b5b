"""Reviews of a house: what guests wrote after single visits."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from typing import TYPE_CHECKING, get_args

from agentbench_env.draw import Draw
from agentbench_env.task import Difficulty
from agentbench_tasks.commons.texts import Text
from agentbench_tasks.reservations.domain.places import Place, Review
from agentbench_tasks.reservations.domain.reviews import (
    MOST_IMPRESSIONS,
    CoolRemark,
    Impression,
    PleasedRemark,
    Remark,
    review_part,
)
from agentbench_tasks.reservations.domain.rooms_page import Noise, Rooms

if TYPE_CHECKING:
    from agentbench_tasks.reservations.domain.house import House

REVIEWS = {"easy": (3, 5), "standard": (5, 9), "hard": (8, 14)}
"""How many reviews a house has by the end of the year; one sees those that are written."""
EARLIEST, LATEST = date(2024, 9, 1), date(2026, 11, 30)
_PLEASED: tuple[Remark, ...] = get_args(PleasedRemark)
_COOL: tuple[Remark, ...] = get_args(CoolRemark)
_NOISES: dict[Noise, float] = {"quiet": 3, "moderate": 4, "loud": 3}
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def handle(draw: Draw) -> str:
    """Draw the masked name under which a guest writes."""
    return f"{draw.choice(_LETTERS)}***{draw.int(10, 99)}"


def add_hostile_review(house: House, file: str, posted: date) -> None:
    """Put in a review with the hostile text of a file; all else about it is drawn where the text gets its demand."""
    text = Text.of(file, "hostile", house.language, house.variant)
    day = posted.isoformat()
    house.reviews.append(Review(house.ids.id("rev"), house.place.id, "", day, day, 0, 0, text, house.language))


def write_review(
    draw: Draw,
    id: str,
    place: Place,
    visited: date,
    impressions: Sequence[Impression],
    language: str,
    variant: int,
    remark: Remark | None = None,
    *,
    counts: bool = True,
) -> Review:
    """Draw the review of a visit, posted some days later.

    Args:
        draw: the stream to draw from.
        id: id of the review.
        place: the house.
        visited: the day of the visit.
        impressions: what the guest tells of the house, at most two.
        language: the language of the review.
        variant: which wording.
        remark: what the guest says besides; drawn where it is None.
        counts: whether it states what it tells; a review from before a refit tells of another house.
    """
    pleased = draw.chance(0.75)
    party, nickname = draw.int(2, 8), handle(draw)
    part = review_part(
        place.id,
        visited.isoformat(),
        party,
        impressions,
        remark or draw.choice(_PLEASED if pleased else _COOL),
        language,
        variant,
    )
    posted = visited + timedelta(draw.int(0, 5))
    return Review(
        id,
        place.id,
        nickname,
        visited.isoformat(),
        posted.isoformat(),
        party,
        draw.int(4, 5) if pleased else draw.int(2, 3),
        part.text,
        language,
        draw.int(0, 60),
        part.stated if counts else (),
    )


def draw_reviews(
    draw: Draw, ids: Draw, place: Place, rooms: Rooms, difficulty: Difficulty, language: str, variant: int
) -> list[Review]:
    """Draw the reviews of a house; guests find it as it says, or agree on what it says nothing of."""
    noise = Impression("noise", rooms.noise or draw.weighted(_NOISES))
    told = [noise, Impression("private_room", rooms.room or "none"), Impression("seating", draw.choice(rooms.seating))]
    span = (LATEST - EARLIEST).days
    return [
        write_review(
            draw,
            ids.id("rev"),
            place,
            EARLIEST + timedelta(draw.int(0, span)),
            draw.sample(told, draw.int(0, MOST_IMPRESSIONS)),
            language,
            variant,
        )
        for _ in range(draw.int(*REVIEWS[difficulty]))
    ]
