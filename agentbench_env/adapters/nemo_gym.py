"""Episodes behind a NeMo-Gym resources server: one episode a session, its tools as routes. Needs Python 3.12."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Iterable
from contextlib import asynccontextmanager, suppress
from logging import getLogger
from pathlib import Path
from time import monotonic
from typing import Any

from pydantic import ConfigDict, Field, PrivateAttr

from agentbench_env.adapters.client_errors import CONFLICT, FAILED, MISTAKES, answered, logged
from agentbench_env.adapters.client_options import asked_episode, sample_columns
from agentbench_env.adapters.session import FAULT, GONE, IDLE_S, EpisodeSession
from agentbench_env.extras import need
from agentbench_env.rollout.trajectory import Trajectory
from agentbench_env.sampling import Sample

_base = need("nemo_gym.base_resources_server", "nemo-gym")
_fastapi = need("fastapi", "nemo-gym")
_session_key: str = need("nemo_gym.server_utils", "nemo-gym").SESSION_ID_KEY
_answer = _fastapi.HTTPException
_log = getLogger(__name__)
_OWN = ("responses_create_params", "agent_ref", "skills_ref")
"""The columns of a row that NeMo-Gym reads or adds, besides those whose names begin with `_ng_`."""


class AgentbenchServerConfig(_base.BaseResourcesServerConfig):
    """What the server's configuration may say besides what NeMo-Gym reads there."""

    idle_s: float = Field(default=IDLE_S, gt=0)
    """Seconds of silence after which a session is closed and its episode abandoned."""
    episodes: Path | None = None
    """File to which the record of every episode is appended, as a line that `agentbench verify` reads."""


class SessionRequest(_fastapi.Request):
    """An HTTP request of a session, which its cookie names."""


class SeedRequest(_base.BaseSeedSessionRequest):
    """A row of data: `env_id`, `seed`, any of `CLIENT_OPTIONS`, and what NeMo-Gym itself puts there."""

    model_config = ConfigDict(extra="allow")

    env_id: str
    seed: int


class VerifyRequest(_base.BaseVerifyRequest):
    """What a model wrote in answer to a row; the reward does not depend on it, but on the calls that were made."""


class VerifyResponse(_base.BaseVerifyResponse):
    """The reward, and how the episode ended."""

    outcome: str
    info: dict[str, Any]


class AgentbenchServer(_base.SimpleResourcesServer):
    """The server. A session's first call is `/seed_session`, its last `/verify`, and each tool has a route between."""

    config: AgentbenchServerConfig
    _episodes: dict[str, tuple[EpisodeSession, float]] = PrivateAttr(default_factory=dict)
    """The sessions' episodes, and when each was last used."""

    def setup_webserver(self) -> Any:
        """Return the application, with the tools' routes after NeMo-Gym's own.

        Raises:
            ValueError: the configuration asks for several workers, or for records where they cannot be written.
        """
        if (self.config.num_workers or 1) > 1:
            text = "a session's episode lives in one process: several servers, each of one worker, share the work"
            raise ValueError(f"num_workers is {self.config.num_workers}; it must be 1, since {text}")
        if self.config.episodes is not None:
            try:
                self.config.episodes.open("ab").close()
            except OSError as error:
                text = f"it must be a file that can be written, in a folder that exists ({error.strerror})"
                raise ValueError(f"episodes is {str(self.config.episodes)!r}; {text}") from error
        app = super().setup_webserver()
        app.post("/{tool}")(self.call)
        served = app.router.lifespan_context

        @asynccontextmanager
        async def lifespan(app: Any) -> AsyncGenerator[Any]:
            async with served(app) as state:
                watch = asyncio.create_task(self._close_silent())
                try:
                    yield state
                finally:
                    watch.cancel()
                    with suppress(asyncio.CancelledError):
                        await watch
                    self._close(list(self._episodes))

        app.router.lifespan_context = lifespan
        return app

    async def seed_session(self, request: SessionRequest, body: SeedRequest) -> Any:
        """Begin the session's episode; one that it had before is abandoned."""
        key = request.session[_session_key]
        # Apart from the client's mistakes: it made none if this fails.
        with answered(_answer):
            self._leave(key)
        with answered(_answer, *MISTAKES):
            row = body.model_dump()
            own = {name for name in row if name in _OWN or name.startswith("_ng_")}
            session = EpisodeSession(sink=logged(self._keep), **asked_episode(row, own))
        self._episodes[key] = session, monotonic()
        return _base.BaseSeedSessionResponse()

    async def call(self, tool: str, request: SessionRequest) -> Any:
        """Carry out a call; what makes no sense is answered by an error, with status 200."""
        session = self._episode(request)
        arguments = (await request.body()).decode("utf-8", "replace") or None
        with answered(_answer):
            result = session.call_now(tool, arguments)
        return _fastapi.Response(result["content"], media_type="application/json")

    async def verify(self, request: SessionRequest, body: VerifyRequest) -> VerifyResponse:
        """Return the reward; an episode that still runs is abandoned. After a fault of the suite there is none: 500."""
        session = self._episode(request)
        with answered(_answer):
            self._leave(request.session[_session_key])
        if session.reward is None:
            raise _answer(FAILED, FAULT)
        given = {name: getattr(body, name) for name in ("responses_create_params", "response")}
        return VerifyResponse(**given, reward=session.reward, outcome=session.outcome, info=session.info)

    def _episode(self, request: Any) -> EpisodeSession:
        """Return the session's episode and note that it was used."""
        key = request.session[_session_key]
        session, _ = self._episodes.get(key, (None, 0.0))
        if session is None:
            text = f"this session has no episode: /seed_session begins one, {self.config.idle_s:g} s of silence end it"
            raise _answer(CONFLICT, text)
        self._episodes[key] = session, monotonic()
        return session

    def _leave(self, key: str, stopped: str = "") -> None:
        session, _ = self._episodes.pop(key, (None, 0.0))
        if session is not None:
            session.close_now(stopped)

    def _keep(self, episode: Trajectory) -> None:
        if self.config.episodes is not None:
            with self.config.episodes.open("ab") as file:
                file.write(episode.line() + b"\n")

    # --- clients that are gone

    async def _close_silent(self) -> None:
        while True:
            await asyncio.sleep(self.config.idle_s / 4)
            oldest = monotonic() - self.config.idle_s
            self._close([key for key, (_, used) in self._episodes.items() if used < oldest])

    def _close(self, keys: list[str]) -> None:
        for key in keys:
            try:
                self._leave(key, GONE)
            except Exception:
                # One that cannot be closed must not keep the others in memory.
                _log.exception("the episode of a client that is gone could not be closed")


def rows(samples: Iterable[Sample], **options: Any) -> list[dict[str, Any]]:
    """Return rows of data: one for each sample, with its brief and its tools.

    Args:
        samples: what to play, e.g. `islice(TaskSampler(...), 1000)`. NeMo-Gym takes equal rows for a group, and can
            also repeat each row (`num_repeats`).
        **options: further arguments of the environments, of those in `CLIENT_OPTIONS`.

    Raises:
        WrongArgument: an id, option or value that does not exist.
        TaskNotBuilt: a contract's task does not exist in this release.
        ValueError: a seed or value that is out of range.
    """
    return [_row(sample_columns(sample, options)) for sample in samples]


def _row(columns: dict[str, Any]) -> dict[str, Any]:
    with EpisodeSession(**asked_episode(columns)) as session:
        tools = [{"type": "function", "strict": False, **tool["function"]} for tool in session.tools]
        asked = {"input": [{"role": "user", "content": session.brief}], "tools": tools}
        return {"responses_create_params": asked, **columns}
