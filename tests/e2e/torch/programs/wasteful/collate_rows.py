"""Embed sentences of different lengths; the collate function pads them on the device."""
import os

import torch
from torch import nn
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader

DEVICE = torch.device(os.environ.get("DEVICE", "cuda"))
VOCAB = 3000


def make_sentences(count):
    generator = torch.Generator().manual_seed(21)
    lengths = torch.randint(6, 40, (count,), generator=generator).tolist()
    return [torch.randint(1, VOCAB, (n,), generator=generator) for n in lengths]


def collate(sentences):
    rows = [s.to(DEVICE) for s in sentences]  # WASTE: one row at a time
    return pad_sequence(rows, batch_first=True)


class MeanPool(nn.Module):
    def __init__(self, width=64):
        super().__init__()
        self.words = nn.Embedding(VOCAB, width, padding_idx=0)
        self.project = nn.Linear(width, width)

    def forward(self, ids):
        mask = (ids != 0).unsqueeze(-1)
        total = (self.words(ids) * mask).sum(dim=1)
        return self.project(total / mask.sum(dim=1))


@torch.no_grad()
def main():
    torch.manual_seed(21)
    model = MeanPool().eval().to(DEVICE)
    loader = DataLoader(make_sentences(480), batch_size=40, collate_fn=collate)
    vectors = torch.cat([model(ids) for ids in loader])
    cosine = nn.functional.cosine_similarity(vectors[:-1], vectors[1:]).mean()
    print(f"vectors {tuple(vectors.shape)}, mean cosine {cosine.item():.4f}")


if __name__ == "__main__":
    main()
