"""The pages in a real browser: a click path, the keyboard, both colour schemes, scripts of all directions."""

from __future__ import annotations

import re

import msgspec
import pytest
from browser import chromium, opened
from commandline import run
from recording import write_run
from reporting import DIARY, STAY, TRIP, played

from agentbench_env.rollout.trajectory import Failure

pytestmark = pytest.mark.browser

TASKS, MARKETS = (DIARY, TRIP), ("JP", "TW", "AE")
HOSTILE = '</script><img src=x onerror="document.title = 1"><b>bold</b>'


def spoken(one):
    """Let the assistant of an episode say something in three scripts, and something hostile."""
    messages = [dict(message) for message in one.messages]
    told = next(message for message in messages if message["role"] == "assistant")
    told |= {"content": f"سأتحقق من الموعد (A12) الآن.\n確認します。\n{HOSTILE}", "reasoning_content": "Rules first."}
    return msgspec.structs.replace(one, messages=tuple(messages))


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pages")
    keys = [(task, market, 0) for task in TASKS for market in MARKETS]
    expert = [spoken(played("expert", *key, trial)) for key in keys for trial in (0, 1)]
    first = [played("shortcut:first", *key) for key in keys]
    runs = [write_run(folder / "expert", "expert", expert), write_run(folder / "first", "shortcut:first", first)]
    run("report", *runs, "-o", folder / "report", "--episodes", 15)
    return folder


@pytest.fixture(scope="module")
def browser():
    with chromium() as one:
        yield one


@pytest.fixture
def report(browser, pages):
    with opened(browser, pages / "report" / "index.html") as page:
        yield page


def rows(page):
    return page.locator("#episodes tbody tr")


def test_from_the_heat_map_to_a_broken_clause_and_back(report):
    report.get_by_label("Run shown below").select_option("first")
    report.get_by_role("button", name=re.compile("Travel and accommodation, AE: 0.0 %")).click()
    assert report.get_by_role("status").inner_text() == "1 of 18 episodes"
    assert set(rows(report).locator("td:nth-child(3)").all_inner_texts()) == {"AE"}
    rows(report).locator("a").first.click()
    assert report.locator("h1").inner_text() == f"{TRIP}-AE"
    broken = report.locator("details.broken")
    assert broken.count() >= 1
    assert "expected:" in broken.first.inner_text()
    report.get_by_role("link", name="All episodes").click()
    assert report.get_by_role("status").inner_text() == "1 of 18 episodes", "filters stay"


def test_both_pages_show_the_parts_of_an_injections_run(browser, tmp_path):
    out = tmp_path / "run"
    run("rollout", f"{TRIP}-SG", "--seeds", "0:4", "--injections", "--output", out)
    for command in ("report", "leaderboard"):
        run(command, out, "-o", tmp_path / command)
        with opened(browser, tmp_path / command / "index.html") as page:
            shown = page.locator("section", has_text="Hostile text").locator("tbody tr").all_inner_texts()
            assert [row.split("\t")[1] for row in shown] == ["with hostile text", "without hostile text"]
            assert all("100.0 %" in row for row in shown)


def test_what_is_not_in_full_has_no_link(report):
    assert "15 episodes are in this page in full" in report.locator("#episodes .note").inner_text()
    assert rows(report).count() == 18
    assert rows(report).locator("a").count() == 15


def test_the_table_is_filtered_and_sorted(report):
    report.locator("[name=outcome]").select_option("success")
    report.locator("[name=text]").fill("daily")
    assert set(rows(report).locator("td:nth-child(2)").all_inner_texts()) == {DIARY}
    for sign in (1, -1):
        report.locator("th[data-field=steps] button").click()
        steps = [int(text) for text in rows(report).locator("td:nth-child(7)").all_inner_texts()]
        assert steps == sorted(steps, key=lambda number: sign * number)


