"""Wasteful PyTorch code, one case a function: the tracer must find the marked line."""

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


def pipeline_by_the_host():
    if torch.cuda.device_count() < 2:
        return
    first, second = torch.nn.Linear(256, 256).to("cuda:0"), torch.nn.Linear(256, 8).to("cuda:1")
    for _ in range(STEPS):
        h = first(torch.randn(64, 256, device="cuda:0"))
        h = h.cpu().to("cuda:1")  # FIND: round-trip (emulated)
        second(h).pow(2).mean().backward()


def weights_by_the_host():
    if torch.cuda.device_count() < 2:
        return
    trained, acting = (torch.nn.Linear(256, 64).to(f"cuda:{device}") for device in range(2))
    for _ in range(STEPS):
        with torch.no_grad():
            for own, other in zip(trained.parameters(), acting.parameters()):
                own.mul_(0.9)
                other.copy_(own.cpu())  # FIND: round-trip (emulated)
        acting(torch.randn(8, 256, device="cuda:1"))


def sample_by_sample():
    samples, labels = torch.randn(640, 100), torch.randint(0, 10, (640,))
    order = torch.randperm(640).tolist()
    layer = torch.nn.Linear(100, 10).to(DEVICE)
    for begin in range(0, 640, 32):
        rows, wanted = [], []
        for index in order[begin:begin + 32]:
            rows.append(samples[index].to(DEVICE))  # FIND: small-copies
            wanted.append(labels[index].to(DEVICE))  # FIND: small-copies
        torch.nn.functional.cross_entropy(layer(torch.stack(rows)), torch.stack(wanted)).backward()


def collated_on_the_device():
    lines = [torch.randint(1, 100, (6 + index % 29,)) for index in range(320)]

    def collate(batch):
        rows = [line.to(DEVICE) for line in batch]  # FIND: small-copies
        return torch.nn.utils.rnn.pad_sequence(rows, batch_first=True)

    words = torch.nn.Embedding(100, 16).to(DEVICE)
    for batch in torch.utils.data.DataLoader(lines, batch_size=32, collate_fn=collate):
        words(batch)


def pinned_but_blocking():
    images = torch.utils.data.TensorDataset(torch.randn(320, 1024))
    loader = torch.utils.data.DataLoader(images, batch_size=32, pin_memory=True)
    layer = torch.nn.Linear(1024, 8).to(DEVICE)
    for (batch,) in loader:
        layer(batch.to(DEVICE)).sum().backward()  # FIND: needless-sync



def large_constant():
    layer = torch.nn.Linear(256, 256).to(DEVICE)
    kept = []
    for step in range(STEPS):
        kept.append(torch.zeros(step))  # the host's memory is another each time
        unit = torch.eye(256).expand(2, 256, 256).contiguous()
        layer(unit.to(DEVICE) * step)  # FIND: repeated-transfer


def masked():
    x = torch.randn(4096, 256, device=DEVICE)
    for step in range(STEPS):
        x[x[:, 0] > step / STEPS].sum()  # FIND: sync-in-loop


def element_by_element():
    layer = torch.nn.Linear(8, 2).to(DEVICE)
    first = []
    for _ in range(STEPS):
        out = layer(torch.randn(16, 8, device=DEVICE))
        for row in range(16):
            first.append(out[row, 0].item())  # FIND: small-copies
    return first


def loss_of_equal_layers():
    layers = torch.nn.ModuleList(torch.nn.Linear(64, 64) for _ in range(3)).to(DEVICE)
    head = torch.nn.Linear(64, 1).to(DEVICE)
    optimizer = torch.optim.Adam([*layers.parameters(), *head.parameters()])
    total = 0.0
    for _ in range(STEPS):
        x = torch.randn(32, 64, device=DEVICE)
        for layer in layers:
            x = torch.relu(layer(x))
        loss = head(x).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()  # FIND: sync-in-loop
    return total


if __name__ == "__main__":
    torch.backends.cudnn.enabled = False
    globals()[sys.argv[1]]()
