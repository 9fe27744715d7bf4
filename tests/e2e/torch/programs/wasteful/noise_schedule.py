"""Train a tiny denoising diffusion model on two-dimensional points."""
import math
import os

import torch
import torch.nn.functional as F
from torch import nn

DEVICE = torch.device(os.environ.get("DEVICE", "cuda"))
STEPS = 1000


class Diffusion:
    def __init__(self):
        betas = torch.linspace(1e-4, 0.02, STEPS)
        self.alphas_bar = torch.cumprod(1 - betas, dim=0)

    def add_noise(self, x, noise, t):
        abar = self.alphas_bar.to(x.device)[t].unsqueeze(1)  # WASTE: constant
        return abar.sqrt() * x + (1 - abar).sqrt() * noise


class Denoiser(nn.Module):
    def __init__(self, width=64):
        super().__init__()
        self.register_buffer("freq", torch.exp(-math.log(1e4) * torch.arange(16) / 16))
        self.net = nn.Sequential(
            nn.Linear(2 + 32, width), nn.SiLU(), nn.Linear(width, width), nn.SiLU(),
            nn.Linear(width, 2),
        )

    def forward(self, x, t):
        angle = t.unsqueeze(1) * self.freq
        return self.net(torch.cat([x, angle.sin(), angle.cos()], dim=1))


def main():
    torch.manual_seed(4)
    angle = torch.rand(4096) * 2 * math.pi
    points = torch.stack([angle.cos(), angle.sin()], dim=1).to(DEVICE)
    diffusion = Diffusion()
    model = Denoiser().to(DEVICE)
    optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3)
    losses = []
    for batch in points.split(128):
        t = torch.randint(0, STEPS, (len(batch),), device=DEVICE)
        noise = torch.randn_like(batch)
        loss = F.mse_loss(model(diffusion.add_noise(batch, noise, t), t), noise)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
        losses.append(loss.detach())
    curve = torch.stack(losses).tolist()
    print("steps", len(curve), "improved", curve[-1] < curve[0])


if __name__ == "__main__":
    main()
