"""Score blocks of data that are uploaded on a side stream, ordered by events."""
import os

import torch
from torch import nn

DEVICE = torch.device(os.environ.get("DEVICE", "cuda"))
CUDA = DEVICE.type == "cuda"


class Prefetcher:
    """Uploads the next block while the current one is in use."""

    def __init__(self, blocks):
        self.blocks = iter(blocks)
        self.stream = torch.cuda.Stream() if CUDA else None
        self.fetch()

    def fetch(self):
        block = next(self.blocks, None)
        self.ready = None
        self.block = block
        if block is None or not CUDA:
            return
        with torch.cuda.stream(self.stream):
            self.block = block.to(DEVICE, non_blocking=True)
            self.ready = self.stream.record_event()

    def __iter__(self):
        while self.block is not None:
            block = self.block
            if self.ready is not None:
                torch.cuda.current_stream().wait_event(self.ready)
                block.record_stream(torch.cuda.current_stream())
            self.fetch()
            yield block


@torch.inference_mode()
def main():
    torch.manual_seed(16)
    blocks = torch.randn(16, 128, 256)
    if CUDA:
        blocks = blocks.pin_memory()
    model = nn.Sequential(nn.Linear(256, 256), nn.ReLU(), nn.Linear(256, 1)).to(DEVICE)
    total = torch.zeros((), device=DEVICE)
    for block in Prefetcher(blocks):
        total += model(block).mean()
    print(f"mean score {total.item() / len(blocks):.4f}")


if __name__ == "__main__":
    main()
