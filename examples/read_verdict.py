"""Reading the lineage and the verdict: what each step did, where its values came from, and what held."""

from __future__ import annotations

from collections import Counter

import gymnasium as gym

import agentbench_env
from agentbench_env.policies import load_policy

gym.register_envs(agentbench_env)


def main() -> None:
    env = gym.make("Agentbench/ta-two-leg-itinerary-JP")
    observation, _ = env.reset(seed=3)
    load_policy("expert").run(env, observation)
    lineage, verdict = env.unwrapped.lineage, env.unwrapped.verdict

    print("step  effect  changes   approval      hash      tool")
    for entry in lineage:
        changes = ", ".join(change.table for change in entry.changes)
        effect = entry.effect or entry.error
        print(f"{entry.index:4}  {effect:7} {changes:9} {entry.approval:13} {entry.hash[:8]}  {entry.tool}")
    print(f"The chain of hashes holds: {lineage.verify()}\n")

    quote = next(entry for entry in lineage if entry.tool == "booking_quote")
    print(f"Where the arguments of step {quote.index} were first seen:")
    for path, place in lineage.provenance(quote.index).items():
        print(f"  {path}: {place}")
    places = Counter(place.partition(" ")[0] for place in lineage.provenance(len(lineage) - 1).values())
    print(f"Where the values of the answer were first seen: {dict(places)}")
    # What was seen nowhere was computed or chosen, such as a total or an enumeration's value, or was made up.

    print(f"\n{verdict}\n")
    for clause in verdict.clauses:
        print(f"{clause.id}\n  expected {clause.expected}\n  observed {clause.observed}")
        if clause.evidence:
            print(f"  shown by {', '.join(clause.evidence)}")
    env.close()


if __name__ == "__main__":
    main()
