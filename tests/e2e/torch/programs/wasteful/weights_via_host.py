"""A trainer on one device hands fresh weights to an actor on another device."""
import os

import torch
from torch import nn

NAME = os.environ.get("DEVICE", "cuda")
TRAINER = torch.device(NAME if NAME == "cpu" else "cuda:0")
ACTOR = torch.device(NAME if NAME == "cpu" else "cuda:1")
OBS, ACTIONS = 24, 5


def build_policy():
    return nn.Sequential(nn.Linear(OBS, 128), nn.Tanh(), nn.Linear(128, ACTIONS))


@torch.no_grad()
def publish(source, target):
    """Copy every parameter of source into target."""
    for mine, theirs in zip(source.parameters(), target.parameters()):
        theirs.copy_(mine.detach().cpu())  # WASTE: through the host


@torch.no_grad()
def act(policy, observations):
    return policy(observations).argmax(dim=1)


def main():
    torch.manual_seed(13)
    policy = build_policy().to(TRAINER)
    actor = build_policy().to(ACTOR)
    optimizer = torch.optim.Adam(policy.parameters(), lr=1e-2)
    seen = torch.randn(12, 64, OBS)
    observations, targets = seen.to(ACTOR), seen[..., :ACTIONS].to(TRAINER)
    training = seen.to(TRAINER)
    chosen = torch.zeros(ACTIONS, dtype=torch.long, device=ACTOR)
    for step in range(12):
        publish(policy, actor)
        actions = act(actor, observations[step])
        chosen += nn.functional.one_hot(actions, ACTIONS).sum(dim=0)
        loss = (policy(training[step]) - targets[step]).square().mean()
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
    print("actions", chosen.tolist(), f"loss {loss.item():.3f}")


if __name__ == "__main__":
    main()
