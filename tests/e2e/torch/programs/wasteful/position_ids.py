"""Serve sentence embeddings: requests are padded to one length and encoded in batches."""
import os
import queue

import torch
from torch import nn

DEVICE = torch.device(os.environ.get("DEVICE", "cuda"))
LENGTH, VOCAB, WIDTH = 32, 500, 64


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(VOCAB, WIDTH, padding_idx=0)
        self.places = nn.Embedding(LENGTH, WIDTH)
        self.layer = nn.TransformerEncoderLayer(WIDTH, 4, 128, batch_first=True)

    def forward(self, ids):
        positions = torch.arange(ids.shape[1]).to(ids.device)  # WASTE: host arange
        scale = torch.tensor([0.5, 2.0], device=ids.device)  # WASTE: host literal
        x = self.words(ids) * scale[1] + self.places(positions) * scale[0]
        return self.layer(x).mean(dim=1)


def fill(requests, count):
    generator = torch.Generator().manual_seed(11)
    for _ in range(count):
        ids = torch.zeros(8, LENGTH, dtype=torch.long)
        for row in ids:
            n = int(torch.randint(5, LENGTH, (), generator=generator))
            row[:n] = torch.randint(1, VOCAB, (n,), generator=generator)
        requests.put(ids)
    requests.put(None)


@torch.no_grad()
def main():
    torch.manual_seed(6)
    model = Encoder().eval().to(DEVICE)
    requests = queue.Queue()
    fill(requests, 20)
    answers = []
    while (ids := requests.get()) is not None:
        answers.append(model(ids.to(DEVICE)).cpu())
    table = torch.cat(answers)
    print("answers", tuple(table.shape), "norm", round(table.norm().item(), 2))


if __name__ == "__main__":
    main()
