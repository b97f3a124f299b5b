"""Episodes behind a NeMo-Gym resources server: one episode a session, its tools as routes. Needs Python 3.12."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pydantic import PrivateAttr

from agentbench_env.adapters.client_options import client_options
from agentbench_env.adapters.session import FAULT, EpisodeSession
from agentbench_env.errors import AgentbenchError
from agentbench_env.extras import need

_base = need("nemo_gym.base_resources_server", "nemo-gym")
_fastapi = need("fastapi", "nemo-gym")
_session_key: str = need("nemo_gym.server_utils", "nemo-gym").SESSION_ID_KEY
CONFLICT, UNPROCESSABLE, FAILED = 409, 422, 500


class SessionRequest(_fastapi.Request):
    """An HTTP request of a session, which its cookie names."""


class SeedRequest(_base.BaseSeedSessionRequest):
    """A row of data, as far as it names the episode."""

    env_id: str
    seed: int
    options: dict[str, Any] = {}


class VerifyRequest(_base.BaseVerifyRequest):
    """What a model wrote in answer to a row; the reward does not depend on it, but on the calls that were made."""


class VerifyResponse(_base.BaseVerifyResponse):
    """The reward, and how the episode ended."""

    outcome: str
    info: dict[str, Any]


class AgentbenchServer(_base.SimpleResourcesServer):
    """The server. A session's first call is `/seed_session`, its last `/verify`, and each tool has a route between."""

    _episodes: dict[str, EpisodeSession] = PrivateAttr(default_factory=dict)

    def setup_webserver(self) -> Any:
        """Return the application, with the tools' routes after NeMo-Gym's own."""
        app = super().setup_webserver()
        app.post("/{tool}")(self.call)
        return app

    async def seed_session(self, request: SessionRequest, body: SeedRequest) -> Any:
        """Begin the session's episode; one that it had before is abandoned."""
        key = request.session[_session_key]
        self._leave(key)
        try:
            self._episodes[key] = EpisodeSession(body.env_id, body.seed, **client_options(body.options))
        except (ValueError, AgentbenchError) as error:
            raise _fastapi.HTTPException(UNPROCESSABLE, str(error)) from error
        return _base.BaseSeedSessionResponse()

    async def call(self, tool: str, request: SessionRequest) -> Any:
        """Carry out a call; what makes no sense is answered by an error, with status 200."""
        session = self._episode(request)
        result = await session.call(tool, (await request.body()).decode("utf-8", "replace") or None)
        return _fastapi.Response(result["content"], media_type="application/json")

    async def verify(self, request: SessionRequest, body: VerifyRequest) -> VerifyResponse:
        """Return the reward; an episode that still runs is abandoned. After a fault of the suite there is none: 500."""
        session = self._episode(request)
        self._leave(request.session[_session_key])
        if session.reward is None:
            raise _fastapi.HTTPException(FAILED, FAULT)
        given = {name: getattr(body, name) for name in ("responses_create_params", "response")}
        return VerifyResponse(**given, reward=session.reward, outcome=session.outcome, info=session.info)

    def _episode(self, request: Any) -> EpisodeSession:
        session = self._episodes.get(request.session[_session_key])
        if session is None:
            raise _fastapi.HTTPException(CONFLICT, "this session has no episode; /seed_session begins one")
        return session

    def _leave(self, key: str) -> None:
        session = self._episodes.pop(key, None)
        if session is not None:
            session.close_now()


def rows(env_ids: Iterable[str], seeds: Iterable[int], **options: Any) -> list[dict[str, Any]]:
    """Return rows of data: every environment with every seed, each with its brief and its tools.

    Args:
        env_ids: ids of environments.
        seeds: the seeds.
        **options: arguments of the environments, of those in `CLIENT_OPTIONS`: the server takes no others from a row.

    Raises:
        WrongArgument: an id, option or value that does not exist.
        TaskNotBuilt: a contract's task does not exist in this release.
        ValueError: a seed or value that is out of range.
    """
    numbers, options = tuple(seeds), client_options(options)
    return [_row(env_id, seed, options) for env_id in env_ids for seed in numbers]


def _row(env_id: str, seed: int, options: dict[str, Any]) -> dict[str, Any]:
    with EpisodeSession(env_id, seed, **options) as session:
        tools = [{"type": "function", "strict": False, **tool["function"]} for tool in session.tools]
        asked = {"input": [{"role": "user", "content": session.brief}], "tools": tools}
        return {"responses_create_params": asked, "env_id": session.env_id, "seed": seed, "options": options}
