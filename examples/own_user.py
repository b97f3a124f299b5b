"""Users of one's own: any object with `decide` and `reply` takes the place of the rule-based user."""

from __future__ import annotations

import json

import gymnasium as gym

import agentbench_env as ab
from agentbench_env.policies import load_policy

ENV_ID = "Agentbench/ta-two-leg-itinerary-SG"


class Sparing:
    """Grants what the task's own user would grant, but only once; answers as the task's own user does."""

    def __init__(self) -> None:
        self.granted = self.denied = 0
        self.said: list[str] = []

    def decide(self, proposal: ab.Proposal, script: ab.Script) -> ab.Decision:
        """Look at the call that is proposed and at the records it refers to, not at the summary."""
        decision = script.decide(proposal)
        if decision.granted and self.granted:
            decision = ab.Decision(False, "One is enough, thank you.")
        self.granted += decision.granted
        self.denied += not decision.granted
        kinds = ", ".join(type(record).__name__ for record in proposal.referred)
        self.said.append(f"{proposal.tool} of a {kinds}: {'yes' if decision.granted else 'no'}. {decision.reason}")
        return decision

    def reply(self, topic: str, question: str, script: ab.Script) -> str:
        """Answer a question."""
        return script.reply(topic, question).text


class Careless:
    """Grants everything."""

    def decide(self, proposal: ab.Proposal, script: ab.Script) -> ab.Decision:
        """Say yes."""
        return ab.Decision(True, "Whatever you think best.")

    def reply(self, topic: str, question: str, script: ab.Script) -> str:
        """Answer a question."""
        return "I leave that to you."


def play(user: ab.User, seed: int) -> ab.Verdict:
    """Let the expert play with a user."""
    env = gym.make(ENV_ID, user=user)
    observation, _ = env.reset(seed=seed)
    load_policy("expert").run(env, observation)
    return env.unwrapped.verdict


def send_a_mail(env: gym.Env) -> None:
    """Draft a mail, get leave from the user, and send it."""
    mail = {"to": ["desk@example.com"], "subject": "Two seats", "body": "Please keep two seats for us."}
    observation, *_ = env.step({"tool": "mail_create_draft", "arguments": mail})
    arguments = {"draft_id": json.loads(observation["content"])["draft_id"]}
    asking = {"tool": "mail_send_draft", "arguments": arguments, "summary": "Send the mail."}
    observation, *_ = env.step({"tool": "user_request_approval", "arguments": asking})
    print(f"  {json.loads(observation['content'])['reason']}")
    env.step({"tool": "mail_send_draft", "arguments": arguments})


def main() -> None:
    user, seed = Sparing(), 0
    while not (user.granted and user.denied):
        user = Sparing()
        verdict = play(user, seed)
        seed += 1
    print("A sparing user:", *user.said, f"outcome {verdict.outcome}", sep="\n  ")

    print("A careless user; mail is forbidden by this contract, with or without leave:")
    env = gym.make(ENV_ID, user=Careless())
    observation, _ = env.reset(seed=0)
    send_a_mail(env)
    load_policy("expert").run(env, observation)
    print(f"  outcome {env.unwrapped.verdict.outcome}, broken {', '.join(env.unwrapped.verdict.broken)}")


if __name__ == "__main__":
    main()
