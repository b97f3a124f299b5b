"""The `agentbench` command.

Exit status: 0 when all is well, 1 when something failed, 2 for wrong usage.
"""

from __future__ import annotations

from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from agentbench_env.cli import (
    exports,
    listing,
    mcp,
    play,
    reports,
    rollouts,
    scaffolds,
    showing,
    validation,
    verification,
)
from agentbench_env.cli.output import FAILED, WRONG_USAGE, WrongUse, complain
from agentbench_env.errors import ClusterFault, EnvironmentFault, TaskNotBuilt, WrongArgument
from agentbench_env.extras import MissingExtra
from agentbench_env.market import UnknownMarket
from agentbench_env.registry import RELEASE
from agentbench_env.rollout.store import StoreFault, WriteFault


class Commands(TyperGroup):
    """The commands; an error of usage that one raises is said in one line, with exit status 2."""

    def invoke(self, ctx: Any) -> Any:
        """Run the command that was asked for."""
        try:
            return super().invoke(ctx)
        except (WriteFault, ClusterFault) as error:
            complain(str(error))
            raise typer.Exit(FAILED) from error
        except (WrongUse, WrongArgument, TaskNotBuilt, UnknownMarket, StoreFault, MissingExtra) as error:
            complain(str(error))
            raise typer.Exit(WRONG_USAGE) from error
        except EnvironmentFault as error:
            complain(f"the suite's own code failed: {error}")
            raise typer.Exit(FAILED) from error


app = typer.Typer(cls=Commands, no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(RELEASE)
        raise typer.Exit


@app.callback(epilog="Example: agentbench show ta-two-leg-itinerary")
def agentbench(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the suite's release.")
    ] = False,
) -> None:
    """Environments in which a tool-using assistant does real-life errands in six markets."""


for module in (listing, showing, play, mcp, rollouts, verification, reports, exports, validation, scaffolds):
    module.add_to(app)


def main() -> None:
    """Run the command line."""
    app()
