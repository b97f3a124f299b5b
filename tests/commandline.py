"""Runs the command line in this process."""

from __future__ import annotations

import json

from typer.testing import CliRunner

from agentbench_env.cli import app


def run(*arguments, status=0, input=None):
    result = CliRunner().invoke(app, [str(argument) for argument in arguments], input=input)
    assert result.exit_code == status, result.output + repr(result.exception)
    return result


def data(*arguments, status=0):
    return json.loads(run(*arguments, "--json", status=status).stdout)
