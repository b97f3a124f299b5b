"""Notes on a cancelled meeting: those that a careful person may write pass every check, near misses fail the right one."""

from __future__ import annotations

import tomllib
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from agentbench_env.market import shared_table
from agentbench_env.zones import to_instant
from agentbench_tasks.calendar_mail.domain.cancellation.notes import (
    names_meeting,
    offer_fault,
    reason_fault,
    voice_fault,
)
from agentbench_tasks.commons.contacts import Contact

TODAY = date(2026, 9, 22)
CASES: dict[str, Any] = tomllib.loads((Path(__file__).parent / "cases" / "cancellation.toml").read_text("utf-8"))
NOTES = [(language, number) for language, group in CASES.items() for number in range(len(group["notes"]))]


def card(language: str, relation: str, forms: tuple[str, ...], zone: str) -> Contact:
    due = tuple(shared_table(f"writing/{language}")["register"]["peer" if relation == "self" else relation])
    inside = relation not in ("client", "vendor")
    return Contact(
        f"ctc_{relation}", "", "", "", "", "", "", ("a@b.example",), (language,), relation, due, forms, zone, "", (), (), inside
    )  # type: ignore[arg-type]  # fmt: skip


def faults(language: str, note: dict[str, Any], text: str = "", gender: str = "male") -> dict[str, str]:
    group = CASES[language]
    home, title, text = group["home"], group["title"], text or note["text"].strip()
    reader = card(language, note["relation"], tuple(note["forms"]), note.get("zone", home))
    meeting = to_instant("2026-10-02T14:00", home)
    offer = to_instant(note["offer"], home) if note["offer"] else 0
    named = names_meeting(text, title, meeting, (home, reader.zone), TODAY)
    found = {
        "named": "" if named else "does not name the meeting",
        "voice": voice_fault(text, reader, (), card(language, "self", ("Me",), home), gender, title),
        "reason": reason_fault(text, reader, note["pair"], title),
        "offer": offer_fault(text, reader, home, meeting, offer, TODAY),
    }
    return {clause: fault for clause, fault in found.items() if fault}


@pytest.mark.parametrize(("language", "number"), NOTES)
def test_what_a_careful_person_writes_passes(language: str, number: int) -> None:
    assert faults(language, CASES[language]["notes"][number]) == {}
