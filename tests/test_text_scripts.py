"""The grammars that are left out for want of their letters would find nothing; nor would patterns of other names."""

from __future__ import annotations

import datetime as dt

import pytest

from agentbench_env.text.facts import clocks, english_clocks, monthdays, names, scripts, weekdays, zoned
from agentbench_env.text.facts.dates import _spans
from agentbench_env.text.facts.plain import plain
from tests.test_text_kit import LANGUAGES, of, value

ON = dt.date(2026, 10, 5)


def readings(field: str) -> list[object]:
    """What the grammars find in a text, before it is settled."""
    return [
        [*clocks.clocks(field)],
        [*english_clocks.english(field)],
        monthdays.written(field, ON),
        weekdays.day_words(field, ON),
        _spans.__wrapped__(field, ON),
        zoned.places.__wrapped__(field),
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_grammars_of_other_scripts_would_find_nothing(language, monkeypatch):
    fields = [plain(case["text"]).text for case in of(language)]
    found = [readings(field) for field in fields]
    assert len(found) >= 60
    for module in (scripts, zoned):
        monkeypatch.setattr(module, "scripts", lambda field: frozenset(scripts._SIGNS))
    assert [readings(field) for field in fields] == found


@pytest.mark.parametrize("language", LANGUAGES)
def test_names_whose_letters_do_not_occur_would_not_be_found(language):
    texts = [case["text"] for case in of(language)][:120]
    facts = (fact for other in LANGUAGES for case in of(other) for fact in case.get("facts", ()))
    forms = {form for fact in facts if fact["kind"] == "name" for form in value(fact)}
    assert len(forms) > 100
    for form in sorted(forms):
        for text in texts:
            slow = [match.span() for match in names._pattern(form).finditer(names._evened(text))]
            assert names.spans(form, text) == slow
