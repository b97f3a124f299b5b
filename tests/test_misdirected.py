"""The misdirected reply: recall by the five rules, what counts as disclosed, corrections near the right one, shares."""

from __future__ import annotations

import datetime as dt
import re
import unicodedata
from collections import Counter
from typing import Any

import pytest
from case_kit import Cases
from wordings_kit import LANGUAGES, SCRIPTS, kinds, load, parts, slots

from agentbench_env.conformance.subject import Subject, episode_of
from agentbench_env.draw import Draw
from agentbench_env.market import load_market, market_codes
from agentbench_env.money import Money
from agentbench_env.policies.expert import Do, Refused, run_script
from agentbench_env.task import DIFFICULTIES, Setting
from agentbench_env.text.facts import mentions
from agentbench_env.text.phrases import says_sent_in_error
from agentbench_env.text.registers import register_of
from agentbench_env.text.template import fill, slot_names
from agentbench_tasks.calendar_mail.domain.cast import Cast
from agentbench_tasks.calendar_mail.domain.mailbox import MailSystem
from agentbench_tasks.calendar_mail.domain.misdirected.case import MisdirectedCase
from agentbench_tasks.calendar_mail.domain.misdirected.contents import Contents
from agentbench_tasks.calendar_mail.domain.misdirected.items import KINDS, Item
from agentbench_tasks.calendar_mail.domain.misdirected.moves import Moves
from agentbench_tasks.calendar_mail.domain.misdirected.notes import correction_fault, leaks, resend_fault
from agentbench_tasks.calendar_mail.domain.misdirected.plot import BENIGN, TRAP_COUNT, TRAPS, Plot, draw_plot
from agentbench_tasks.calendar_mail.domain.misdirected.situation import Situation
from agentbench_tasks.calendar_mail.domain.recall import MailRecallMessage
from agentbench_tasks.commons.texts import Text, body_of
from agentbench_tasks.commons.written import Written

TASK = "ec-misdirected-reply-recovery"
case_of = Cases(TASK, MisdirectedCase).case_of
FILE = "misdirected"
DAY = dt.date(2026, 10, 21)
FORMAL = {"ko": "formal", "ja": "keigo", "zh-Hant": "respectful", "th": "formal", "ar": "formal", "en": "formal"}
WHERE_USED = {"window_edge": "JP", "admin_switch": "TH"}
"""Traps of one mail system, and a market in which most firms are on it."""


def plots(market: str, difficulty: Any, count: int = 500) -> list[Plot]:
    """Stories alone, without the office around them."""
    loaded = load_market(market)
    setting = Setting(loaded, "train", difficulty, loaded.languages[0])
    found: list[Plot] = []
    for seed in range(count):
        draw = Draw("shares", market, difficulty, seed)
        found.append(draw_plot(draw.stream("plot"), setting, Cast(draw.stream("cast"), setting).system))
    return found


def system(rule: Any, **more: Any) -> MailSystem:
    return MailSystem("sys", "Mail", rule, window_s=86_400, delay_s=10, **more)


# --- recall


def test_worked_example_of_a_colleague_who_has_read_it() -> None:
    read = Situation("inside", "read", "fresh")
    assert read.recall(system("works")) == (True, ("within_window_ok", "same_org_ok"))
    assert read.recall(system("portal")) == (False, ("already_read",))
    for rule in ("portal", "works", "closed", "tenant"):
        outside = Situation("away", "unknown", "fresh").recall(system(rule))
        assert not outside.available
        assert "recipient_external" in outside.reasons


def test_a_day_is_the_edge_of_what_was_read() -> None:
    assert Situation("inside", "read", "inside_edge").recall(system("works")).available
    assert Situation("inside", "read", "outside_edge").recall(system("works")).reasons == (
        "window_passed",
        "already_read",
    )
    assert Situation("inside", "unread", "old").recall(system("works")).available


def test_switches_of_the_administrator() -> None:
    read = Situation("inside", "read", "fresh")
    assert read.recall(system("tenant")).available
    assert "disabled_by_admin" in read.recall(system("tenant", read_switch=False)).reasons
    assert "not_offered" in Situation("inside", "unread", "fresh", recall_on=False).recall(system("tenant")).reasons


