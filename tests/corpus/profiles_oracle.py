#!/usr/bin/env python3
"""Holds `xfertrace report` against HolisticTraceAnalysis (PyPI) on torch.profiler's traces.

    profiles_oracle.py XFERTRACE TRACE...

For each trace: count and time on the device of each kind of copy and of each kernel, and how long
the device was in use and idle, by both. Exit code 1: a number differs. HolisticTraceAnalysis keeps
the events of one process's GPU and drops those that it cannot place; a trace that it refuses is
named and left out.
"""

import json
import logging
import pathlib
import subprocess
import sys
import warnings

warnings.filterwarnings("ignore")
logging.disable(logging.CRITICAL)

KINDS = {"Memcpy HtoD": "host-to-device", "Memcpy DtoH": "device-to-host",
         "Memcpy DtoD": "within-device"}
KERNELS = 30


def of_oracle(trace):
    """{kind: (count, device microseconds)}; of "in use" and "idle", no count; of a kernel, the sums
    of what HTA calls COMPUTATION and COMMUNICATION."""
    from hta.trace_analysis import TraceAnalysis
    analysis = TraceAnalysis(trace_files={0: str(trace)}, trace_dir="",
                             include_last_profiler_step=True)
    summary = analysis.get_memory_bw_summary()
    names = analysis.t.symbol_table.get_sym_table()
    frame = analysis.t.get_trace(0)
    device = frame[frame["stream"] >= 0]
    sums = {}
    for symbol, rows in device.groupby("name"):
        name = names[symbol]
        kind = next((kind for kind in KINDS if name.startswith(kind)), None)
        if kind is None:
            kind = "Memset" if name.startswith("Memset") else "kernels"
        count, time = sums.get(kind, (0, 0.0))
        sums[kind] = (count + len(rows), time + float(rows["dur"].sum()))
    for (_, kind), row in summary.iterrows():
        count = int(row[("memory_bw_gbps", "count")])
        if kind in sums and count != sums[kind][0]:
            print(f"  {kind}: HTA's own summary counts {count} of its {sums[kind][0]}")
    if trace_has_one_device(device):
        (row,) = analysis.get_temporal_breakdown(visualize=False).to_dict("records")
        sums["in use"] = (None, float(row["kernel_time(us)"]))
        sums["idle"] = (None, float(row["idle_time(us)"]))
    _, kernels = analysis.get_gpu_kernel_breakdown(visualize=False, duration_ratio=1.0,
                                                   num_kernels=KERNELS,
                                                   include_memory_kernels=False)
    for row in kernels.to_dict("records"):
        if row["name"] != "others":
            of_name = device[device["name"].map(lambda symbol: names[symbol]) == row["name"]]
            sums["kernel " + row["name"]] = (len(of_name), float(row["sum (us)"]))
    return sums


def trace_has_one_device(frame):
    return frame["pid"].nunique() == 1


def of_report(xfertrace, trace):
    done = subprocess.run([xfertrace, "report", "--format", "json", str(trace)],
                          capture_output=True, text=True, check=False)
    if done.returncode != 0:
        return None
    stats = json.loads(done.stdout)["stats"]
    sums = {kind: (copies["count"], copies["device_ns"] / 1000)
            for kind, name in KINDS.items() if (copies := stats["copies"].get(name))}
    sums["Memset"] = (stats["fills"]["count"], stats["fills"]["device_ns"] / 1000)
    sums["kernels"] = (None, stats["launches"]["device_ns"] / 1000)
    for device in stats.get("devices", [])[:1]:
        sums["in use"] = (None, device["in_use_ns"] / 1000)
        sums["idle"] = (None, device["idle_ns"] / 1000)
    for kernel in stats.get("kernels_by_time", []):
        sums["kernel " + kernel["name"]] = (kernel["count"], kernel["device_ns"] / 1000)
    return sums


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__.strip())
    wrong = 0
    for trace in map(pathlib.Path, sys.argv[2:]):
        ours = of_report(sys.argv[1], trace)
        if ours is None:
            continue
        try:
            theirs = of_oracle(trace)
        except Exception as error:  # whatever it does not take
            print(f"{trace.name}: refused by HTA: {type(error).__name__}: {str(error)[:80]}")
            continue
        print(trace.name)
        kernels = 0
        for kind, (count, time) in sorted(theirs.items()):
            own_count, own_time = ours.get(kind, (0, 0.0))
            same = (own_count in (None, count)) and abs(own_time - time) <= 0.001 * time + 1
            wrong += not same
            if same and kind.startswith("kernel "):
                kernels += 1
                continue
            print(f"  {kind[:60]:12} {count or '':7} {time:12.1f} us   "
                  f"{'same' if same else f'here {own_count} {own_time:.1f}'}")
        print(f"  {kernels} kernels by name: same")
    sys.exit(wrong != 0)


if __name__ == "__main__":
    main()
