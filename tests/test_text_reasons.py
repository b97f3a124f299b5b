"""Reasons in whatever words a translator may choose, what denies them, and what announces a secret.

The renderings in `cases/reasons` are short, as they stand in a note; the notes around them are no reasons.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from agentbench_env.text.phrases import announces_secret, reason_in, reason_pairs

CASES = Path(__file__).parent / "cases" / "reasons"
LANGUAGES = ("ko", "ja", "zh-Hant", "th", "ar", "en")
FRAMES = {
    "ko": "안녕하십니까. {} 10월 2일 회의를 취소하게 되었습니다. 감사합니다.",
    "ja": "お世話になっております。{}、10月2日の会議は中止といたします。よろしくお願いいたします。",
    "zh-Hant": "您好：{}，10月2日的會議取消，敬請見諒。",
    "th": "เรียน คุณสมชาย\n\nขอยกเลิกการประชุมวันที่ 2 ตุลาคม {} ขออภัยในความไม่สะดวก",
    "ar": "تحية طيبة وبعد. نعتذر عن إلغاء اجتماع 2 أكتوبر {}. شكراً لتفهمكم.",
    "en": "Dear Mr Pillai,\n\nI am sorry to say that we have to cancel the meeting on 2 October, {}.\n\nKind regards",
}


def table(language: str) -> dict[str, Any]:
    return tomllib.loads((CASES / f"{language}.toml").read_text("utf-8"))


def wordings(language: str) -> list[tuple[str, str, str]]:
    cases = table(language)
    return [(pair, side, text) for pair in reason_pairs() for side, texts in cases[pair].items() for text in texts]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_rendering_is_heard_as_what_it_is(language: str) -> None:
    apart = [pair for pair in reason_pairs() if "outside" in table(language)[pair]]
    wrong: list[tuple[str, str, str]] = []
    for pair, side, text in wordings(language):
        for told in (text, FRAMES[language].format(text)):
            found = reason_in(told, pair)
            other = found["outside" if side == "inside" else "inside"]
            if not found[side] or (pair in apart and other):
                wrong.append((pair, side, told))
    assert wrong == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_rendering_gives_another_confidential_or_open_reason(language: str) -> None:
    """Only the vague wordings for outsiders may stand for one another."""
    wrong = [
        (other, text)
        for pair, _, text in wordings(language)
        for other in reason_pairs()
        if other != pair and reason_in(text, other)["inside"]
    ]
    assert wrong == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_ordinary_sentences_give_no_reason(language: str) -> None:
    cases = table(language)
    texts = cases["none"]["texts"] + cases["secret"]["no"]
    assert [(pair, text) for text in texts for pair in reason_pairs() if any(reason_in(text, pair).values())] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_reason_that_is_denied_is_not_given(language: str) -> None:
    cases = table(language)
    for pair, texts in cases["denied"].items():
        for text in texts:
            assert reason_in(text, pair) == {"inside": False, "outside": False}, text
            assert any(reason_in(text, pair, denied=True).values()), text
    for pair, texts in cases["given"].items():
        assert [text for text in texts if not reason_in(text, pair)["outside"]] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_secrets_are_announced(language: str) -> None:
    cases = table(language)
    assert [text for text in cases["secret"]["say"] if not announces_secret(text)] == []
    plain = cases["secret"]["no"] + cases["none"]["texts"] + [text for _, _, text in wordings(language)]
    assert [text for text in plain if announces_secret(text)] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_there_are_enough_renderings(language: str) -> None:
    cases = table(language)
    assert min(len(texts) for pair in reason_pairs() for texts in cases[pair].values()) >= 10
