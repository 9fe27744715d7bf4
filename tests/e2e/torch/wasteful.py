"""What PyTorch programs waste, one case a function: the marked line is to be found."""

import sys

import torch

STEPS = 20
DEVICE = "cuda"


def repeated():
    weights = torch.randn(1024, 256)
    for _ in range(STEPS):
        moved = weights.to(DEVICE)  # FIND: repeated-transfer
        moved.sum()


def ping_pong():
    layer = torch.nn.Linear(256, 256).to(DEVICE)
    x = torch.randn(1024, 256, device=DEVICE)
    for _ in range(STEPS):
        h = layer(x).cpu()
        x = h.to(DEVICE)  # FIND: round-trip


def module_moved_in_loop():
    layer = torch.nn.Linear(1024, 1024)
    for _ in range(STEPS):
        layer.to(DEVICE)  # FIND: repeated-transfer (emulated), FIND: round-trip (gpu)
        layer(torch.randn(64, 1024, device=DEVICE))
        layer.to("cpu")  # FIND: round-trip (emulated)


def item_each_step():
    x = torch.randn(1024, 1024, device=DEVICE)
    total = 0.0
    for _ in range(STEPS):
        x = x @ x
        total += x[0, 0].item()  # FIND: sync-in-loop
    return total


def unpinned():
    for _ in range(STEPS):
        batch = torch.randn(1024, 1024)
        batch.to(DEVICE, non_blocking=True).add_(1)  # FIND: pageable-async


def cache_emptied():
    for _ in range(STEPS):
        a = torch.zeros(1024, 1024, 8, device=DEVICE)  # FIND: alloc-in-loop
        a.add_(1)
        del a
        torch.cuda.empty_cache()


def read_early():
    x = torch.randn(1024, 1024, device=DEVICE)
    host = torch.empty(1024, 1024, pin_memory=True)
    for _ in range(3):
        x.add_(1)
        host.copy_(x, non_blocking=True)
        float(host[0, 0])  # FIND: read-before-sync (emulated)
        torch.cuda.synchronize()


def waited_for_each_step():
    model = torch.nn.Linear(256, 256).to(DEVICE)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    x = torch.randn(64, 256, device=DEVICE)
    for _ in range(STEPS):
        optimizer.zero_grad()
        model(x).square().mean().backward()
        optimizer.step()
        torch.cuda.synchronize()  # FIND: needless-sync (emulated)


if __name__ == "__main__":
    torch.backends.cudnn.enabled = False
    globals()[sys.argv[1]]()
