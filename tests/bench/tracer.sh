#!/usr/bin/env bash
# Cost of the tracer, call by call: the same program without and with it, in turn, so that both
# meet the same noise. On emulated devices, or with TRACER_BENCH_GPU=1 on a real one.
# usage: tests/bench/tracer.sh BUILD_DIR [PAIRS]
set -euo pipefail
source "$(dirname "$0")/tracer_setup.bash" "$1"
pairs=${2:-5}
"$nvcc" -O2 -std=c++17 -cudart shared -Wno-deprecated-gpu-targets tracer.cu -o "$out/tracer_calls"

emulator=()
trace=("$build/bin/xfertrace" -o /dev/null)
if [[ ${TRACER_BENCH_GPU:-0} != 1 ]]; then
  emulator=(env XFERCHECK_EMULATE=1 LD_PRELOAD="$build/lib/emulator/libcudart.so.13")
  trace+=(--emulate)
fi
export XFERCHECK_OPTIONS=hash_budget=100  # what reading content costs when it is read
: >"$out/plain.txt"
: >"$out/traced.txt"
for ((i = 0; i < pairs; i++)); do
  "${emulator[@]}" "$out/tracer_calls" >>"$out/plain.txt" 2>/dev/null
  "${trace[@]}" "$out/tracer_calls" >>"$out/traced.txt" 2>/dev/null
done
awk "$(<best.awk)"'
  BEGIN {
    best(ARGV[1], plain); best(ARGV[2], traced)
    printf "%-16s %14s %14s %14s\n", "call", "without", "with", "the tracer"
    for (i = 1; i <= count; i++) {
      name = order[i]
      printf "%-16s %11.0f ns %11.0f ns %11.0f ns\n", name, plain[name], traced[name],
             traced[name] - plain[name]
    }
  }' "$out/plain.txt" "$out/traced.txt"
