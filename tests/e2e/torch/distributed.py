"""PyTorch programs on several devices that print what they compute, one a function: what two
emulated ones print, one process on the CPU prints that has the whole batch.

    distributed.py CASE cpu|cuda
"""

import socket
import sys

import torch
from torch import distributed, multiprocessing, nn
from torch.distributed.fsdp import fully_shard
from torch.distributed.optim import ZeroRedundancyOptimizer
from torch.nn.parallel import DistributedDataParallel

from same import show

RANKS = 2
STEPS = 4


class Ranks:
    """The process's own, or the only one on the CPU."""

    def __init__(self, rank, device):
        self.rank = rank
        self.count = RANKS if device == "cuda" else 1
        self.device = torch.device(device, rank) if device == "cuda" else torch.device(device)

    def part(self, batch):
        return batch.chunk(self.count)[self.rank].to(self.device)

    def mean(self, value):
        if self.count > 1:
            distributed.all_reduce(value, op=distributed.ReduceOp.AVG)
        return value

    def show(self, *values):
        values = [float(value) for value in values]
        if self.rank == 0:
            show(*values)

    def parallel(self, model):
        return DistributedDataParallel(model, device_ids=[self.rank]) if self.count > 1 else model


def network(channels=6):
    return nn.Sequential(nn.Conv2d(2, channels, 3), nn.BatchNorm2d(channels), nn.ReLU(),
                         nn.Flatten(), nn.Linear(channels * 36, 5))


def train(ranks, model, optimizer):
    for _ in range(STEPS):
        inputs = ranks.part(torch.randn(8, 2, 8, 8))
        targets = ranks.part(torch.randint(0, 5, (8,)))
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(inputs), targets)
        loss.backward()
        optimizer.step()
        ranks.show(ranks.mean(loss.detach()))


def size_of(parameters):
    return sum(parameter.detach().double().abs().sum() for parameter in parameters)


def whole_batch(ranks):
    """With the statistics of all ranks, and so the same as one rank with the whole batch."""
    model = network()
    if ranks.count > 1:
        model = nn.SyncBatchNorm.convert_sync_batchnorm(model)
    model = ranks.parallel(model.to(ranks.device))
    train(ranks, model, torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9))
    ranks.show(size_of(model.parameters()), *(size_of([b]) for b in model.buffers()))


def sharded(ranks):
    model = nn.Sequential(nn.Flatten(), nn.Linear(128, 64), nn.ReLU(), nn.Linear(64, 5))
    model.to(ranks.device)
    if ranks.count > 1:
        for layer in (model[1], model[3], model):
            fully_shard(layer)
    train(ranks, model, torch.optim.AdamW(model.parameters(), lr=0.01))
    wholes = [p.full_tensor() if ranks.count > 1 else p for p in model.parameters()]
    ranks.show(size_of(wholes))


def shared_optimizer(ranks):
    model = ranks.parallel(nn.Sequential(nn.Flatten(), nn.Linear(128, 5)).to(ranks.device))
    optimizer = (ZeroRedundancyOptimizer(model.parameters(), torch.optim.Adam, lr=0.01)
                 if ranks.count > 1 else torch.optim.Adam(model.parameters(), lr=0.01))
    train(ranks, model, optimizer)
    ranks.show(size_of(model.parameters()))


def several_devices(ranks):
    """One process has them all: DataParallel."""
    model = nn.Sequential(nn.Flatten(), nn.Linear(128, 64), nn.Tanh(), nn.Linear(64, 5))
    if ranks.count > 1:
        model = nn.DataParallel(model.to(ranks.device))
    for _ in range(STEPS):
        inputs = torch.randn(8, 2, 8, 8).to(ranks.device)
        loss = model(inputs).square().mean()
        loss.backward()
        with torch.no_grad():
            for parameter in model.parameters():
                parameter -= parameter.grad
                parameter.grad = None
        ranks.show(loss.detach())


def captured(ranks):
    """The part of each rank is a number, and the mean of all is in a graph."""
    value = ranks.part(torch.tensor([1.0, 3.0])).mean() * torch.ones(50_000, device=ranks.device)

    def step():
        ranks.mean(value).mul_(1.5)

    if ranks.count > 1:
        ranks.mean(torch.zeros(1, device=ranks.device))  # the communicator comes before
        torch.cuda.synchronize()
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            step()
        step = graph.replay
    for _ in range(3):
        step()
    ranks.show(value[7], value.sum())


IN_ONE_PROCESS = {several_devices}


def run(rank, case, device, port):
    torch.manual_seed(7)
    ranks = Ranks(rank, device)
    if port is None:
        return case(ranks)
    torch.cuda.set_device(rank)
    distributed.init_process_group("nccl", f"tcp://127.0.0.1:{port}", rank=rank, world_size=RANKS)
    case(ranks)
    distributed.barrier(device_ids=[rank])
    return distributed.destroy_process_group()


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


if __name__ == "__main__":
    chosen = globals()[sys.argv[1]]
    on = sys.argv[2]
    if on == "cpu" or chosen in IN_ONE_PROCESS:
        run(0, chosen, on, None)
    else:
        multiprocessing.spawn(run, (chosen, on, free_port()), nprocs=RANKS)
