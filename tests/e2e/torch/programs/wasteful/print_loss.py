"""Fit an implicit image network (coordinates to colours) and show its progress."""
import os

import torch
from torch import nn

DEVICE = torch.device(os.environ.get("DEVICE", "cuda"))
SIDE = 48


class Siren(nn.Module):
    def __init__(self, width=64):
        super().__init__()
        self.first = nn.Linear(2, width)
        self.second = nn.Linear(width, width)
        self.last = nn.Linear(width, 3)

    def forward(self, xy):
        x = torch.sin(20 * self.first(xy))
        return self.last(torch.sin(self.second(x)))


def picture():
    """Coordinates in [-1, 1] and the colours of a smooth test picture."""
    line = torch.linspace(-1, 1, SIDE)
    y, x = torch.meshgrid(line, line, indexing="ij")
    colours = torch.stack([x.sin(), (3 * y).cos(), x * y], dim=-1)
    return torch.stack([x, y], dim=-1).reshape(-1, 2), colours.reshape(-1, 3)


def main():
    torch.manual_seed(16)
    coords, colours = (t.to(DEVICE) for t in picture())
    model = Siren().to(DEVICE)
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    steps = 25
    for step in range(steps):
        loss = (model(coords) - colours).square().mean()
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
        print(f"[{step + 1:2d}/{steps}] loss {loss:.3f}")  # WASTE: wait per step


if __name__ == "__main__":
    main()
