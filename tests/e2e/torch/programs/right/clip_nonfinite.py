"""Train a deep network whose gradients are clipped, with an error if one is not finite."""
import os

import torch
import torch.nn.functional as F
from torch import nn

DEVICE = torch.device(os.environ.get("DEVICE", "cuda"))


class Residual(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.up = nn.Linear(width, 2 * width)
        self.down = nn.Linear(2 * width, width)

    def forward(self, x):
        return x + self.down(F.gelu(self.up(self.norm(x))))


def main():
    torch.manual_seed(10)
    x = torch.randn(24 * 40, 32)
    y = x.cumsum(dim=1)[:, -1:].tanh()
    x, y = x.to(DEVICE), y.to(DEVICE)
    model = nn.Sequential(*[Residual(32) for _ in range(4)], nn.Linear(32, 1)).to(DEVICE)
    optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3)
    norms = []
    for inputs, target in zip(x.split(40), y.split(40)):
        loss = F.mse_loss(model(inputs), target)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        norm = nn.utils.clip_grad_norm_(model.parameters(), 1.0, error_if_nonfinite=True)
        norms.append(norm)
        optimizer.step()
    norms = torch.stack(norms)
    print(f"norms from {norms.min().item():.2f} to {norms.max().item():.2f}")
    print(f"last loss {loss.item():.3f}")


if __name__ == "__main__":
    main()
