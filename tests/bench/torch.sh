#!/usr/bin/env bash
# Time of PyTorch on an emulated device, traced, against the CPU, in turn.
# usage: tests/bench/torch.sh BUILD_DIR [PAIRS [PYTHON]]   else the build's XFER_TORCH_PYTHON
set -euo pipefail
build=$(realpath "$1") pairs=${2:-3}
cd "$(dirname "$0")"
python=${3:-$(sed -n 's/^XFER_TORCH_PYTHON:STRING=//p' "$build/CMakeCache.txt")}
if ! "${python:-python3}" -c "import torch" 2>/dev/null; then
  echo "torch: not measured, missing: PyTorch"
  exit 0
fi
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
for ((i = 0; i < pairs; i++)); do
  "$python" torch_operators.py cpu >>"$out/cpu.txt"
  "$build/bin/xfertrace" -o /dev/null --emulate "$python" torch_operators.py cuda \
    >>"$out/emulated.txt" 2>/dev/null
done
awk "$(<best.awk)"'
  BEGIN {
    best(ARGV[1], cpu); best(ARGV[2], emulated)
    printf "%-16s %14s %14s %12s %8s\n", "call or step", "CPU", "emulated", "more", "ratio"
    for (i = 1; i <= count; i++) {
      name = order[i]
      printf "%-16s %11.2f us %11.2f us %9.2f us %8.2f\n", name, cpu[name], emulated[name],
             emulated[name] - cpu[name], emulated[name] / cpu[name]
    }
  }' "$out/cpu.txt" "$out/emulated.txt"
