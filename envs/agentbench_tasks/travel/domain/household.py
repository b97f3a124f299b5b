"""The user's side of a travel world: who travels, with which papers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.market import shared_table
from agentbench_env.task import Setting
from agentbench_env.text.names import PersonName, draw_name
from agentbench_tasks.commons.papers import Paper


class Traveller(msgspec.Struct, frozen=True):
    """Who asks: name, birth date, the paper that says so, and the holder's id on papers."""

    name: PersonName
    birth_date: str
    paper_id: str
    person_id: str


def travellers(
    draw: Draw, ids: Draw, setting: Setting, today: date, ages: Sequence[int], residence: str
) -> Iterator[tuple[Traveller, Paper]]:
    """Yield travellers of these ages, each with the profile paper that says who they are."""
    labels = shared_table(f"text/{setting.language}/common")["profile"]
    for age in ages:
        name = draw_name(setting.market.code, setting.split, draw, national=True)
        born = date(today.year - age, draw.int(1, 5), draw.int(1, 28)).isoformat()
        fields = (
            (labels["name"], name.native if name.native == name.latin else f"{name.native} ({name.latin})"),
            (labels["birth_date"], born),
            (labels["nationality"], setting.market.code),
            (labels["residence"], residence),
        )
        paper = Paper(
            ids.id("ppr"),
            "traveller_profile",
            labels["paper_title_profile"],
            ids.id("per"),
            name.native,
            language=setting.language,
            form="digital",
            fields=fields,
            data_classes=("identity", "contact"),
        )
        yield Traveller(name, born, paper.id, paper.holder_id), paper
