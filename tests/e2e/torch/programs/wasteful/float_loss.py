"""Train and validate a text classifier, with accuracy over the whole validation set."""
import os

import torch
import torch.nn.functional as F
from torch import nn

DEVICE = torch.device(os.environ.get("DEVICE", "cuda"))
VOCAB, CLASSES = 1000, 4


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(VOCAB, 32)
        self.rnn = nn.GRU(32, 32, batch_first=True)
        self.head = nn.Linear(32, CLASSES)

    def forward(self, ids):
        _, last = self.rnn(self.embed(ids))
        return self.head(last[-1])


def train(model, optimizer, batches):
    losses = []
    for ids, labels in batches:
        loss = F.cross_entropy(model(ids), labels)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
        losses.append(float(loss))  # WASTE: wait per step
    return sum(losses) / len(losses)


@torch.no_grad()
def validate(model, batches):
    right = total = 0
    for ids, labels in batches:
        guess = model(ids).argmax(dim=1)
        right += (guess == labels).sum().item()  # WASTE, not found: wait per step
        total += len(labels)
    return right / total


def main():
    torch.manual_seed(15)
    ids = torch.randint(0, VOCAB, (640, 12))
    labels = ids[:, 0] % CLASSES
    ids, labels = ids.to(DEVICE), labels.to(DEVICE)
    batches = list(zip(ids.split(32), labels.split(32)))
    model = Classifier().to(DEVICE)
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    print(f"train loss {train(model, optimizer, batches[:14]):.3f}")
    print(f"accuracy {validate(model, batches[14:]):.3f}")


if __name__ == "__main__":
    main()
