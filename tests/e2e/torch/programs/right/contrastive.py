"""Momentum contrast: a queue of keys on the device serves as negative examples."""
import copy
import os

import torch
import torch.nn.functional as F
from torch import nn

DEVICE = torch.device(os.environ.get("DEVICE", "cuda"))
BATCH, DIM, QUEUE = 32, 40, 256


class Moco(nn.Module):
    def __init__(self):
        super().__init__()
        self.query = nn.Sequential(nn.Linear(DIM, 64), nn.ReLU(), nn.Linear(64, 32))
        self.key = copy.deepcopy(self.query).requires_grad_(False)
        self.register_buffer("queue", F.normalize(torch.randn(QUEUE, 32), dim=1))
        self.register_buffer("target", torch.zeros(BATCH, dtype=torch.long))
        self.place = 0

    def forward(self, a, b, momentum=0.95, temperature=0.2):
        q = F.normalize(self.query(a), dim=1)
        with torch.no_grad():
            for slow, fast in zip(self.key.parameters(), self.query.parameters()):
                slow.lerp_(fast, 1 - momentum)
            k = F.normalize(self.key(b), dim=1)
        good = (q * k).sum(dim=1, keepdim=True)
        bad = q @ self.queue.clone().t()
        self.queue[self.place:self.place + BATCH] = k
        self.place = (self.place + BATCH) % QUEUE
        return F.cross_entropy(torch.cat([good, bad], dim=1) / temperature, self.target)


def main():
    torch.manual_seed(37)
    base = torch.randn(24 * BATCH, DIM)
    views = torch.stack([base + 0.2 * torch.randn_like(base) for _ in range(2)])
    views = views.to(DEVICE)
    model = Moco().to(DEVICE)
    optimizer = torch.optim.SGD(model.query.parameters(), lr=0.1, momentum=0.9)
    losses = []
    for a, b in zip(views[0].split(BATCH), views[1].split(BATCH)):
        loss = model(a, b)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
        losses.append(loss.detach())
    print("loss", [round(v, 2) for v in torch.stack(losses)[::6].tolist()])


if __name__ == "__main__":
    main()
