"""Data-parallel training by hand: two replicas, gradients added on the first device."""
import copy
import os

import torch
import torch.nn.functional as F
from torch import nn

NAME = os.environ.get("DEVICE", "cuda")
DEVICES = [torch.device(NAME if NAME == "cpu" else f"cuda:{i}") for i in range(2)]


@torch.no_grad()
def broadcast(source, replica):
    for mine, theirs in zip(source.parameters(), replica.parameters()):
        theirs.copy_(mine, non_blocking=True)


def reduce_gradients(source, replica):
    for mine, theirs in zip(source.parameters(), replica.parameters()):
        mine.grad.add_(theirs.grad.to(mine.device, non_blocking=True)).div_(2)


def main():
    torch.manual_seed(25)
    x = torch.randn(1280, 32)
    y = (x[:, 0] > x[:, 1]).long() + (x[:, 2] > 0).long()
    shards = [
        (a.to(d), b.to(d)) for a, b, d in zip(x.chunk(2), y.chunk(2), DEVICES)]
    model = nn.Sequential(nn.Linear(32, 96), nn.ReLU(), nn.Linear(96, 3)).to(DEVICES[0])
    replica = copy.deepcopy(model).to(DEVICES[1])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    for begin in range(0, 640, 40):
        losses = []
        for net, (inputs, labels) in zip((model, replica), shards):
            net.zero_grad(set_to_none=True)
            part = slice(begin, begin + 40)
            loss = F.cross_entropy(net(inputs[part]), labels[part])
            loss.backward()
            losses.append(loss.detach())
        reduce_gradients(model, replica)
        optimizer.step()
        broadcast(model, replica)
    print("last losses", [round(v.item(), 3) for v in losses])


if __name__ == "__main__":
    main()
