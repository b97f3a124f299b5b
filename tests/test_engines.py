"""The choice of an engine on the command line."""

from __future__ import annotations

import sys

import pytest
from commandline import data, run
from toy import ENV_ID, install_toy

WAITS = "python:test_concurrent:Waits"


@pytest.fixture(autouse=True)
def _toy():
    install_toy()


@pytest.mark.parametrize(
    ("options", "hint"),
    [
        (("--engine", "spark"), "--engine is 'spark'; it must be one of: local, ray."),
        (("--ray-address", "auto"), "--ray-address belongs to --engine ray"),
        (("--concurrency", 4), "--concurrency is for policies that wait; expert computes: use --workers"),
        (("--policy", WAITS, "--workers", 2), "--workers is for policies that compute; waits waits: use --concurrency"),
    ],
)
def test_options_that_do_not_fit_are_refused(options, hint):
    assert hint in run("rollout", ENV_ID, *options, status=2).stderr


def test_an_engine_that_is_not_installed_is_said_before_anything_is_written(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "ray", None)
    refused = run("rollout", ENV_ID, "--engine", "ray", "-o", tmp_path / "run", status=2)
    assert "pip install 'agentbench-env[ray]' installs it" in refused.stderr
    assert not (tmp_path / "run").exists()


def test_the_address_of_a_cluster_in_the_environment_does_not_concern_the_local_engine(monkeypatch):
    monkeypatch.setenv("RAY_ADDRESS", "127.0.0.1:1")
    assert data("rollout", ENV_ID, "--seeds", "0:2")["total"]["success"] == 2