def test_a_whole_path_by_keyboard(report):
    report.keyboard.press("Tab")
    report.wait_for_function("document.activeElement.textContent === 'To the content'")
    report.keyboard.press("Enter")
    report.wait_for_function("document.activeElement.id === 'main'")
    while not report.evaluate("document.activeElement.matches('tbody a')"):
        report.keyboard.press("Tab")
    report.keyboard.press("Enter")
    report.wait_for_function("document.activeElement.id === 'main'")
    first = report.locator("#main").inner_text()
    while not report.evaluate("document.activeElement.matches('li summary')"):
        report.keyboard.press("Tab")
    report.keyboard.press("Enter")
    report.wait_for_selector("li details[open] h3")
    report.keyboard.press("n")
    report.wait_for_function("text => document.getElementById('main').innerText !== text", arg=first)
    report.keyboard.press("Escape")
    report.wait_for_selector("#episodes")


def test_an_episode_shows_where_its_values_came_from(report):
    report.locator("[name=task]").select_option(TRIP)
    report.locator("[name=market]").select_option("AE")
    rows(report).locator("a").first.click()
    report.get_by_role("button", name="Unfold all calls").click()
    chip = report.get_by_role("button", name=re.compile(r"^first seen in step \d+$")).last
    step = re.findall(r"\d+", chip.inner_text())[0]
    chip.click()
    report.wait_for_function("id => document.activeElement.closest('details')?.id === id", arg=f"step-{step}")
    assert report.locator("text=What it changed").count() >= 1
    assert report.get_by_text("first seen in the brief").count() >= 1


PLACES = """(line, texts) => {
    const box = line.getBoundingClientRect(), range = document.createRange();
    return texts.map((text) => {
        const start = line.textContent.indexOf(text);
        range.setStart(line.firstChild, start);
        range.setEnd(line.firstChild, start + 1);
        const {left, right} = range.getBoundingClientRect();
        return {left: left - box.left, right: box.right - right};
    });
}"""
"""How far the first letters of texts stand from both ends of their line."""


def test_texts_have_their_directions_and_languages(report):
    report.locator("[name=market]").select_option("AE")
    rows(report).locator("a").first.click()
    arabic, japanese = (report.locator(".said.text").nth(2).locator(".line").nth(number) for number in (0, 1))
    assert [line.get_attribute("lang") for line in (arabic, japanese)] == ["ar", "ja"]
    first, second, code, digit, last = arabic.evaluate(PLACES, ["س", "أ", "A12", "12", "ن."])
    assert first["right"] < 30, "Arabic begins at the right"
    assert first["left"] > second["left"] > code["left"] > last["left"]
    assert code["left"] < digit["left"], "a code inside it reads from left to right"
    assert japanese.evaluate(PLACES, ["確"])[0]["left"] < 30, "the Japanese line of the same text begins at the left"


@pytest.mark.parametrize(("market", "language"), [("JP", "ja"), ("TW", "zh-Hant")])
def test_han_characters_have_the_language_of_their_market(report, market, language):
    report.locator("[name=market]").select_option(market)
    report.locator("[name=task]").select_option(TRIP)
    rows(report).locator("a").last.click()
    report.get_by_role("button", name="Unfold all calls").click()
    report.wait_for_selector(f"bdi[lang='{language}']")
    other = {"ja": "zh-Hant", "zh-Hant": "ja"}[language]
    han_only = report.locator(f"bdi[lang='{other}']").all_inner_texts()
    assert not [text for text in han_only if not re.search("[\u3040-\u30ff]", text)]


def test_hostile_texts_stay_texts(report):
    rows(report).locator("a").first.click()
    said = report.locator(".said.text").nth(2)
    assert HOSTILE in said.inner_text()
    assert report.locator("#main img, #main b").count() == 0
    assert report.title() != "1"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_both_schemes_can_be_read(browser, pages, scheme):
    """Every text has at least the contrast of 4.5 : 1 that WCAG AA asks for."""
    with opened(browser, pages / "report" / "index.html", color_scheme=scheme) as page:
        ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert (ground == "rgb(255, 255, 255)") is (scheme == "light")
        assert page.evaluate(FAINT) == []
        rows(page).locator("a").first.click()
        page.get_by_role("button", name="Unfold all calls").click()
        page.wait_for_selector("li details[open] h3")
        assert page.evaluate(FAINT) == []


