"""Train a one-layer character transformer on a repeating text."""
import os

import torch
import torch.nn.functional as F
from torch import nn

DEVICE = torch.device(os.environ.get("DEVICE", "cuda"))
TEXT = "the quick brown fox jumps over the lazy dog. " * 80
CONTEXT = 64


class CharModel(nn.Module):
    def __init__(self, vocab, width=48):
        super().__init__()
        self.token = nn.Embedding(vocab, width)
        self.position = nn.Parameter(torch.zeros(CONTEXT, width))
        self.attention = nn.MultiheadAttention(width, 4, batch_first=True)
        self.norm = nn.LayerNorm(width)
        self.head = nn.Linear(width, vocab)

    def forward(self, ids):
        n = ids.shape[1]
        x = self.token(ids) + self.position[:n]
        mask = torch.triu(torch.ones(n, n), diagonal=1).bool().to(ids.device)  # WASTE: host mask
        y, _ = self.attention(x, x, x, attn_mask=mask, need_weights=False)
        return self.head(self.norm(x + y))


def main():
    torch.manual_seed(5)
    letters = sorted(set(TEXT))
    index = {c: i for i, c in enumerate(letters)}
    data = torch.tensor([index[c] for c in TEXT]).to(DEVICE)
    windows = data.unfold(0, CONTEXT + 1, 1)
    model = CharModel(len(letters)).to(DEVICE)
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    order = torch.randperm(len(windows)).to(DEVICE)
    total = torch.zeros((), device=DEVICE)
    for step in range(24):
        chunk = windows[order[step * 16:(step + 1) * 16]]
        logits = model(chunk[:, :-1])
        loss = F.cross_entropy(logits.flatten(0, 1), chunk[:, 1:].flatten())
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
        total += loss.detach()
    print(f"mean loss {total.item() / 24:.3f}, last loss {loss.item():.3f}")


if __name__ == "__main__":
    main()
