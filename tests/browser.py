"""A real browser for the tests of pages, where one is installed."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import which
from typing import Any

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome")


@contextmanager
def chromium() -> Iterator[Any]:
    """Start a headless Chromium; skip the test, and say why, where there is none."""
    api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: pip install playwright")
    with api.sync_playwright() as playwright:
        own = playwright.chromium.executable_path
        path = next(filter(None, map(which, NAMES)), own if Path(own).exists() else None)
        if path is None:
            pytest.skip(f"no Chromium: none of {', '.join(NAMES)} is installed, nor playwright's own")
        # Chromium's sandbox does not run as root, as in containers.
        arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
        browser = playwright.chromium.launch(executable_path=path, args=arguments)
        yield browser
        browser.close()


@contextmanager
def opened(browser: Any, file: Path, **context: Any) -> Iterator[Any]:
    """Open a file without network; fail if the page raises, complains, or asks for anything."""
    pages = browser.new_context(offline=True, viewport={"width": 1280, "height": 900}, **context)
    page, complaints = pages.new_page(), list[str]()
    page.on("console", lambda message: complaints.append(f"{message.type}: {message.text}"))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on(
        "request", lambda request: complaints.append(request.url) if request.url[:5] not in ("file:", "data:") else None
    )
    page.goto(file.as_uri())
    page.wait_for_selector("h1")
    yield page
    pages.close()
    assert complaints == []
