"""Feed prompts through a recurrent language model and continue each by its best token."""
import os

import torch
from torch import nn

DEVICE = torch.device(os.environ.get("DEVICE", "cuda"))
WORDS = "the a cat dog sat ran on under mat tree and then it was not here".split()
INDEX = {word: i for i, word in enumerate(WORDS)}


class WordModel(nn.Module):
    def __init__(self, width=64):
        super().__init__()
        self.embed = nn.Embedding(len(WORDS), width)
        self.rnn = nn.GRU(width, width, batch_first=True)
        self.head = nn.Linear(width, len(WORDS))

    def forward(self, ids, state=None):
        out, state = self.rnn(self.embed(ids), state)
        return self.head(out[:, -1]), state


def prefill(model, prompt):
    """State of the model after the prompt, and the scores of the next token."""
    state = None
    for word in prompt.split():
        token = torch.tensor([[INDEX[word]]]).to(DEVICE)  # WASTE, not found: one token at a time
        scores, state = model(token, state)
    return scores, state


@torch.inference_mode()
def main():
    torch.manual_seed(22)
    model = WordModel().eval().to(DEVICE)
    prompts = [
        "the cat sat on the mat and then it ran",
        "a dog ran under the tree and it was not here",
        "the dog was on a mat then the cat was not",
        "it was here and then it was not here",
    ]
    best = []
    for prompt in prompts:
        scores, _ = prefill(model, prompt)
        best.append(scores.argmax(dim=1))
    for prompt, token in zip(prompts, torch.cat(best).tolist()):
        print(prompt, "->", WORDS[token])


if __name__ == "__main__":
    main()
