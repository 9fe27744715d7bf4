"""Train a tagger on sentences of different lengths; every batch brings its own mask."""
import os

import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader

DEVICE = torch.device(os.environ.get("DEVICE", "cuda"))
VOCAB, TAGS = 300, 6


def collate(sentences):
    """Padded tokens and a mask that is true on the padding."""
    lengths = torch.tensor([len(s) for s in sentences])
    tokens = pad_sequence(sentences, batch_first=True)
    return tokens, torch.arange(tokens.shape[1]) >= lengths.unsqueeze(1)


class Tagger(nn.Module):
    def __init__(self, width=48):
        super().__init__()
        self.embed = nn.Embedding(VOCAB, width)
        self.layer = nn.TransformerEncoderLayer(width, 4, 96, dropout=0.0, batch_first=True)
        self.head = nn.Linear(width, TAGS)

    def forward(self, tokens, padding):
        return self.head(self.layer(self.embed(tokens), src_key_padding_mask=padding))


def main():
    torch.manual_seed(12)
    lengths = torch.randint(5, 30, (320,)).tolist()
    sentences = [torch.randint(1, VOCAB, (n,)) for n in lengths]
    loader = DataLoader(sentences, batch_size=20, shuffle=True, collate_fn=collate,
                        pin_memory=DEVICE.type == "cuda")
    model = Tagger().to(DEVICE)
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    total = torch.zeros((), device=DEVICE)
    for tokens, padding in loader:
        tokens = tokens.to(DEVICE, non_blocking=True)
        padding = padding.to(DEVICE, non_blocking=True)
        scores = model(tokens, padding)
        losses = F.cross_entropy(scores.transpose(1, 2), tokens % TAGS, reduction="none")
        loss = losses.masked_fill(padding, 0).sum() / (~padding).sum()
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
        total += loss.detach()
    print(f"mean loss {total.item() / len(loader):.3f}")


if __name__ == "__main__":
    main()
