"""Classify sequences of different lengths with packed batches; the lengths stay on the host."""
import os

import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_sequence
from torch.utils.data import DataLoader

DEVICE = torch.device(os.environ.get("DEVICE", "cuda"))


def collate(rows):
    """The longest sequence first, as the packing wants it."""
    rows = sorted(rows, key=lambda row: -len(row[0]))
    lengths = torch.tensor([len(series) for series, _ in rows])
    labels = torch.tensor([label for _, label in rows])
    return pad_sequence([series for series, _ in rows], batch_first=True), lengths, labels


class Reader(nn.Module):
    def __init__(self, inputs, hidden=32):
        super().__init__()
        self.lstm = nn.LSTM(inputs, hidden, batch_first=True)
        self.head = nn.Linear(hidden, 2)

    def forward(self, series, lengths):
        _, (last, _) = self.lstm(pack_padded_sequence(series, lengths, batch_first=True))
        return self.head(last[-1])


def main():
    torch.manual_seed(34)
    sizes = torch.randint(4, 20, (256,)).tolist()
    series = [torch.randn(n, 6) for n in sizes]
    rows = [(s, int(s[-1, 0] > 0)) for s in series]
    loader = DataLoader(rows, batch_size=16, shuffle=True, collate_fn=collate)
    model = Reader(6).to(DEVICE)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    total = torch.zeros((), device=DEVICE)
    for batch, lengths, labels in loader:
        loss = F.cross_entropy(model(batch.to(DEVICE), lengths), labels.to(DEVICE))
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
        total += loss.detach()
    print(f"mean loss {total.item() / len(loader):.3f}")


if __name__ == "__main__":
    main()
