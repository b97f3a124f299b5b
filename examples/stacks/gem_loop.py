"""Two episodes at once in GEM, with a model that only ever lists its cards.

python examples/stacks/gem_loop.py
"""

from __future__ import annotations

import gem

from agentbench_env.adapters.gem import register_all

TURN = '<tool_call>\n{"name": "wallet_list_cards", "arguments": {}}\n</tool_call>'


def main() -> None:
    register_all()
    env_ids = ["agentbench:ta-two-leg-itinerary-SG", "agentbench:ta-two-leg-itinerary-KR"]
    batch = gem.make_vec(env_ids, seed=0, difficulty="easy", max_steps=3)
    prompts, _ = batch.reset()
    print(f"prompts of {', '.join(str(len(prompt)) for prompt in prompts)} characters")
    results, *_ = batch.step([TURN] * len(env_ids))
    print(results[0][:60])
    for _ in range(2):
        _, rewards, terminated, truncated, _ = batch.step([TURN] * len(env_ids))
    print(
        f"rewards {[float(one) for one in rewards]}, terminated {terminated.tolist()}, truncated {truncated.tolist()}"
    )


if __name__ == "__main__":
    main()
