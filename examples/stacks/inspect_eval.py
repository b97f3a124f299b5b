"""A scripted model evaluated by Inspect; a real one is `evaluate(task, model="openai/...")`.

python examples/stacks/inspect_eval.py logs
"""

from __future__ import annotations

import sys

from inspect_ai import eval as evaluate
from inspect_ai.model import ModelOutput, ModelUsage, get_model

from agentbench_env.adapters.inspect_ai import agentbench


def main() -> None:
    task = agentbench(["ta-two-leg-itinerary-SG", "ta-two-leg-itinerary-KR"], seeds=2, difficulty="easy", max_steps=3)

    def list_cards(*_: object) -> ModelOutput:
        output = ModelOutput.for_tool_call("mockllm", "wallet_list_cards", {})
        output.usage = ModelUsage(input_tokens=1, output_tokens=1)
        return output

    model = get_model("mockllm/model", custom_outputs=list_cards)
    (log,) = evaluate(task, model=model, log_dir=sys.argv[1], display="none")
    for sample in log.samples or ():
        print(sample.id, sample.scores["reward"].value, sample.scores["reward"].answer)
    print(f"mean {log.results.scores[0].metrics['mean'].value}; inspect view --log-dir {sys.argv[1]}")


if __name__ == "__main__":
    main()
