"""Train with a warm-up and cosine learning rate that is computed on the host."""
import math
import os

import torch
import torch.nn.functional as F
from torch import nn

DEVICE = torch.device(os.environ.get("DEVICE", "cuda"))
STEPS, WARMUP = 36, 6


def factor(step):
    """Part of the base learning rate at a step."""
    if step < WARMUP:
        return (step + 1) / WARMUP
    progress = (step - WARMUP) / (STEPS - WARMUP)
    return 0.5 * (1 + math.cos(math.pi * progress))


def main():
    torch.manual_seed(5)
    x = torch.randn(STEPS * 48, 30)
    y = (x[:, :15].sum(dim=1) > x[:, 15:].sum(dim=1)).long()
    x, y = x.to(DEVICE), y.to(DEVICE)
    model = nn.Sequential(nn.Linear(30, 64), nn.GELU(), nn.Linear(64, 2)).to(DEVICE)
    optimizer = torch.optim.AdamW(model.parameters(), lr=5e-3, weight_decay=0.01)
    scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, factor)
    losses = torch.empty(STEPS, device=DEVICE)
    rates = []
    for step, (inputs, labels) in enumerate(zip(x.split(48), y.split(48))):
        loss = F.cross_entropy(model(inputs), labels)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
        rates.append(scheduler.get_last_lr()[0])
        scheduler.step()
        losses[step] = loss.detach()
    curve = losses.tolist()
    print(f"rates {rates[0]:.5f} {max(rates):.5f} {rates[-1]:.5f}")
    print(f"loss {curve[0]:.3f} -> {curve[-1]:.3f}")


if __name__ == "__main__":
    main()