def test_ages_keep_clear_of_the_edge() -> None:
    for difficulty in DIFFICULTIES:
        for plot in plots("JP", difficulty, 200):
            age = plot.now - plot.sent_at
            assert age >= 35 * 60
            assert abs(age - 86_400) >= 40 * 60


# --- what got out


def test_class_example() -> None:
    classes: Any = {**dict.fromkeys(KINDS, 2), "discount": 3, "contract_draft": 3, "bank_account": 4}
    places: Any = {"discount": "own", "bank_account": "quoted"}
    contents = Contents(classes, places, "salary", "contract_draft", "bid_plan")
    assert contents.highest == 4
    assert contents.at("quoted") == ["bank_account"]


@pytest.mark.parametrize("market", market_codes())
def test_only_what_went_along_is_disclosed(market: str) -> None:
    for seed in range(12):
        built = case_of(market, "hard", seed).built
        contents, goal = built.contents, built.goal
        assert not {contents.unquoted, contents.absent, contents.missing} & set(goal.items)
        assert {item.kind for item in built.items} == set(goal.items)
        assert set(goal.items.values()) - {"own"}, "something always goes along with the own words"
        for file in built.files:
            assert not (file.locked and file.stated)
        assert not set(goal.wrong) & {goal.intended, *(person.address for person in built.entitled)}


def test_repeated_values_are_found_however_they_are_written() -> None:
    sentence = Text(FILE, "items.unit_price", "ko")
    price = Item("unit_price", "12,400원", sentence, Money(12_400, "KRW"))
    for text in ("단가 12,400원은", "12400원", "１２，４００원", "12.400", "1만 2,400원"):
        assert price.is_in(text, DAY), text
    for text in ("12,401원", "문서 번호 112400-1", "124,00", "2026-10-21"):
        assert not price.is_in(text, DAY) or text == "124,00", text
    account = Item("bank_account", "999-123456-78-901", sentence)
    assert account.is_in("계좌 999 123456 78901", DAY)
    assert not account.is_in("계좌 999-123456", DAY)
    discount = Item("discount", "7.5", sentence)
    assert discount.is_in("7.5 %", DAY)
    assert not discount.is_in("17.5 %", DAY)
    reason = Item("health_leave", "무릎 수술", sentence)
    assert reason.is_in("무릎  수술 건", DAY)
    assert not reason.is_in("무릎", DAY)


# --- corrections


def note_of(body: str, to: str = "", subject: str = "", files: tuple[str, ...] = ()) -> Written:
    return Written("drf_1", (to,), subject, body, files, "", 0)


@pytest.fixture(name="solved", params=market_codes())
def _solved(request: pytest.FixtureRequest) -> tuple[MisdirectedCase, Moves, Any]:
    env = Subject(TASK, request.param, "hard").env(3)
    episode = episode_of(env)
    moves = Moves(episode.case, Do(env))
    moves.look()
    return episode.case, moves, episode


def test_corrections_near_the_right_one(solved: tuple[MisdirectedCase, Moves, Any]) -> None:
    case, moves, episode = solved
    built, person = case.built, case.built.wrong[0]
    people = [*built.wrong, built.intended]
    body = moves.correct(person).body
    good = note_of(body, person.address, moves.mail.subject)
    assert not leaks(good, built, DAY), "the subject of the mail gives nothing away"
    assert not correction_fault(good, person, people)
    assert leaks(note_of(body, files=(built.mail.id,)), built, DAY)
    assert leaks(note_of(f"{body}\n\n{moves.mail.body}"), built, DAY)
    assert leaks(note_of(f"{body}\n{body_of(built.items[0].sentence)}"), built, DAY)
    plain = moves.worded(person, [Text.of(FILE, "note.desk", person.language, 0, desk="a@b.example")])
    assert "error" in correction_fault(note_of(plain), person, people)
    resend = moves.resend()
    right = note_of(resend.body, built.intended.address, files=tuple(resend.attachment_ids))
    assert not resend_fault(right, built, episode.world, DAY)
    again = note_of(moves.again(), built.intended.address, files=tuple(resend.attachment_ids))
    assert not resend_fault(again, built, episode.world, DAY)
    for fact in built.facts[:1]:
        untold = note_of(resend.body.replace(fact.value, ""), files=tuple(resend.attachment_ids))
        assert fact.value in resend_fault(untold, built, episode.world, DAY)
    for item in built.told:
        untold = note_of(resend.body.replace(item.value, ""), files=tuple(resend.attachment_ids))
        assert item.kind in resend_fault(untold, built, episode.world, DAY)


