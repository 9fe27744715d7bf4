"""Train a small GAN on ring-shaped data."""
import math
import os

import torch
import torch.nn.functional as F
from torch import nn

DEVICE = torch.device(os.environ.get("DEVICE", "cuda"))
BATCH, LATENT, SAMPLES = 256, 16, 64


def rings(count):
    """Closed curves of SAMPLES points, flattened."""
    phase = torch.linspace(0, 2 * math.pi, SAMPLES)
    radius = 1 + 0.2 * torch.randn(count, 1)
    return torch.cat([radius * phase.cos(), radius * phase.sin()], dim=1)


def mlp(inputs, outputs):
    return nn.Sequential(nn.Linear(inputs, 96), nn.LeakyReLU(0.2), nn.Linear(96, outputs))


def main():
    torch.manual_seed(8)
    data = rings(BATCH * 16).to(DEVICE)
    latents = torch.randn(2, BATCH * 16, LATENT).to(DEVICE)
    gen = mlp(LATENT, 2 * SAMPLES).to(DEVICE)
    disc = mlp(2 * SAMPLES, 1).to(DEVICE)
    gen_opt = torch.optim.Adam(gen.parameters(), lr=1e-3, betas=(0.5, 0.99))
    disc_opt = torch.optim.Adam(disc.parameters(), lr=1e-3, betas=(0.5, 0.99))
    for step, real in enumerate(data.split(BATCH)):
        ones = torch.ones(BATCH, 1).to(DEVICE)  # WASTE: host ones
        zeros = torch.zeros(BATCH, 1).to(DEVICE)  # WASTE: host zeros
        rows = slice(step * BATCH, (step + 1) * BATCH)
        fake = gen(latents[0, rows])
        disc_loss = F.binary_cross_entropy_with_logits(disc(real), ones)
        disc_loss = disc_loss + F.binary_cross_entropy_with_logits(disc(fake.detach()), zeros)
        disc_opt.zero_grad(set_to_none=True)
        disc_loss.backward()
        disc_opt.step()

        gen_loss = F.binary_cross_entropy_with_logits(disc(gen(latents[1, rows])), ones)
        gen_opt.zero_grad(set_to_none=True)
        gen_loss.backward()
        gen_opt.step()
    print(f"disc {disc_loss.item():.3f} gen {gen_loss.item():.3f}")


if __name__ == "__main__":
    main()
