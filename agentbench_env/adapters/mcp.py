"""Episodes behind a Model Context Protocol server: any client is the policy, and a session is an episode."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
from collections.abc import Callable
from contextlib import suppress
from logging import getLogger
from typing import Any

from agentbench_env.adapters.session import FAULT, GONE, IDLE_S, EpisodeSession
from agentbench_env.errors import AgentbenchError
from agentbench_env.extras import need
from agentbench_env.registry import RELEASE

PATH = "/mcp"
_EPISODE = "agentbench_episode"
_GRACE_S = 2
_lowlevel = need("mcp.server", "mcp")
_types = need("mcp.types", "mcp")
_error = need("mcp.shared.exceptions", "mcp").MCPError
_log = getLogger(__name__)
Closed = Callable[[EpisodeSession], object]


class NoMoreEpisodes(AgentbenchError):
    """All episodes that a server has to give are taken."""


def leave(session: EpisodeSession) -> None:
    """Close the session of a client that is gone."""
    session.close_now(GONE)


def session_server(session: EpisodeSession) -> Any:
    """Return the low-level MCP server of one episode, for a transport with one client: stdio, or memory."""
    return _server(lambda _: session, session.brief)


def sessions_server(open_session: Callable[[], EpisodeSession], closed: Closed = leave) -> Any:
    """Return the low-level MCP server that begins an episode for each MCP session, for a transport with many clients.

    A session begins with the `initialize` handshake. The protocol's version without sessions (2026-07-28) is not
    offered, so that clients that know both fall back to the handshake by themselves.

    Args:
        open_session: begins an episode; may raise `NoMoreEpisodes`.
        closed: takes the session when its client is gone.
    """

    def session_of(context: Any) -> EpisodeSession:
        session = _connection(context).state.get(_EPISODE)
        if session is None:
            text = "An episode needs a session: connect with the initialize handshake."
            raise _error(_types.INVALID_REQUEST, text)
        return session

    async def begin(context: Any, call_next: Any) -> Any:
        result = await call_next(context)
        if context.method != "initialize":
            return result
        connection = _connection(context)
        if _EPISODE not in connection.state:
            try:
                connection.state[_EPISODE] = session = open_session()
            except NoMoreEpisodes as error:
                raise _error(_types.INVALID_REQUEST, str(error)) from error
            except Exception as error:
                _log.exception("an episode cannot begin")
                raise _error(_types.INTERNAL_ERROR, FAULT) from error
            connection.exit_stack.callback(closed, session)
        return {**result, "instructions": connection.state[_EPISODE].brief}

    async def discover(_: Any, __: Any) -> Any:
        versions = list(need("mcp.types.version", "mcp").HANDSHAKE_PROTOCOL_VERSIONS)
        return _types.DiscoverResult(supported_versions=versions, capabilities=server.get_capabilities())

    server = _server(session_of, None)
    server.middleware.append(begin)
    server.add_request_handler("server/discover", _types.RequestParams, discover)
    return server


async def serve_stdio(session: EpisodeSession) -> None:
    """Serve one episode over standard input and output until the client is gone, then leave it."""

    def killed(number: int) -> None:
        try:
            leave(session)
        finally:
            # The thread that waits for input cannot be woken; what is to be kept has been written.
            os._exit(128 + number)

    for number in (signal.SIGINT, signal.SIGTERM):
        with suppress(NotImplementedError):
            asyncio.get_running_loop().add_signal_handler(number, killed, number)
    server = session_server(session)
    try:
        async with need("mcp.server.stdio", "mcp").stdio_server() as streams:
            await server.run(*streams, server.create_initialization_options())
    finally:
        leave(session)


class HttpServer:
    """Serves episodes over streamable HTTP on one port, an episode for each MCP session.

    Args:
        open_session: begins an episode; may raise `NoMoreEpisodes`.
        closed: takes a session when its client is gone: it has ended it, was silent for too long, or the server stops.
        host: address to listen on; anything but a loopback address is reachable by others.
        port: port to listen on; 0 finds a free one.
        idle_s: seconds of silence after which a session is closed.
    """

    def __init__(
        self,
        open_session: Callable[[], EpisodeSession],
        closed: Closed = leave,
        host: str = "127.0.0.1",
        port: int = 0,
        idle_s: float = IDLE_S,
    ) -> None:
        uvicorn = need("uvicorn", "mcp")
        server = sessions_server(open_session, closed)
        app = server.streamable_http_app(
            streamable_http_path=PATH, json_response=True, session_idle_timeout=idle_s, host=host
        )
        config = uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=_GRACE_S)
        self._server = uvicorn.Server(config)
        self._socket = socket.create_server((host, port), family=_family(host))
        # A connection inherits it. Without, every answer waits 40 ms for the acknowledgement of its first packet.
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        shown = f"[{host}]" if ":" in host else host
        self.url = f"http://{shown}:{self._socket.getsockname()[1]}{PATH}"
        """Where clients connect."""

    async def serve(self) -> None:
        """Serve until `stop` is called or a signal to end arrives."""
        await self._server.serve(sockets=[self._socket])

    def stop(self) -> None:
        """Let requests under way end, then stop."""
        self._server.should_exit = True


def _family(host: str) -> socket.AddressFamily:
    return socket.AF_INET6 if ":" in host else socket.AF_INET


def _server(session_of: Callable[[Any], EpisodeSession], instructions: str | None) -> Any:
    async def list_tools(context: Any, _: Any) -> Any:
        functions = [tool["function"] for tool in session_of(context).tools]
        return _types.ListToolsResult(
            tools=[
                _types.Tool(name=one["name"], description=one["description"], input_schema=one["parameters"])
                for one in functions
            ]
        )

    async def call_tool(context: Any, params: Any) -> Any:
        session = session_of(context)
        try:
            result = session.call_now(params.name, params.arguments)
        except Exception:
            # The operator is told what happened; a policy must not learn of the suite's inside.
            _log.exception("a call of %s failed", params.name)
            return _types.CallToolResult(content=[_types.TextContent(type="text", text=FAULT)], is_error=True)
        content = [_types.TextContent(type="text", text=result["content"])]
        return _types.CallToolResult(content=content, is_error=result["is_error"])

    return _lowlevel.Server(
        "agentbench", version=RELEASE, instructions=instructions, on_list_tools=list_tools, on_call_tool=call_tool
    )


def _connection(context: Any) -> Any:
    # The handlers' context has no public way to the connection, whose state and exit stack are meant for them.
    return context.session._connection
