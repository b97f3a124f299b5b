"""An OpenEnv server of two environments, whose episodes are written as JSON lines.

python examples/stacks/openenv_server.py episodes.jsonl
"""

from __future__ import annotations

import sys
from pathlib import Path

import uvicorn

from agentbench_env.adapters.openenv import create_app

ENV_IDS = ("Agentbench/ta-two-leg-itinerary-SG", "Agentbench/ta-two-leg-itinerary-KR")

if __name__ == "__main__":
    path, port = Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 8000
    with path.open("ab", buffering=0) as file:
        app = create_app(
            ENV_IDS,
            seeds=range(50),
            sink=lambda episode: file.write(episode.line() + b"\n"),
            difficulty="easy",
        )
        uvicorn.run(app, host="127.0.0.1", port=port, log_level="warning")
