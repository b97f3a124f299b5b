"""What an episode adds to a call through an MCP server, next to a tool that only answers."""

from __future__ import annotations

import asyncio
from statistics import median
from time import thread_time_ns
from typing import Any

from agentbench_env.adapters.session import EpisodeSession
from agentbench_env.extras import need
from benchmarks.measures import FIRST_SEED
from benchmarks.timing import Row, Sizes

ENV_ID = "Agentbench/ta-two-leg-itinerary-SG"
TOOL = "wallet_list_cards"
MOST_CALLS = 1_000
"""The episode's own time limit lets no more happen in it."""


def serving(sizes: Sizes) -> list[Row]:
    """Calls of one client in memory to both servers, in turn: the time of client, protocol and server together."""
    calls = min(sizes.steps // 4, MOST_CALLS)
    nothing, episode = (median(column) / 1e3 for column in zip(*asyncio.run(_play(calls)), strict=True))
    group = "an MCP call in memory"
    return [
        Row(group, "a tool that does nothing, median", nothing, "us"),
        Row(group, "an episode's tool, median", episode, "us"),
        Row(group, "the episode's over the other's", episode - nothing, "us", 100),
    ]


async def _play(calls: int) -> list[tuple[int, int]]:
    from agentbench_env.adapters.mcp import session_server

    client = need("mcp", "mcp").Client
    session = EpisodeSession(ENV_ID, FIRST_SEED, max_steps=2 * MOST_CALLS)
    server = session_server(session)
    twin = _server_of_nothing(session.call_now(TOOL)["content"])
    times: list[tuple[int, int]] = []
    async with client(twin, mode="legacy") as nothing, client(server, mode="legacy") as episode:
        # A client that has not listed the tools does so at its first call.
        for one in (nothing, episode):
            await one.list_tools()
        for _ in range(calls + calls // 10):
            times.append((await _timed(nothing), await _timed(episode)))
    assert not session.done
    return times[calls // 10 :]


async def _timed(client: Any) -> int:
    start = thread_time_ns()
    await client.call_tool(TOOL, {})
    return thread_time_ns() - start


def _server_of_nothing(text: str) -> Any:
    types = need("mcp.types", "mcp")
    tools = [types.Tool(name=TOOL, input_schema={"type": "object"})]

    async def list_tools(_: Any, __: Any) -> Any:
        return types.ListToolsResult(tools=tools)

    async def call_tool(_: Any, __: Any) -> Any:
        return types.CallToolResult(content=[types.TextContent(type="text", text=text)])

    return need("mcp.server", "mcp").Server("nothing", on_list_tools=list_tools, on_call_tool=call_tool)
