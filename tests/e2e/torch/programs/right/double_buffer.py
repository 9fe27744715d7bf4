"""Compute spectra of a long recording through two pinned staging buffers."""
import os

import numpy as np
import torch

DEVICE = torch.device(os.environ.get("DEVICE", "cuda"))
CUDA = DEVICE.type == "cuda"
BLOCK = 32768


def recording(blocks):
    rng = np.random.default_rng(17)
    for number in range(blocks):
        time = np.arange(BLOCK) + number * BLOCK
        noise = rng.standard_normal(BLOCK)
        yield (np.sin(time * 0.2) + 0.3 * noise).astype(np.float32)


class Staging:
    """Host buffers used in turn; a buffer is refilled only when its last copy has ended."""

    def __init__(self, count=2):
        self.buffers = [torch.empty(BLOCK, pin_memory=CUDA) for _ in range(count)]
        self.copied = [torch.cuda.Event() if CUDA else None for _ in range(count)]
        self.turn = 0

    def upload(self, samples):
        buffer, copied = self.buffers[self.turn], self.copied[self.turn]
        self.turn = (self.turn + 1) % len(self.buffers)
        if CUDA:
            copied.synchronize()
        buffer.copy_(torch.from_numpy(samples))
        block = buffer.to(DEVICE, non_blocking=True, copy=True)
        if CUDA:
            copied.record()
        return block


@torch.inference_mode()
def main():
    staging = Staging()
    power = torch.zeros(513, device=DEVICE)
    window = torch.hann_window(1024, device=DEVICE)
    for samples in recording(16):
        frames = staging.upload(samples).view(-1, 1024) * window
        power += torch.fft.rfft(frames).abs().square().mean(dim=0)
    peak = power.argmax().item()
    print(f"peak bin {peak}, power {power[peak].item() / 16:.0f}")


if __name__ == "__main__":
    main()
