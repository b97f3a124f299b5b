"""Which file of a thread is current: the worked example, the traps, what mails say, and answers near the right one."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import pytest
from case_kit import Cases
from wordings_kit import LANGUAGES, assert_own_script, assert_says_the_same, kinds, load

from agentbench_env.conformance.subject import Subject, episode_of
from agentbench_env.draw import SPLITS, Draw
from agentbench_env.market import load_market, market_codes, market_table
from agentbench_env.policies.expert import run_script
from agentbench_env.task import DIFFICULTIES, Setting
from agentbench_env.zones import to_local
from agentbench_tasks.calendar_mail.domain.filenames import FileNames
from agentbench_tasks.calendar_mail.domain.versions.beats import Order
from agentbench_tasks.calendar_mail.domain.versions.build import Built, build
from agentbench_tasks.calendar_mail.domain.versions.case import VersionsCase
from agentbench_tasks.calendar_mail.domain.versions.moves import Moves, sender_day
from agentbench_tasks.calendar_mail.domain.versions.plot import ACTIVE, BENIGN, MAILS, TRAPS, Plot, draw_plot
from agentbench_tasks.commons.attempts import NoFit
from agentbench_tasks.commons.messages import Attachment, Message, printed
from agentbench_tasks.commons.texts import body_of

TASK = "ec-latest-attachment-retrieval"
case_of = Cases(TASK, VersionsCase).case_of
TEXTS = ("versions", "thread_talk", "latest_file")
EXAMPLE = Plot(
    traps=("reattached_old", "duplicate_resend", "withdrawn"),
    versions=4,
    mails=16,
    steps=("announce", "announce", "propose"),
    names=("plain", "numbered", "revised", "dated"),
    others=("annex",),
    branched_from=1,
)
"""The worked example of the specification: A, B, C and D; B once more, D once more, E withdrawn."""


def setting(market: str, difficulty: Any = "standard", split: Any = "train") -> Setting:
    loaded = load_market(market)
    return Setting(loaded, split, difficulty, loaded.languages[0])


def built_of(plot: Plot, market: str = "KR") -> Built:
    for number in range(20):
        try:
            return build(Draw("example", market, number), setting(market), plot)
        except NoFit:
            continue
    raise AssertionError("the plot fits into no time")


def contents(built: Built) -> list[tuple[str, str]]:
    """Who brings what, in order."""
    files = built.attached
    return [(files[id].document, mail.sender.address) for mail in built.mails for id in mail.attachment_ids]


@pytest.mark.parametrize("market", market_codes())
def test_worked_example(market: str) -> None:
    built = built_of(EXAMPLE, market)
    goal, brought = built.goal, [content for content, _ in contents(built) if content.startswith("main")]
    assert goal.current == "main.4"
    assert goal.replaced == {"main.1", "main.2", "main.3"}
    assert goal.aside == {"main.wrong"}
    assert brought[:4] == ["main.1", "main.2", "main.3", "main.4"]
    later = brought[4:]
    assert sorted(later)[-2:] == ["main.4", "main.wrong"]
    assert sorted(later)[0] in goal.replaced
    first, again = [address for content, address in contents(built) if content == "main.4"]
    assert first != again


def test_the_newest_mail_may_carry_an_old_file() -> None:
    plot = Plot(("forward_old_date",), 3, 12, ("announce", "propose"), ("plain", "revised", "dated"), ("annex",), 1)
    built = built_of(plot)
    last = built.mails[-1]
    assert last.kind == "forward"
    assert built.attached[last.attachment_ids[0]].document in built.goal.replaced
    assert last.quotes == built.goal.origins[built.attached[last.attachment_ids[0]].document].message_id


def test_only_the_table_tells_two_files_apart() -> None:
    plot = Plot(("in_file_table",), 4, 20, ("announce",) * 3, ("plain", "numbered", "final", "same"), ("annex",), 1)
    built = built_of(plot, "SG")
    mail = next(m for m in built.mails if m.id == built.goal.origins["main.4"].message_id)
    files = [built.attached[id] for id in mail.attachment_ids]
    assert {file.document for file in files} == {"main.3", "main.4"}
    assert len({file.filename for file in files}) == 1
    rows = {file.document: body_of(file.text).count("Rev ") for file in files}
    assert rows == {"main.3": 3, "main.4": 4}


@pytest.mark.parametrize("market", market_codes())
def test_an_evening_abroad_is_the_next_day(market: str) -> None:
    plot = Plot(("day_edge",), 3, 14, ("announce", "propose"), ("plain", "revised", "dated"), ("annex",), 1)
    built = built_of(plot, market)
    origin = built.goal.origins["main.3"]
    assert origin.on > origin.on_there
    assert built.goal.days("main.3") == (origin.on,)


@pytest.mark.parametrize("difficulty", DIFFICULTIES)
@pytest.mark.parametrize("market", ["KR", "AE"])
def test_shares_of_traps(market: str, difficulty: Any) -> None:
    plots = [draw_plot(Draw("shares", market, difficulty, seed), setting(market, difficulty)) for seed in range(500)]
    benign = sum(not plot.traps for plot in plots) / len(plots)
    assert abs(benign - BENIGN[difficulty]) <= 0.03
    assert all(len(set(plot.traps)) in (0, ACTIVE[difficulty]) for plot in plots)
    shares = Counter(trap for plot in plots for trap in plot.traps)
    assert all(shares[trap] / len(plots) >= 0.05 for trap in TRAPS), shares


@pytest.mark.parametrize("market", market_codes())
@pytest.mark.parametrize("difficulty", DIFFICULTIES)
def test_threads_keep_their_measure(market: str, difficulty: Any) -> None:
    for seed in range(6):
        built = case_of(market, difficulty, seed).built
        least, most = MAILS[difficulty]
        assert least <= len(built.mails) <= most
        assert all(
            earlier.sent_at < later.sent_at for earlier, later in zip(built.mails, built.mails[1:], strict=False)
        )
        assert built.mails[-1].sent_at < built.office.now
        people = {person.address: person.contact for person in built.office.people}
        for mail in built.mails:
            card = people[mail.sender.address]
            local = to_local(mail.sent_at, card.zone)
            assert mail.zone == card.zone
            assert "07:00" < local[11:] < "19:30", local
            assert {a.address for a in (mail.sender, *mail.to, *mail.cc)} == {p.address for p in built.circle.everybody}


@pytest.mark.parametrize("market", market_codes())
def test_equal_contents_have_equal_hashes(market: str) -> None:
    for seed in range(4):
        case = case_of(market, "hard", seed)
        ids = [id for mail in case.built.mails for id in mail.attachment_ids]
        files = [case.start.get(Attachment, id) for id in ids]
        pairs = {(file.document, file.content_hash) for file in files}
        assert len({document for document, _ in pairs}) == len({hashed for _, hashed in pairs}) == len(pairs)
        for file in files:
            if file.document.startswith("main."):
                rows = body_of(file.text).rstrip().splitlines()
                assert str(len(re.findall(r"^.+ \| .+ \| .+ \| .+$", "\n".join(rows), re.M))) == str(
                    rows_of(file, case)
                )


def rows_of(file: Attachment, case: VersionsCase) -> int:
    """How many revisions a file's table must show."""
    state = file.document.partition(".")[2]
    plot = case.built.plot
    return {"branch": plot.branched_from + 1, "wrong": plot.versions + 1}.get(state) or int(state)


