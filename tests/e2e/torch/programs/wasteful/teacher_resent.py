"""Distil a frozen teacher into a small student over several epochs."""
import copy
import os

import torch
import torch.nn.functional as F
from torch import nn

DEVICE = torch.device(os.environ.get("DEVICE", "cuda"))


def mlp(width):
    return nn.Sequential(nn.Linear(64, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU(),
                         nn.Linear(width, 10))


def train_epoch(student, teacher, optimizer, batches, temperature=2.0):
    total = torch.zeros((), device=DEVICE)
    for x in batches:
        with torch.no_grad():
            target = F.softmax(teacher(x) / temperature, dim=1)
        guess = F.log_softmax(student(x) / temperature, dim=1)
        loss = F.kl_div(guess, target, reduction="batchmean") * temperature ** 2
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
        total += loss.detach()
    return total / len(batches)


def main():
    torch.manual_seed(27)
    master = mlp(512).eval().requires_grad_(False)
    student = mlp(48).to(DEVICE)
    optimizer = torch.optim.Adam(student.parameters(), lr=2e-3)
    batches = torch.randn(6, 128, 64).to(DEVICE)
    for epoch in range(5):
        teacher = copy.deepcopy(master)
        teacher.to(DEVICE)  # WASTE: weights sent again
        mean = train_epoch(student, teacher, optimizer, batches)
        print(f"epoch {epoch}: {mean.item():.4f}")


if __name__ == "__main__":
    main()
