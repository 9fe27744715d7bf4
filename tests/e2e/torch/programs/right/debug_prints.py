"""Train a matrix factorisation; the first steps print tensors to help with debugging."""
import os

import torch
from torch import nn

DEVICE = torch.device(os.environ.get("DEVICE", "cuda"))
DEBUG_STEPS = 2


class Factors(nn.Module):
    def __init__(self, rows, cols, rank):
        super().__init__()
        self.left = nn.Parameter(torch.randn(rows, rank) * 0.1)
        self.right = nn.Parameter(torch.randn(cols, rank) * 0.1)

    def forward(self, i, j):
        return (self.left[i] * self.right[j]).sum(dim=1)


def ratings(rows, cols, count):
    i = torch.randint(0, rows, (count,))
    j = torch.randint(0, cols, (count,))
    return i, j, torch.sin(i.float() * 0.05) + torch.cos(j.float() * 0.1)


def main():
    torch.manual_seed(3)
    torch.set_printoptions(precision=3, sci_mode=False)
    i, j, values = (t.to(DEVICE) for t in ratings(120, 90, 2560))
    model = Factors(120, 90, 6).to(DEVICE)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.05)
    for step, part in enumerate(torch.arange(len(values), device=DEVICE).split(128)):
        guess = model(i[part], j[part])
        error = guess - values[part]
        loss = error.square().mean()
        if step < DEBUG_STEPS:
            print("guess", guess[:4].detach())
            print("factors", model.left[0])
            print("loss", loss.detach())
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
    print(f"final loss {loss.item():.3f}")


if __name__ == "__main__":
    main()
