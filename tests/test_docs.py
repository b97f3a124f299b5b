"""Every Python block and every command of the pages is run, and what they state about the suite is true."""

from __future__ import annotations

import re
import shlex
import sys
from importlib import import_module
from pathlib import Path

import pytest
from commandline import data, run
from fake_endpoint import calls, endpoint
from toy import installed

from agentbench_env.cli import app
from agentbench_env.conformance import PROOFS, check_task

ROOT = Path(__file__).parent.parent
PAGES = {str(path.relative_to(ROOT)): path for path in sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])}
TUTORIAL = "docs/writing-a-task.md"
sys.path.insert(0, str(ROOT / "docs"))


def blocks(page, language):
    """Yield the fenced blocks of a page in a language, with the line where each begins."""
    text = PAGES[page].read_text(encoding="utf-8")
    for found in re.finditer(rf"^```{language}\n(.*?)^```$", text, re.DOTALL | re.MULTILINE):
        yield text.count("\n", 0, found.start()) + 1, found[1]


def pages_with(language):
    return [page for page in PAGES if any(blocks(page, language))]


@pytest.mark.parametrize("page", [page for page in pages_with("python") if page != TUTORIAL])
def test_python_blocks(page):
    names = {"__name__": "page"}
    for line, source in blocks(page, "python"):
        exec(compile("\n" * line + source, page, "exec"), names)


def test_the_task_of_the_tutorial_is_fair(tmp_path, monkeypatch):
    source = "\n".join(block for _, block in blocks(TUTORIAL, "python"))
    (tmp_path / "library_copy.py").write_text(source, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    module = import_module("library_copy")
    assert 'library-copy = "library_copy:LibraryCopy"' in PAGES[TUTORIAL].read_text()
    with installed({"library-copy": module.LibraryCopy}):
        for difficulty in ("easy", "hard"):
            report = check_task("library-copy", "SG", seeds=range(24), difficulty=difficulty)
            assert report.ok, report.problems


def commands(page):
    """Return the `agentbench` commands of a page, each with the value of PYTHONPATH before it."""
    lines = [line[2:] for _, block in blocks(page, "console") for line in block.splitlines() if line.startswith("$ ")]
    found = []
    for line in lines:
        words = shlex.split(line)
        path = words.pop(0).partition("=")[2] if words[0].startswith("PYTHONPATH=") else ""
        if words[0] == "agentbench":
            found.append((words[1:], path))
    return found


@pytest.fixture
def a_model(monkeypatch):
    """An endpoint whose model gives up at once, where the pages' commands look for one."""
    unfit = calls(*[("task_finish", {})] * 3, ("wallet_list_cards", {}))
    with endpoint(lambda _: unfit) as fake:
        monkeypatch.setenv("OPENAI_BASE_URL", fake.url)
        yield


@pytest.mark.usefixtures("a_model")
@pytest.mark.parametrize("page", [page for page in pages_with("console") if commands(page)])
def test_commands(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for arguments, path in commands(page):
        with monkeypatch.context() as patch:
            if path:
                patch.syspath_prepend(ROOT / path)
            run(*arguments)


@pytest.mark.parametrize("page", PAGES)
def test_files_and_targets_that_are_named_exist(page):
    text = PAGES[page].read_text(encoding="utf-8")
    folder = PAGES[page].parent
    for target in re.findall(r"\]\((?!https?:|#)([^)#]+)", text):
        assert (folder / target).exists(), target
    made = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in re.findall(r"^\$ make ([a-z]+)|`make ([a-z]+)`", text, re.MULTILINE):
        assert f"\n{target[0] or target[1]}:" in made, target
    for file in re.findall(r"(?:examples|docs|tests|fixtures/build)/\w+\.\w+", text):
        assert (ROOT / file).is_file(), file


def test_the_counts_of_the_readme_are_those_of_the_suite():
    suite = data("list")["counts"]["suite"]
    said = re.search(r"(\d+) of (\d+) contracts are built, (\d+) of (\d+) environments", PAGES["README.md"].read_text())
    assert said is not None
    names = ("contracts_built", "contracts", "environments_built", "environments")
    assert [int(number) for number in said.groups()] == [suite[name] for name in names]


def test_the_readme_tells_every_command():
    known = [command.name for command in app.registered_commands] + [group.name for group in app.registered_groups]
    said = re.findall(r"^\| `agentbench ([a-z]+)", PAGES["README.md"].read_text(), re.MULTILINE)
    assert sorted(said) == sorted(known)


def test_the_page_on_conformance_tells_every_proof():
    rows = [line for line in PAGES["docs/conformance.md"].read_text().splitlines() if line.startswith("| `")]
    assert [name for row in rows for name in re.findall(r"`(\w+)`", row.split("|")[1])] == list(PROOFS)


def test_the_page_on_episodes_tells_every_argument():
    from agentbench_env.rollout.record import environment_arguments

    text = PAGES["docs/episode.md"].read_text()
    assert [name for name in environment_arguments() if f"`{name}" not in text] == []


def test_the_page_on_models_tells_every_option():
    from agentbench_env.policies.chat_options import ChatOptions

    text = PAGES["docs/models.md"].read_text()
    assert [name for name in ChatOptions.__struct_fields__[1:] if f"`{name}`" not in text] == []


def test_the_page_of_public_names_is_current():
    from make_api import FILE, page

    assert FILE.read_text(encoding="utf-8") == page(), "run: make docs"


def test_the_picture_is_current():
    from draw_episode import FILE, draw, play

    assert FILE.read_text(encoding="utf-8") == draw(play()), "run: make docs"


def test_the_demo_shows_the_episode_of_the_picture():
    from draw_episode import ENV_ID, play

    command = f"examples/watch_episode.py {ENV_ID} --seed {play().seed}\n"
    assert command in (ROOT / "Makefile").read_text(encoding="utf-8"), "run: make docs, and write the picture's seed"


def test_the_index_lists_every_page():
    text = PAGES["docs/README.md"].read_text()
    assert [page for page in PAGES if page.startswith("docs/") and f"]({page[5:]})" not in text] == ["docs/README.md"]
