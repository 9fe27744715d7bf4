"""Learn to balance a pole: the environment runs on the host, the policy on the device."""
import math
import os

import numpy as np
import torch
from torch import nn

DEVICE = torch.device(os.environ.get("DEVICE", "cuda"))


class Pole:
    """A pole on a cart, with the usual constants."""

    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)

    def reset(self):
        self.state = self.rng.uniform(-0.05, 0.05, 4)
        return self.state.astype(np.float32)

    def step(self, action):
        x, v, angle, spin = self.state
        force = 10.0 if action else -10.0
        part = (force + 0.05 * spin ** 2 * math.sin(angle)) / 1.1
        turn = (9.8 * math.sin(angle) - math.cos(angle) * part) / (
            0.5 * (4 / 3 - 0.1 * math.cos(angle) ** 2 / 1.1))
        push = part - 0.05 * turn * math.cos(angle) / 1.1
        self.state = self.state + 0.02 * np.array([v, push, spin, turn])
        done = abs(self.state[0]) > 2.4 or abs(self.state[2]) > 0.21
        return self.state.astype(np.float32), 1.0, done


def main():
    torch.manual_seed(20)
    env = Pole(20)
    policy = nn.Sequential(nn.Linear(4, 32), nn.Tanh(), nn.Linear(32, 2)).to(DEVICE)
    optimizer = torch.optim.Adam(policy.parameters(), lr=1e-2)
    lengths = []
    for _ in range(5):
        state, done, log_probs, rewards = env.reset(), False, [], []
        while not done and len(rewards) < 40:
            scores = policy(torch.from_numpy(state).to(DEVICE))
            log_p = torch.log_softmax(scores, dim=0)
            action = int(env.rng.random() < log_p[1].exp().item())
            log_probs.append(log_p[action])
            state, reward, done = env.step(action)
            rewards.append(reward)
        returns = np.cumsum(rewards[::-1])[::-1].astype(np.float32)
        weights = torch.from_numpy(returns - returns.mean()).to(DEVICE)
        loss = -(torch.stack(log_probs) * weights).mean()
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
        lengths.append(len(rewards))
    print("episode lengths", lengths)


if __name__ == "__main__":
    main()
