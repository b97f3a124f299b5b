"""`agentbench mcp`."""

from __future__ import annotations

import asyncio
import json as jsonlib
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from agentbench_env.cli.output import FAILED, INTERRUPTED, Json, Out, Plain, WrongUse, complain, seconds
from agentbench_env.cli.selection import OneDifficulty, OneSplit, SaltFile, Settings, make, parse_settings, read_salt
from agentbench_env.registry import NAMESPACE, split_env_id
from agentbench_env.rollout.episode_file import SUFFIXES, EpisodeFile
from agentbench_env.rollout.store import Run, Selection, WriteFault, describe_run
from agentbench_env.rollout.trajectory import Key, Trajectory
from agentbench_env.rollout.writer import RunWriter

if TYPE_CHECKING:
    from agentbench_env.adapters.session import EpisodeSession


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    example = """Example: agentbench mcp ta-two-leg-itinerary-SG --seed 4 --out runs/mcp, as the command of a client, or
    agentbench mcp ta-two-leg-itinerary-SG --sessions 8 --http --port 8000 --out runs/mcp"""
    app.command("mcp", epilog=example)(mcp)


def mcp(
    env: Annotated[str, typer.Argument(metavar="ENV", help="An environment, e.g. ta-two-leg-itinerary-SG.")],
    seed: Annotated[int, typer.Option("--seed", min=0, help="The first session's instance.")] = 0,
    sessions: Annotated[
        int, typer.Option("--sessions", min=1, help="Episodes to be played: seeds SEED, SEED + 1, ... as clients come.")
    ] = 1,
    same_seed: Annotated[bool, typer.Option("--same-seed", help="Give every session the same seed.")] = False,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "-o",
            metavar="PATH",
            help="New directory for run.json and the episodes, or a file of episodes: NAME.json or NAME.jsonl.",
        ),
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with the same run in --out, or begin it where there is none.")
    ] = False,
    name: Annotated[str, typer.Option("--name", help="What plays, for the record.")] = "mcp",
    http: Annotated[bool, typer.Option("--http", help="Serve streamable HTTP instead of standard input.")] = False,
    host: Annotated[str, typer.Option("--host", help="Address to listen on, with --http.")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="Port, with --http; 0: a free one.")] = 0,
    idle: Annotated[
        float, typer.Option("--idle", min=1, help="Seconds of silence that end a session, with --http.")
    ] = 1800,
    difficulty: OneDifficulty = "standard",
    split: OneSplit = "train",
    settings: Settings = None,
    salt_file: SaltFile = None,
    json: Json = False,
    plain: Plain = False,
) -> None:
    """Serve episodes to clients of the Model Context Protocol: the client is the policy, a session is an episode.

    The brief is the server's instructions, the environment's tools are its tools. Over standard input a process serves
    one episode, the first that is not recorded yet; over HTTP it serves --sessions of them, at once if clients come at
    once. The verdict goes to --out and, in a line, to the error stream, never to the client. An episode whose client
    goes away is abandoned.
    """
    # Only this command needs the extra.
    from agentbench_env.adapters.mcp import HttpServer, serve_stdio

    Out(json, plain)
    if resume and out is None:
        raise WrongUse("--resume needs --out, the directory or file to go on with")
    task, market = split_env_id(env)
    env_id = f"{NAMESPACE}/{task}-{market}"
    kwargs, secret = parse_settings(split, difficulty, settings), read_salt(salt_file, split)
    make(env_id, kwargs | secret).close()
    seeds, trials = ((seed,), sessions) if same_seed else (tuple(range(seed, seed + sessions)), 1)
    selection = Selection((env_id,), seeds, kwargs, trials)
    with ExitStack() as stack:
        writer = stack.enter_context(_writer(out, describe_run(name, selection), resume)) if out else None
        episodes, interrupted = _Episodes(selection, secret, name, writer, json), False
        if not episodes.left:
            raise WrongUse(f"all {len(selection)} episodes of {out} are recorded")
        if not http:
            asyncio.run(serve_stdio(episodes.open()))
        else:
            try:
                server = HttpServer(episodes.open, episodes.close, host, port, idle)
            except OSError as error:
                raise WrongUse(f"cannot listen on {host}, port {port}: {error.strerror or error}") from error
            episodes.finished = server.stop
            typer.echo(jsonlib.dumps({"url": server.url}) if json else f"serving {server.url}")
            try:
                asyncio.run(server.serve())
            except KeyboardInterrupt:
                interrupted = True
                complain(f"interrupted; {len(episodes.left)} of {len(selection)} episodes were not begun")
        if episodes.fault is not None:
            raise episodes.fault
        if interrupted or episodes.infrastructure:
            raise typer.Exit(INTERRUPTED if interrupted else FAILED)


def _writer(out: Path, run: Run, resume: bool) -> RunWriter | EpisodeFile:
    return (EpisodeFile if out.suffix in SUFFIXES else RunWriter)(out, run, resume)


class _Episodes:
    """The episodes that are still to be played, and what came of the others."""

    def __init__(
        self,
        selection: Selection,
        secret: dict[str, Any],
        name: str,
        writer: RunWriter | EpisodeFile | None,
        json: bool,
    ) -> None:
        done = writer.done if writer else ()
        self.left: list[Key] = [key for key in selection.episodes() if key not in done]
        self.fault: WriteFault | None = None
        self.infrastructure = self._running = 0
        self.finished: Callable[[], object] = lambda: None
        """Called when no episode is left or running."""
        self._options, self._name, self._writer, self._json = selection.kwargs | secret, name, writer, json

    def open(self) -> EpisodeSession:
        """Begin the next episode."""
        from agentbench_env.adapters.mcp import NoMoreEpisodes
        from agentbench_env.adapters.session import EpisodeSession

        if not self.left:
            raise NoMoreEpisodes("all episodes of this server are taken")
        env_id, seed, trial = self.left.pop(0)
        try:
            session = EpisodeSession(env_id, seed, trial=trial, policy=self._name, sink=self._keep, **self._options)
        except Exception:
            self._end_with_last()
            raise
        self._running += 1
        return session

    def close(self, session: EpisodeSession) -> None:
        """Leave an episode whose client is gone."""
        from agentbench_env.adapters.mcp import leave

        leave(session)
        self._running -= 1
        self._end_with_last()

    def _end_with_last(self) -> None:
        if not self.left and not self._running:
            self.finished()

    def _keep(self, episode: Trajectory) -> None:
        self.infrastructure += not episode.scored
        # Nobody may be listening any more, as where the client has closed all pipes.
        with suppress(BrokenPipeError):
            if self._writer is not None:
                try:
                    self._writer.write(episode)
                except WriteFault as error:
                    # Nor could what others would play be kept.
                    self.fault = self.fault or error
                    self.left.clear()
                    complain(str(error))
            typer.echo(_line(episode, self._json), err=True)


def _line(episode: Trajectory, json: bool) -> str:
    broken = list(episode.verdict.broken) if episode.verdict else []
    if json:
        result = {"env_id": episode.env_id, "seed": episode.seed, "trial": episode.trial, "outcome": episode.outcome}
        return jsonlib.dumps({**result, "reward": episode.reward, "steps": len(episode.steps), "broken": broken})
    reward = "none" if episode.reward is None else f"{episode.reward:g}"
    place = f"{episode.env_id} seed {episode.seed}" + (f" trial {episode.trial}" if episode.trial else "")
    spent = f"{len(episode.steps)} steps, {seconds(episode.time['elapsed_s'])}"
    said = f", broken {', '.join(broken)}" if broken else ""
    return f"{place}: {episode.outcome}, reward {reward}, {spent}{said}"
