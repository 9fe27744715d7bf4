#!/usr/bin/env bash
# Cost of watching for a program that works beside the memory of a copy in flight, on the same page:
# three loops, on emulated devices without and with the tracer, in turn.
# usage: tests/bench/watch.sh BUILD_DIR [PAIRS]
set -euo pipefail
source "$(dirname "$0")/tracer_setup.bash" "$1"
pairs=${2:-3}
"$nvcc" -O2 -std=c++17 -cudart shared -Wno-deprecated-gpu-targets watch.cu -o "$out/watch_calls"
: >"$out/unwatched.txt"
: >"$out/watched.txt"
for ((i = 0; i < pairs; i++)); do
  XFERCHECK_EMULATE=1 LD_PRELOAD="$build/lib/emulator/libcudart.so.13" "$out/watch_calls" \
    >>"$out/unwatched.txt" 2>/dev/null
  "$build/bin/xfertrace" -o /dev/null --emulate "$out/watch_calls" >>"$out/watched.txt" 2>/dev/null
done
awk "$(<best.awk)"'
  BEGIN {
    best(ARGV[1], plain); best(ARGV[2], watched)
    printf "%-16s %14s %14s %8s\n", "loop", "not watched", "watched", "ratio"
    for (i = 1; i <= count; i++) {
      name = order[i]
      printf "%-16s %11.1f ms %11.1f ms %8.2f\n", name, plain[name] / 1000, watched[name] / 1000,
             watched[name] / plain[name]
    }
  }' "$out/unwatched.txt" "$out/watched.txt"
