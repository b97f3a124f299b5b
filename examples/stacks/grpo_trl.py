"""Two GRPO updates of a tiny random model by TRL on a CPU: a smoke test of the whole recipe, which learns no task.

python examples/stacks/grpo_trl.py runs/grpo

What such a model earns is 0 in every episode, and equal rewards update nothing; so `letters` is added, which is no
reward for anything. docs/training.md says what to change for real training, first of all to leave `letters` out.
"""

from __future__ import annotations

import sys
from itertools import islice
from typing import Any

from datasets import Dataset
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import PreTrainedTokenizerFast, Qwen3Config, Qwen3ForCausalLM, set_seed
from trl import GRPOConfig, GRPOTrainer
from trl.chat_template_utils import qwen3_chat_template

from agentbench_env.adapters.trl import environment_class, rows
from agentbench_env.sampling import TaskSampler

ENV_IDS = ("ta-two-leg-itinerary-SG", "ta-two-leg-itinerary-KR")
SPECIAL = ("<|endoftext|>", "<|im_start|>", "<|im_end|>")
MARKS = ("<tool_call>", "</tool_call>", "<think>", "</think>")


def tiny_tokenizer(text: str) -> PreTrainedTokenizerFast:
    """Make a tokenizer for the tools' own words, so that their many schemas are not too long a prompt."""
    bare = Tokenizer(models.BPE())
    bare.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    bare.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=2000, special_tokens=[*SPECIAL], initial_alphabet=alphabet)
    bare.train_from_iterator([text], trainer)
    bare.add_tokens([*MARKS])
    made = PreTrainedTokenizerFast(tokenizer_object=bare, eos_token="<|im_end|>", pad_token="<|endoftext|>")
    made.chat_template = qwen3_chat_template
    return made


def tiny_model(tokenizer: PreTrainedTokenizerFast) -> Qwen3ForCausalLM:
    config = Qwen3Config(
        vocab_size=len(tokenizer),
        hidden_size=16,
        intermediate_size=32,
        num_hidden_layers=1,
        num_attention_heads=2,
        num_key_value_heads=1,
        head_dim=8,
        max_position_embeddings=32768,
        pad_token_id=tokenizer.pad_token_id,
        eos_token_id=tokenizer.eos_token_id,
    )
    return Qwen3ForCausalLM(config)


def letters(completions: list[list[dict[str, Any]]], **_: Any) -> list[float]:
    """Count letters: what differs between texts of a random model, so that there is something to update by."""
    return [
        float(sum(letter.isalpha() for turn in turns for letter in turn.get("content") or "")) for turns in completions
    ]


def main() -> None:
    set_seed(0)
    # The trainer itself repeats each row `num_generations` times: the sampler's groups are of one.
    sampler = TaskSampler(ENV_IDS, difficulties=("easy",))
    environment = environment_class("ta")
    tokenizer = tiny_tokenizer(str([method.__doc__ for method in vars(environment).values()]))
    config = GRPOConfig(
        output_dir=sys.argv[1],
        max_steps=2,
        per_device_train_batch_size=2,
        num_generations=2,
        max_completion_length=16,
        max_tool_calling_iterations=2,
        logging_steps=1,
        save_strategy="no",
        report_to="none",
        gradient_checkpointing=False,
        use_cpu=True,
    )
    model = tiny_model(tokenizer)
    before = {name: weights.detach().clone() for name, weights in model.named_parameters()}
    trainer = GRPOTrainer(
        model=model,
        reward_funcs=[letters],
        processing_class=tokenizer,
        args=config,
        train_dataset=Dataset.from_list(rows(islice(sampler, 4))),
        environment_factory={"ta": environment},
    )
    trainer.train()
    for row in trainer.state.log_history:
        if f"rewards/{environment.__name__}/mean" in row:
            earned, added = (row[f"rewards/{name}/mean"] for name in (environment.__name__, "letters"))
            print(f"step {row['step']}: contract {earned}, letters {added}, gradient norm {row['grad_norm']:.3g}")
    changed = sum(not weights.detach().cpu().equal(before[name]) for name, weights in model.named_parameters())
    print(f"weights changed in {changed} of {len(before)} tensors")


if __name__ == "__main__":
    main()
