"""Keep an exponential moving average of the weights on the device while training."""
import copy
import os

import torch
import torch.nn.functional as F
from torch import nn

DEVICE = torch.device(os.environ.get("DEVICE", "cuda"))


class Ema:
    def __init__(self, model, decay):
        self.shadow = copy.deepcopy(model).requires_grad_(False)
        self.decay = decay

    @torch.no_grad()
    def update(self, model):
        torch._foreach_lerp_(
            list(self.shadow.parameters()), list(model.parameters()), 1 - self.decay)
        for mine, theirs in zip(self.shadow.buffers(), model.buffers()):
            mine.copy_(theirs)


@torch.no_grad()
def accuracy(model, x, y):
    return (model.eval()(x).argmax(dim=1) == y).float().mean().item()


def main():
    torch.manual_seed(9)
    x = torch.randn(1024, 24)
    y = (x[:, 0] * x[:, 1] > 0).long()
    x, y = x.to(DEVICE), y.to(DEVICE)
    model = nn.Sequential(
        nn.Linear(24, 64), nn.BatchNorm1d(64), nn.ReLU(), nn.Linear(64, 2)).to(DEVICE)
    ema = Ema(model, decay=0.9)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(2):
        for inputs, labels in zip(x.split(64), y.split(64)):
            loss = F.cross_entropy(model(inputs), labels)
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            optimizer.step()
            ema.update(model)
    print(f"model {accuracy(model, x, y):.2f}, average {accuracy(ema.shadow, x, y):.2f}")


if __name__ == "__main__":
    main()