@pytest.mark.parametrize("split", SPLITS)
@pytest.mark.parametrize("market", market_codes())
def test_file_names_differ_unless_they_are_meant_to(market: str, split: Any) -> None:
    language = load_market(market).languages[0]
    for seed in range(20):
        names = FileNames(Draw("names", market, seed, split=split), language, "stem")
        day = "2026-10-06"
        drawn = [names.plain(day), names.final(day), *(names.revised(day) for _ in range(8)), names.numbered(4, day)]
        assert len(set(drawn)) == len(drawn)


def test_days_in_names_are_written_in_the_years_of_the_language() -> None:
    for language, written in (("zh-Hant", "1151006"), ("th", "25691006"), ("ko", "20261006")):
        assert written in FileNames(Draw("day", language), language, "stem").dated("2026-10-06")


def test_talk_says_nothing_of_versions_and_answers_fit() -> None:
    case = case_of("SG", "hard", 1)
    talk = [mail for mail in case.built.mails if not mail.stated and not mail.attachment_ids]
    assert len(talk) > 15
    order = Order(Draw("order"), EXAMPLE, case.built.circle).beats()
    answered = [beat for beat in order if beat.kind.startswith("answer.") and beat.reply_to]
    assert all(beat.reply_to and beat.reply_to.wording == beat.wording for beat in answered)
    assert all(beat.reply_to and beat.reply_to.writer is beat.reader for beat in answered)


