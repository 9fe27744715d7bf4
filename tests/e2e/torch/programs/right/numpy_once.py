"""Simulate a membrane on the device and analyse the recorded signal once with SciPy."""
import os

import numpy as np
import torch
import torch.nn.functional as F
from scipy import signal

DEVICE = torch.device(os.environ.get("DEVICE", "cuda"))
SIDE, STEPS = 48, 160


def laplacian(field):
    p = F.pad(field, (1, 1, 1, 1))
    return p[2:, 1:-1] + p[:-2, 1:-1] + p[1:-1, 2:] + p[1:-1, :-2] - 4 * field


@torch.no_grad()
def simulate(speed=0.45, damping=0.002):
    """Height of the membrane at a listening point for every step."""
    line = torch.linspace(-1, 1, SIDE, device=DEVICE)
    now = torch.exp(-((line.view(-1, 1) - 0.2).square() + line.square()) * 20)
    before = now.clone()
    heard = torch.empty(STEPS, device=DEVICE)
    for step in range(STEPS):
        after = (2 - damping) * now - (1 - damping) * before + speed ** 2 * laplacian(now)
        before, now = now, after
        heard[step] = now[SIDE // 3, SIDE // 2]
    return heard


def main():
    heard = simulate().cpu().numpy()
    freq, power = signal.periodogram(heard - heard.mean())
    print(f"loudest frequency {freq[np.argmax(power)]:.4f}")
    peaks, _ = signal.find_peaks(heard, height=0.02)
    print("peaks", peaks.tolist(), f"energy {np.square(heard).sum():.3f}")


if __name__ == "__main__":
    main()
