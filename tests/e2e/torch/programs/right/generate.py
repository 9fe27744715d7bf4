"""Continue prompts with a small GPT-2 model of the transformers library."""
import os

import torch
from transformers import GPT2Config, GPT2LMHeadModel

DEVICE = torch.device(os.environ.get("DEVICE", "cuda"))


def build_model():
    config = GPT2Config(
        vocab_size=200, n_positions=64, n_embd=48, n_layer=2, n_head=4,
        bos_token_id=1, eos_token_id=2, pad_token_id=0,
    )
    return GPT2LMHeadModel(config).eval()


@torch.inference_mode()
def main():
    torch.manual_seed(28)
    model = build_model().to(DEVICE)
    for size in (6, 9):
        prompt = torch.randint(3, 200, (4, size)).to(DEVICE)
        mask = torch.ones_like(prompt)
        out = model.generate(
            prompt, attention_mask=mask, max_new_tokens=10, do_sample=False, use_cache=True)
        for row in out.cpu().tolist():
            print(row[size:])


if __name__ == "__main__":
    main()