def test_thread_is_read_in_few_pages() -> None:
    for market in ("KR", "AE"):
        env = Subject(TASK, market, "hard", "train").env(2)
        info = run_script(episode_of(env).task.expert, env)
        assert info["reward"] == 1
        assert info["steps"] <= 14


def finish(market: str, seed: int, difficulty: Any, change: Any) -> tuple[bool, tuple[str, ...]]:
    env = Subject(TASK, market, difficulty, "train").env(seed)

    def script(case: VersionsCase, do: Any) -> None:
        moves = Moves(case, do)
        moves.read_thread()
        moves.compare()
        moves.deliver(*change(moves, case, moves.claim(case.goal.current), moves.replaced()))

    run_script(script, env)
    verdict = env.unwrapped.verdict  # type: ignore[attr-defined]
    return verdict.success, verdict.broken


def test_an_attachment_may_be_cited_where_its_mail_was_read() -> None:
    def cites_the_attachment(moves: Moves, case: VersionsCase, claim: Any, replaced: list[str]) -> Any:
        sent = claim.sent_on.model_copy(update={"sources": [claim.attachment.value]})
        return claim.model_copy(update={"sent_on": sent}), replaced[::-1]

    assert finish("JP", 3, "standard", cites_the_attachment) == (True, ())


def test_an_unread_source_carries_nothing() -> None:
    def cites_nothing(moves: Moves, case: VersionsCase, claim: Any, replaced: list[str]) -> Any:
        file = claim.attachment.model_copy(update={"sources": ["msg_unknown"]})
        return claim.model_copy(update={"attachment": file}), replaced

    assert finish("JP", 3, "standard", cites_nothing) == (False, ("final.current_attachment_named",))


def test_the_senders_day_is_right_only_where_no_other_was_asked_for() -> None:
    def senders_day(moves: Moves, case: VersionsCase, claim: Any, replaced: list[str]) -> Any:
        mail, _ = moves.with_content(case.goal.current)[0]
        sent = claim.sent_on.model_copy(update={"value": sender_day(mail)})
        return claim.model_copy(update={"sent_on": sent}), replaced

    seeds = [seed for seed in range(60) if case_of("TW", "standard", seed).built.plot.has("day_edge")]
    assert seeds
    for seed in seeds[:3]:
        assert finish("TW", seed, "standard", senders_day) == (False, ("final.message_date_and_sender_right",))
        words = case_of("TW", "standard", seed).words["en"].request()
        assert "my " in words or "where I am" in words


def texts(language: str, file: str) -> dict[str, list[Any]]:
    """Every text of a file by kind; names of files are none."""
    table = load(language, file)
    return dict(kinds({kind: rows for kind, rows in table.items() if kind != "names"}))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("file", TEXTS)
def test_same_kinds_and_slots_as_english(language: str, file: str) -> None:
    assert_says_the_same(texts(language, file), texts("en", file), ("particle", "ask", "me"))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("file", TEXTS)
def test_own_script(language: str, file: str) -> None:
    assert_own_script(texts(language, file), language)


def test_every_market_has_sites_in_its_languages() -> None:
    for market in market_codes():
        sites = market_table(market, "versions")["sites"]
        assert len(sites) >= 12
        for language in (load_market(market).languages[0], "en"):
            assert len({site[language] for site in sites}) == len(sites)


@pytest.mark.parametrize("market", market_codes())
def test_mails_read_as_mails(market: str) -> None:
    case = case_of(market, "standard", 4)
    for mail in case.start.all(Message):
        assert printed(mail, case.start).strip()
        assert "{" not in printed(mail, case.start)
