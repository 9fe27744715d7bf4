"""Train a network split over two devices as a two-stage pipeline."""
import os

import torch
import torch.nn.functional as F
from torch import nn

NAME = os.environ.get("DEVICE", "cuda")
FIRST = torch.device(NAME if NAME == "cpu" else "cuda:0")
SECOND = torch.device(NAME if NAME == "cpu" else "cuda:1")


class TwoStage(nn.Module):
    def __init__(self):
        super().__init__()
        self.lower = nn.Sequential(nn.Linear(784, 512), nn.ReLU(), nn.LayerNorm(512)).to(FIRST)
        self.upper = nn.Sequential(nn.Linear(512, 128), nn.ReLU(), nn.Linear(128, 10)).to(SECOND)

    def forward(self, x):
        h = self.lower(x)
        h = h.cpu().to(SECOND)  # WASTE: through the host
        return self.upper(h)


def main():
    torch.manual_seed(12)
    images = torch.rand(64 * 20, 784).to(FIRST)
    labels = torch.randint(0, 10, (64 * 20,)).to(SECOND)
    model = TwoStage()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    total = torch.zeros((), device=SECOND)
    for x, y in zip(images.split(64), labels.split(64)):
        loss = F.cross_entropy(model(x), y)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
        total += loss.detach()
    print(f"mean loss {total.item() / 20:.3f}")


if __name__ == "__main__":
    main()
