"""Filter blocks of an audio signal with a bank of learned filters."""
import os

import numpy as np
import torch
from torch import nn

DEVICE = torch.device(os.environ.get("DEVICE", "cuda"))
RATE, BLOCK = 16000, 16384


def record(blocks):
    """A noisy sweep, one block at a time, as from a sound card."""
    rng = np.random.default_rng(25)
    for number in range(blocks):
        time = (np.arange(BLOCK) + number * BLOCK) / RATE
        tone = np.sin(2 * np.pi * (200 + 50 * number) * time)
        stereo = np.stack([tone, tone * 0.5]) + 0.1 * rng.standard_normal((2, BLOCK))
        yield stereo.astype(np.float32)


def send(block):
    """The block on the device, by a copy from pinned memory."""
    tensor = torch.from_numpy(block)
    if DEVICE.type == "cuda":
        tensor = tensor.pin_memory()  # WASTE, not found: pinned on each step
    return tensor.to(DEVICE, non_blocking=True)


@torch.no_grad()
def main():
    torch.manual_seed(25)
    bank = nn.Conv1d(2, 8, 65, stride=16, bias=False).to(DEVICE)
    power = torch.zeros(8, device=DEVICE)
    for block in record(20):
        response = bank(send(block).unsqueeze(0))
        power += response.square().mean(dim=(0, 2))
    print("power", [round(p, 3) for p in power.tolist()])


if __name__ == "__main__":
    main()
