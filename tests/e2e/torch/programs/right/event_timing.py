"""Time the forward and backward parts of training steps with events."""
import os

import torch
from torch import nn

DEVICE = torch.device(os.environ.get("DEVICE", "cuda"))


class Marks:
    """Events along a stream; they are read only after the last step."""

    def __init__(self):
        self.events = []

    def mark(self):
        if DEVICE.type == "cuda":
            event = torch.cuda.Event(enable_timing=True)
            event.record()
            self.events.append(event)

    def spans(self):
        if not self.events:
            return []
        self.events[-1].synchronize()
        return [a.elapsed_time(b) for a, b in zip(self.events, self.events[1:])]


def main():
    torch.manual_seed(15)
    x = torch.randn(20 * 64, 100).to(DEVICE)
    y = torch.randn(20 * 64, 10).to(DEVICE)
    model = nn.Sequential(nn.Linear(100, 200), nn.ReLU(), nn.Linear(200, 10)).to(DEVICE)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    marks = Marks()
    marks.mark()
    for inputs, target in zip(x.split(64), y.split(64)):
        loss = nn.functional.mse_loss(model(inputs), target)
        marks.mark()
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
        marks.mark()
    spans = marks.spans()
    print("no negative time:", all(s >= 0 for s in spans), f"loss {loss.item():.3f}")


if __name__ == "__main__":
    main()