FAINT = """() => {
    const canvas = new OffscreenCanvas(1, 1).getContext("2d", {willReadFrequently: true});
    const known = new Map();
    const rgb = (color) => {
        if (!known.has(color)) {
            canvas.clearRect(0, 0, 1, 1);
            canvas.fillStyle = color;
            canvas.fillRect(0, 0, 1, 1);
            known.set(color, [...canvas.getImageData(0, 0, 1, 1).data]);
        }
        return known.get(color);
    };
    const luminance = ([r, g, b]) => [r, g, b].map((part) => part / 255)
        .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
        .reduce((sum, part, n) => sum + part * [0.2126, 0.7152, 0.0722][n], 0);
    const behind = (node) => {
        for (; node; node = node.parentElement) {
            const color = rgb(getComputedStyle(node).backgroundColor);
            if (color[3] === 255) return color;
        }
        return rgb("white");
    };
    const faint = [];
    const walker = document.createTreeWalker(document.getElementById("main"), NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const node = walker.currentNode.parentElement;
        if (!walker.currentNode.data.trim() || !node.getClientRects().length || node.closest("svg, option")) continue;
        const [one, other] = [luminance(rgb(getComputedStyle(node).color)), luminance(behind(node))];
        const contrast = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
        if (contrast < 4.5) faint.push(`${walker.currentNode.data.slice(0, 40)}: ${contrast.toFixed(2)}`);
    }
    return faint;
}"""


def test_why_a_policy_stopped_is_told(browser, pages):
    one = played("expert", TRIP, "SG")
    changes = {"outcome": "abandoned", "reward": 0.0, "verdict": None, "stopped": "context overflow: <too long>"}
    path = write_run(pages / "stopped", "chat", [msgspec.structs.replace(one, steps=one.steps[:2], **changes)])
    run("report", path, "-o", pages / "stopped-report")
    with opened(browser, pages / "stopped-report" / "index.html") as page:
        rows(page).locator("a").first.click()
        assert "The policy stopped. context overflow: <too long>" in page.locator("#main").inner_text()


def test_what_failed_outside_the_score_is_told(browser, pages):
    one = played("expert", TRIP, "SG")
    failure = Failure("endpoint", "<no answer> after 5 tries")
    changes = {"outcome": "infrastructure", "reward": None, "verdict": None, "failure": failure}
    broken = msgspec.structs.replace(one, steps=one.steps[:2], **changes)
    unknown = dict.fromkeys(one.time), dict.fromkeys(one.cost)
    never = msgspec.structs.replace(
        broken, seed=1, brief="", messages=(), steps=(), lineage=(), time=unknown[0], cost=unknown[1]
    )
    path = write_run(pages / "broken", "chat", [broken, never])
    run("report", path, "-o", pages / "broken-report")
    with opened(browser, pages / "broken-report" / "index.html") as page:
        assert rows(page).locator("td:nth-child(6)").all_inner_texts() == ["infrastructure"] * 2
        assert page.locator(".heat button").count() == 0, "nothing is scored"
        rows(page).locator("a").first.click()
        assert "it is the endpoint that failed. <no answer> after 5 tries" in page.locator("#main").inner_text()
        assert page.locator("li summary").count() == 2
        page.keyboard.press("n")
        page.wait_for_function("() => !document.querySelector('li summary')")


def test_a_leaderboard_leads_to_its_reports(browser, pages):
    board = [
        write_run(pages / "board" / name, name, [played(name, STAY, "SG", seed) for seed in range(8)])
        for name in ("expert", "shortcut:first", "shortcut:finish_at_once")
    ]
    run("leaderboard", *board, "-o", pages / "site")
    with opened(browser, pages / "site" / "index.html") as page:
        ranks = page.locator("tbody").first.locator("td:first-child").all_inner_texts()
        assert ranks == ["1", "2 =", "2 ="]
        assert page.locator("text=not separated").count() == 1
        page.get_by_role("link", name="expert").click()
        page.wait_for_selector("#episodes")
        assert rows(page).count() == 8
