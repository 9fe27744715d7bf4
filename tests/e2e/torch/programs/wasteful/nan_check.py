"""Train a recurrent forecaster with clipped gradients and a record of their norms."""
import os

import torch
from torch import nn

DEVICE = torch.device(os.environ.get("DEVICE", "cuda"))


class Forecaster(nn.Module):
    def __init__(self, hidden=40):
        super().__init__()
        self.cell = nn.LSTM(1, hidden, batch_first=True)
        self.out = nn.Linear(hidden, 1)

    def forward(self, series):
        states, _ = self.cell(series)
        return self.out(states)


def waves(count, length):
    """Sine waves with random frequencies and phases."""
    time = torch.arange(length).float()
    freq = 0.1 + 0.3 * torch.rand(count, 1)
    phase = 6.28 * torch.rand(count, 1)
    return torch.sin(freq * time + phase).unsqueeze(-1)


def main():
    torch.manual_seed(17)
    series = waves(480, 33).to(DEVICE)
    model = Forecaster().to(DEVICE)
    optimizer = torch.optim.RMSprop(model.parameters(), lr=2e-3)
    norms = []
    last = torch.zeros((), device=DEVICE)
    for batch in series.split(24):
        loss = nn.functional.smooth_l1_loss(model(batch[:, :-1]), batch[:, 1:])
        if torch.isnan(loss):  # WASTE: wait per step
            raise RuntimeError("the loss is not a number")
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        norm = nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        norms.append(norm.item())  # WASTE: wait per step
        optimizer.step()
        last = loss.detach()
    print(f"steps {len(norms)}, largest norm {max(norms):.3f}, last loss {last.item():.4f}")


if __name__ == "__main__":
    main()
