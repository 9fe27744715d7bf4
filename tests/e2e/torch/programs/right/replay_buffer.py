"""Q-learning from a prioritised replay buffer on the host, updated after every step."""
import os

import numpy as np
import torch
from torch import nn

DEVICE = torch.device(os.environ.get("DEVICE", "cuda"))
STATE, ACTIONS, BATCH = 12, 3, 64


class Replay:
    """Transitions with priorities; the priorities change with the errors of the learner."""

    def __init__(self, size, rng):
        self.rng = rng
        self.state = rng.standard_normal((size, STATE)).astype(np.float32)
        self.next = (0.9 * self.state + 0.1).astype(np.float32)
        self.action = rng.integers(0, ACTIONS, size)
        self.reward = self.state[:, :ACTIONS][np.arange(size), self.action]
        self.priority = np.ones(size)

    def sample(self):
        p = self.priority / self.priority.sum()
        rows = self.rng.choice(len(p), BATCH, p=p)
        fields = self.state[rows], self.action[rows], self.reward[rows], self.next[rows]
        return rows, [torch.from_numpy(f).to(DEVICE) for f in fields]

    def update(self, rows, errors):
        self.priority[rows] = errors + 1e-3


def main():
    torch.manual_seed(13)
    replay = Replay(4000, np.random.default_rng(13))
    net = nn.Sequential(nn.Linear(STATE, 64), nn.ReLU(), nn.Linear(64, ACTIONS)).to(DEVICE)
    optimizer = torch.optim.Adam(net.parameters(), lr=3e-3)
    for _ in range(30):
        rows, (state, action, reward, after) = replay.sample()
        with torch.no_grad():
            goal = reward + 0.5 * net(after).amax(dim=1)
        value = net(state).gather(1, action.unsqueeze(1)).squeeze(1)
        error = value - goal
        optimizer.zero_grad(set_to_none=True)
        error.square().mean().backward()
        optimizer.step()
        replay.update(rows, error.detach().abs().cpu().numpy())
    print(f"mean priority {replay.priority.mean():.2f}, largest {replay.priority.max():.1f}")


if __name__ == "__main__":
    main()