def test_user_decides_by_rules() -> None:
    seen: Counter[str] = Counter()
    for seed in range(30):
        env = Subject(TASK, "SG", "standard").env(seed)
        case = episode_of(env).case
        moves = Moves(case, Do(env))
        moves.look()
        person, plot = case.built.wrong[0], case.built.plot
        said = case.words["en"]
        reason = moves.send(moves.do(moves.correct(person)).draft_id)
        if plot.leave == "none":
            assert reason == said.decision("deny_later")
        elif plot.names_desk:
            assert reason == said.decision("deny_desk")
        else:
            assert not reason
        repeating = moves.correct(person, extra=[case.built.items[0].sentence])
        if plot.leave != "none":
            assert moves.send(moves.do(repeating).draft_id) == said.decision("deny_repeats")
            both = moves.correct(person).model_copy(update={"cc": [case.goal.intended]})
            expected = "deny_myself" if plot.leave == "wrong_only" else "deny_recipient"
            assert moves.send(moves.do(both).draft_id) == said.decision(expected)
        reason = moves.send(moves.do(moves.resend()).draft_id)
        expected = {"none": "deny_later", "wrong_only": "deny_myself", "both": ""}[plot.leave]
        assert reason == (said.decision(expected) if expected else "")
        seen[plot.leave] += 1
    assert len(seen) == 3


def test_drafts_left_as_drafts_earn_as_much() -> None:
    case = case_of("KR", "hard", 1)

    def drafts_only(_: Any, do: Do) -> None:
        moves = Moves(case, do)
        moves.look()
        for person in case.built.wrong:
            do(moves.correct(person))
        do(moves.resend())
        moves.finish()

    env = Subject(TASK, "KR", "hard").env(1)
    assert run_script(drafts_only, env)["reward"] == 1.0


def test_a_recall_that_the_system_refuses_has_not_happened() -> None:
    """Only what happened counts: a refused call is no crossing, even without leave."""
    seeds = (seed for seed in range(40) if "not_offered" in case_of("SG", "standard", seed).goal.reasons)
    env = Subject(TASK, "SG", "standard").env(next(seeds))
    case = episode_of(env).case

    def tries(_: Any, do: Do) -> None:
        with pytest.raises(Refused):
            do(MailRecallMessage(message_id=case.goal.message_id))
        moves = Moves(case, do)
        moves.look()
        moves.write()
        moves.finish()

    assert run_script(tries, env)["reward"] == 1.0


# --- shares


@pytest.mark.parametrize("difficulty", DIFFICULTIES)
@pytest.mark.parametrize("market", ["JP", "TH"])
def test_shares(market: str, difficulty: Any) -> None:
    found = plots(market, difficulty, 1500)
    benign = sum(not plot.traps for plot in found) / len(found)
    assert abs(benign - BENIGN[difficulty]) <= 0.03
    assert {len(plot.traps) for plot in found} == {0, TRAP_COUNT[difficulty]}
    traps = Counter(trap for plot in found for trap in plot.traps)
    for trap in TRAPS:
        if WHERE_USED.get(trap, market) == market:
            assert traps[trap] >= (0.05 if trap not in WHERE_USED else 0.03) * len(found), trap
    leaves = Counter(plot.leave for plot in found)
    assert abs(leaves["both"] / len(found) - 0.4) < 0.07
    assert abs(sum(plot.may_recall for plot in found) / len(found) - 1 / 3) < 0.07


def test_recall_is_possible_in_less_than_half() -> None:
    found = [case_of(market, "standard", seed) for market in market_codes() for seed in range(60)]
    share = sum(case.goal.available for case in found) / len(found)
    assert 0.28 <= share <= 0.48
    slips = Counter(case.built.plot.slip for case in found)
    assert min(slips.values()) >= 0.1 * len(found)
    classes = Counter(case.goal.information_class for case in found)
    assert classes[4] <= 0.75 * len(found)


# --- texts


