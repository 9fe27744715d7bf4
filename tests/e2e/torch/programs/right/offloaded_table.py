"""Train with a large embedding table on the host; only the rows of a batch visit the device."""
import os

import torch
import torch.nn.functional as F
from torch import nn

DEVICE = torch.device(os.environ.get("DEVICE", "cuda"))
ITEMS, WIDTH = 200_000, 32


class HostTable:
    """Embedding rows that are looked up and changed on the host."""

    def __init__(self, rows, width, rate):
        self.weight = torch.randn(rows, width).mul_(0.1)
        self.rate = rate

    def fetch(self, ids):
        unique, inverse = ids.unique(return_inverse=True)
        rows = self.weight[unique].to(DEVICE).requires_grad_()
        return unique, rows, inverse.to(DEVICE)

    def apply(self, unique, gradient):
        self.weight[unique] -= self.rate * gradient.cpu()


def main():
    torch.manual_seed(38)
    ids = (torch.rand(20, 256).square() * 2000).long()
    labels = (ids % 2).float().to(DEVICE)
    table = HostTable(ITEMS, WIDTH, rate=5.0)
    head = nn.Linear(WIDTH, 1).to(DEVICE)
    optimizer = torch.optim.SGD(head.parameters(), lr=0.1)
    losses = []
    for batch, label in zip(ids, labels):
        unique, rows, inverse = table.fetch(batch)
        loss = F.binary_cross_entropy_with_logits(head(rows[inverse]).squeeze(1), label)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
        table.apply(unique, rows.grad)
        losses.append(loss.detach())
    curve = torch.stack(losses).tolist()
    print(f"loss {curve[0]:.4f} -> {curve[-1]:.4f}")


if __name__ == "__main__":
    main()
