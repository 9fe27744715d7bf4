"""Train word vectors with negative samples; one check per epoch reads a flag."""
import os

import torch
import torch.nn.functional as F
from torch import nn

DEVICE = torch.device(os.environ.get("DEVICE", "cuda"))
VOCAB, WIDTH = 1500, 24


class SkipGram(nn.Module):
    def __init__(self):
        super().__init__()
        self.centre = nn.Embedding(VOCAB, WIDTH, sparse=False)
        self.context = nn.Embedding(VOCAB, WIDTH, sparse=False)

    def forward(self, word, near, far):
        v = self.centre(word).unsqueeze(1)
        good = (v * self.context(near).unsqueeze(1)).sum(dim=2)
        bad = (v * self.context(far)).sum(dim=2)
        return -(F.logsigmoid(good).mean() + F.logsigmoid(-bad).mean())


def main():
    torch.manual_seed(26)
    text = torch.randint(0, VOCAB, (1601,))
    far = torch.randint(0, VOCAB, (1600, 5))
    word, near, far = text[:-1].to(DEVICE), text[1:].to(DEVICE), far.to(DEVICE)
    model = SkipGram().to(DEVICE)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    for epoch in range(3):
        total = torch.zeros((), device=DEVICE)
        for part in torch.arange(len(word), device=DEVICE).split(200):
            loss = model(word[part], near[part], far[part])
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            optimizer.step()
            total += loss.detach()
        assert torch.isfinite(total), "the loss has diverged"
    print(f"loss of the last epoch {total.item() / 8:.3f}")


if __name__ == "__main__":
    main()
