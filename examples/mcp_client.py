"""A policy that knows nothing but the Model Context Protocol: the server's instructions, its tools, their results.

Needs the extra mcp: pip install 'agentbench-env[mcp]'
"""

from __future__ import annotations

import asyncio
import json
import sys

from mcp import Client, StdioServerParameters

SERVE = "from agentbench_env.cli import main; main()"  # elsewhere the command is simply: agentbench
ARGUMENTS = ["-c", SERVE, "mcp", "ta-two-leg-itinerary-SG", "--seed", "4", "--difficulty", "easy"]


async def main() -> None:
    async with Client(StdioServerParameters(command=sys.executable, args=ARGUMENTS)) as client:
        brief = json.loads(client.instructions or "")
        print("The user:", brief["request"])
        tools = {tool.name for tool in (await client.list_tools()).tools}
        print(f"{len(tools)} tools, task_finish is one:", "task_finish" in tools)
        for tool, arguments in (("wallet_list_cards", {}), ("papers_get", {"paper_id": "nowhere"})):
            result = await client.call_tool(tool, arguments)
            print(tool, "error" if result.is_error else "ok", result.content[0].text[:80])
    # The client leaves without an answer; the server's line on the error stream says: abandoned, reward 0.


if __name__ == "__main__":
    asyncio.run(main())