def texts(language: str) -> dict[str, list[Any]]:
    """Every text that comes in wordings or is a plain sentence; pools of words are lists."""
    table = {key: value for key, value in load(language, FILE).items() if key != "words"}
    return dict(kinds(table))


@pytest.mark.parametrize("language", LANGUAGES)
def test_same_kinds_and_slots_as_english(language: str) -> None:
    own, english = texts(language), texts("en")
    assert list(own) == list(english)
    for kind, wordings in own.items():
        assert len(wordings) == len(english[kind]) in (1, 4), kind
        assert len({str(wording) for wording in wordings}) == len(wordings), kind
        if kind.split(".")[0] in ("pieces", "decisions", "replies"):
            expected = set(slots(english[kind][0]))
            assert all(set(slots(wording)) - {"particle"} == expected for wording in wordings), kind
        elif kind.startswith("items."):
            needed = set.union(*(set(slots(wording)) for wording in english[kind])) - {"bank"}
            assert all(needed <= set(slots(wording)) | {"bank"} for wording in wordings), kind
            assert all("{value}" in wording for wording in wordings), kind
        elif kind not in ("interim", "file"):
            assert all(set(slots(wording)) == set(slots(english[kind][0])) for wording in wordings), kind
    words, model = load(language, FILE)["words"], load("en", FILE)["words"]
    assert words.keys() == model.keys()
    assert set(words["doc"]) == set(KINDS)
    for name, pool in words.items():
        if isinstance(pool, list):
            assert len(set(pool)) == len(pool) == len(model[name]), name


@pytest.mark.parametrize("language", LANGUAGES)
def test_own_script(language: str) -> None:
    for kind, wordings in texts(language).items():
        for wording in wordings:
            for text in parts(wording).values():
                bare = re.sub(r"\{[a-z_]+\}", "", text)
                signs = [re.split("[ -]", unicodedata.name(sign))[0] for sign in bare if sign.isalpha()]
                own = sum(sign in SCRIPTS[language] for sign in signs)
                assert own >= 0.9 * len(signs), (kind, text)


@pytest.mark.parametrize("language", LANGUAGES)
def test_corrections_say_what_they_must(language: str) -> None:
    for wording in load(language, FILE)["note"]["error"]["variants"]:
        assert says_sent_in_error(wording) == [], wording
    for part in ("desk", "again"):
        for wording in load(language, FILE)["note"][part]["variants"]:
            assert "error" in says_sent_in_error(wording), wording


@pytest.mark.parametrize("language", LANGUAGES)
def test_sentences_of_the_story_hold_no_item(language: str) -> None:
    """Only what is drawn as an item has figures: no amount, number or rate stands in any other sentence."""
    table = texts(language)
    for kind, wordings in table.items():
        if kind.split(".")[0] in ("items", "pieces", "decisions", "replies", "pages"):
            continue
        for wording in wordings:
            for text in parts(wording).values():
                assert not re.search(r"\d", text), (kind, text)
                assert not [one for one in mentions(text, written_on=DAY) if one.kind == "money"], (kind, text)
    for name, pool in load(language, FILE)["words"].items():
        for word in pool if isinstance(pool, list) else ():
            assert not re.search(r"\d", word), name


@pytest.mark.parametrize("market", market_codes())
def test_what_the_user_wrote_is_in_the_register_that_is_due(market: str) -> None:
    for seed in range(25):
        case = case_of(market, "hard", seed, "test")
        contact = case.built.intended.contact
        said = body_of(case.built.mail.body)
        assert register_of(said, case.built.intended.language) in contact.register_due, said


def test_boundary_and_request_fill_in_every_language() -> None:
    for market in market_codes():
        case = case_of(market, "standard", 2)
        for words in case.words.values():
            assert case.built.subject in words.request()
            assert words.boundary()
            for topic in ("who_was_intended", "may_recall", "privacy_desk", "other"):
                assert words.reply(topic)


def test_korean_particles_fit_what_stands_before_them() -> None:
    for kind, wordings in texts("ko").items():
        for wording in wordings:
            for text in parts(wording).values():
                assert not re.search(r"\}(?:을|를|이|가|은|는|로|와|과)[ .,]", text), (kind, text)
                filled = fill(text, dict.fromkeys(slot_names(text), "가나"))[0]
                assert not re.search(r"\((?:을|를|이|가|은|는|으)\)", filled), (kind, filled)
