"""Greedy and beam decoding that end when the end token is chosen."""
import os

import torch
from torch import nn

DEVICE = torch.device(os.environ.get("DEVICE", "cuda"))
VOCAB, END, LIMIT = 40, 0, 24


class Decoder(nn.Module):
    def __init__(self, width=48):
        super().__init__()
        self.embed = nn.Embedding(VOCAB, width)
        self.cell = nn.GRUCell(width, width)
        self.head = nn.Linear(width, VOCAB)

    def forward(self, token, state):
        state = self.cell(self.embed(token), state)
        return torch.log_softmax(self.head(state) * 3, dim=1), state


def greedy(model, state):
    token = torch.full((1,), 1, device=DEVICE)
    words = []
    while len(words) < LIMIT:
        scores, state = model(token, state)
        token = scores.argmax(dim=1)
        word = token.item()
        if word == END:
            break
        words.append(word)
    return words


def beam(model, state, width=4):
    """Best finished sequence and its log probability."""
    beams = [(0.0, [1], state)]
    for _ in range(LIMIT):
        live = [b for b in beams if b[1][-1] != END]
        if not live:
            break
        tokens = torch.tensor([b[1][-1] for b in live], device=DEVICE)
        scores, states = model(tokens, torch.cat([b[2] for b in live]))
        top, choice = scores.topk(width, dim=1)
        top, choice = top.tolist(), choice.tolist()
        beams = [b for b in beams if b[1][-1] == END]
        for row, (score, words, _) in enumerate(live):
            for s, w in zip(top[row], choice[row]):
                beams.append((score + s, words + [w], states[row:row + 1]))
        beams = sorted(beams, key=lambda b: -b[0] / len(b[1]))[:width]
    return beams[0][1][1:], beams[0][0]


@torch.inference_mode()
def main():
    torch.manual_seed(19)
    model = Decoder().eval().to(DEVICE)
    start = torch.randn(1, 48).to(DEVICE)
    print("greedy", greedy(model, start)[:12])
    words, score = beam(model, start)
    print("beam", words[:12], f"{score:.3f}")


if __name__ == "__main__":
    main()
