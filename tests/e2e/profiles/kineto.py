"""Writes traces as torch.profiler does."""

import json


class Trace:
    """Times are microseconds."""

    def __init__(self, rank=None):
        self.events = []
        self.rank = rank
        self._correlation = 0

    def add(self, category, name, begin, took, thread=7, **arguments):
        self.events.append({"ph": "X", "cat": category, "name": name, "pid": 1, "tid": thread,
                            "ts": begin, "dur": took, "args": arguments})

    def copy(self, way, size, begin, took, call="cudaMemcpyAsync", wait=True):
        """A copy and the call that asked for it; `wait`: the host waits for it."""
        self._correlation += 2
        self.add("cuda_runtime", call, begin, took + 10, correlation=self._correlation)
        self.add("gpu_memcpy", f"Memcpy {way}", begin + 5, took, device=0, stream=7,
                 correlation=self._correlation, bytes=size)
        if wait:
            self.sync(begin + took + 11, 5)

    def sync(self, begin, took):
        self._correlation += 2
        self.add("cuda_runtime", "cudaStreamSynchronize", begin, took,
                 correlation=self._correlation)
        self.add("cuda_sync", "Stream Sync", begin, took, cuda_sync_kind="Stream Sync", stream=7,
                 device=0, correlation=self._correlation)

    def kernel(self, begin, took, name="void scale<float>(float*)"):
        self._correlation += 2
        self.add("cuda_runtime", "cudaLaunchKernel", begin - 8, 5, correlation=self._correlation)
        self.add("kernel", name, begin, took, device=0, stream=7, correlation=self._correlation)

    def json(self):
        text = {"schemaVersion": 1, "baseTimeNanoseconds": 1_735_632_360_000_000_000,
                "deviceProperties": [{"id": 0, "name": "NVIDIA H100 80GB HBM3"}],
                "traceEvents": self.events}
        if self.rank is not None:
            text["distributedInfo"] = {"backend": "nccl", "rank": self.rank, "world_size": 4}
        return json.dumps(text)


def training(steps=8, upload=400, rank=None):
    """Each step uploads a batch while the device does nothing, computes for 3 ms, and reads the
    loss."""
    trace = Trace(rank)
    at = 1000
    for step in range(steps):
        begin = at
        trace.add("cpu_op", "aten::to", at - 5, upload + 40)
        trace.copy("HtoD (Pageable -> Device)", 4 << 20, at, upload)
        trace.kernel(at + upload + 50, 3000)
        trace.add("cpu_op", "aten::item", at + upload + 60, 3035)
        trace.copy("DtoH (Device -> Pageable)", 4, at + upload + 3060, 2)
        at += upload + 3100
        trace.add("user_annotation", f"ProfilerStep#{step + 2}", begin - 20, at - begin)
    return trace
