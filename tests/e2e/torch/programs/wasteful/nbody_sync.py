"""Simulate gravitating bodies with the leapfrog scheme and check the energy."""
import os

import torch

DEVICE = torch.device(os.environ.get("DEVICE", "cuda"))
SOFTENING = 0.05


def acceleration(pos, mass):
    delta = pos.unsqueeze(0) - pos.unsqueeze(1)
    dist2 = delta.square().sum(-1) + SOFTENING ** 2
    return (delta * (mass / dist2.pow(1.5)).unsqueeze(-1)).sum(dim=1)


def energy(pos, vel, mass):
    kinetic = 0.5 * (mass * vel.square().sum(-1)).sum()
    delta = pos.unsqueeze(0) - pos.unsqueeze(1)
    dist = (delta.square().sum(-1) + SOFTENING ** 2).sqrt()
    pairs = torch.outer(mass, mass) / dist
    return kinetic - 0.5 * (pairs.sum() - pairs.diagonal().sum())


def simulate(pos, vel, mass, steps, dt=1e-3):
    acc = acceleration(pos, mass)
    for _ in range(steps):
        vel = vel + 0.5 * dt * acc
        pos = pos + dt * vel
        acc = acceleration(pos, mass)
        vel = vel + 0.5 * dt * acc
        if DEVICE.type == "cuda":
            torch.cuda.synchronize()  # WASTE: wait per step
    return pos, vel


def main():
    torch.manual_seed(18)
    count = 160
    pos = torch.randn(count, 3).to(DEVICE)
    vel = torch.randn(count, 3).mul(0.3).to(DEVICE)
    mass = torch.rand(count).div(count).to(DEVICE)
    before = energy(pos, vel, mass)
    pos, vel = simulate(pos, vel, mass, steps=40)
    after = energy(pos, vel, mass)
    drift = ((after - before) / before).abs().item()
    print(f"energy {before.item():.4f}, drift below 1e-3: {drift < 1e-3}")


if __name__ == "__main__":
    main()
