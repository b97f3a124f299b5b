"""The registers of Thai, Arabic and English: every labelled message, and texts of any kind."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentbench_env.text.registers import ar, en, th

_CASES = Path(__file__).parent / "cases" / "text"
_REGISTERS: dict[str, Callable[[str], str]] = {"th": th.register, "ar": ar.register, "en": en.register}
_CELLS = {
    "th": {"formal", "polite", "casual", "mixed"},
    "ar": {"formal", "friendly", "mixed", "none"},
    "en": {"formal", "friendly", "mixed", "none"},
}


def _messages() -> list[dict[str, str]]:
    rows = [
        json.loads(line)
        for path in sorted(_CASES.glob("*.jsonl"))
        for line in path.read_text(encoding="utf-8").splitlines()
    ]
    return [row for row in rows if row["lang"] in _REGISTERS and row["register"] != "none"]


@pytest.mark.parametrize("message", [pytest.param(row, id=row["id"]) for row in _messages()])
def test_register_of_message(message: dict[str, str]) -> None:
    from agentbench_env.text.own import own_text

    assert _REGISTERS[message["lang"]](own_text(message["text"])) == message["register"]


@pytest.mark.parametrize("language", _REGISTERS)
def test_enough_messages(language: str) -> None:
    assert sum(row["lang"] == language for row in _messages()) >= 115


@pytest.mark.parametrize("language", _REGISTERS)
@given(text=st.text(max_size=200))
def test_any_text_has_a_register(language: str, text: str) -> None:
    assert _REGISTERS[language](text) in _CELLS[language]


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("ar", "الأستاذ فهد المحترم، نود إبلاغكم بتأجيل الاجتماع إلى يوم 9 مارس."),
        ("en", "Dear Mr Foo,\n\nThe meeting is moved to 9 March.\n\nEthan Goh"),
    ],
)
def test_letter_without_closing_has_no_register(language: str, text: str) -> None:
    assert _REGISTERS[language](text) == "none"


@pytest.mark.parametrize("language", _REGISTERS)
def test_addresses_and_codes_are_not_read(language: str) -> None:
    formal = {
        "th": "เรียน คุณอนันต์ โปรดดู https://a.example/555-lol และ 555.pdf ขอบพระคุณค่ะ",
        "ar": "الأستاذ فهد المحترم، انظر https://a.example/lol والملف شو.pdf أو A-555. مع التحية",
        "en": "Dear Mr Foo,\n\nPlease see https://a.example/lol!! and lol.pdf or hey@gonna.example.\n\nRegards,\nEthan",
    }[language]
    assert _REGISTERS[language](formal) == "formal"


def test_a_name_is_no_slang() -> None:
    letter = "Dear Mr Lee,\n\nThe meeting has moved. Please tell me if this does not suit you.\n\nKind regards,\n{name}"
    assert en.register(letter.format(name="Wanna Kaewkla")) == "formal"
    assert en.register(letter.format(name="Kim").replace("Please tell", "I wanna ask you to tell")) != "formal"
