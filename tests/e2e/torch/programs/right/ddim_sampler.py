"""Sample points from a denoising model; the schedule is moved to the device once."""
import os

import torch
from torch import nn

DEVICE = torch.device(os.environ.get("DEVICE", "cuda"))
STEPS = 200


class Denoiser(nn.Module):
    def __init__(self):
        super().__init__()
        self.time = nn.Embedding(STEPS, 16)
        self.net = nn.Sequential(nn.Linear(18, 64), nn.SiLU(), nn.Linear(64, 2))

    def forward(self, x, t):
        return self.net(torch.cat([x, self.time(t)], dim=1))


class Sampler:
    """Deterministic sampling over a part of the training steps."""

    def __init__(self, model, stride=8):
        self.model = model
        bars = torch.cumprod(1 - torch.linspace(1e-4, 0.04, STEPS), dim=0)
        self.bars = torch.cat([torch.ones(1), bars]).to(DEVICE)
        self.times = list(range(STEPS, 0, -stride))

    @torch.no_grad()
    def run(self, x):
        previous = self.times[1:] + [0]
        for now, after in zip(self.times, previous):
            t = torch.full((len(x),), now - 1, device=x.device)
            noise = self.model(x, t)
            clean = (x - (1 - self.bars[now]).sqrt() * noise) / self.bars[now].sqrt()
            x = self.bars[after].sqrt() * clean + (1 - self.bars[after]).sqrt() * noise
        return x


def main():
    torch.manual_seed(36)
    model = Denoiser().eval().to(DEVICE)
    noise = torch.randn(512, 2).to(DEVICE)
    points = Sampler(model).run(noise)
    mean, spread = points.mean(dim=0).tolist(), points.std(dim=0).tolist()
    print("mean", [round(v, 2) for v in mean], "spread", [round(v, 2) for v in spread])


if __name__ == "__main__":
    main()
