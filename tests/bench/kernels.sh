#!/usr/bin/env bash
# Time of a kernel on an emulated device, from its PTX: warp by warp and thread by thread, beside
# the same work in C++ on one core. The programs run in turn.
# usage: tests/bench/kernels.sh BUILD_DIR [TURNS]
set -euo pipefail
build=$(realpath "$1")
turns=${2:-3}
cd "$(dirname "$0")"
out=$build/bench
mkdir -p "$out"
nvcc=$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)
if [[ ! -e $build/lib/emulator/libxfer_kernels.so || ! -x $nvcc ]]; then
  echo "bench: libxfer_kernels.so was not built, or there is no nvcc" >&2
  exit 0
fi
"$nvcc" -O2 -std=c++17 -cudart shared -gencode arch=compute_80,code=compute_80 kernels.cu \
  -o "$out/kernels_device"
c++ -O2 -std=c++17 kernels.cc -o "$out/kernels_host"

device() {
  XFERCHECK_EMULATE=1 XFERCHECK_OPTIONS=emulate_warps=$1 \
    LD_LIBRARY_PATH=$build/lib/emulator taskset -c 0 "$out/kernels_device"
}
for name in host warps threads; do : >"$out/kernels_$name.txt"; done
for ((i = 0; i < turns; i++)); do
  taskset -c 0 "$out/kernels_host" >>"$out/kernels_host.txt"
  device always >>"$out/kernels_warps.txt"
  device never >>"$out/kernels_threads.txt"
done
awk "$(<best.awk)"'
  BEGIN {
    best(ARGV[1], host); best(ARGV[2], warps); best(ARGV[3], threads)
    printf "%-16s %12s %20s %20s\n", "kernel", "C++ -O2", "warp by warp", "thread by thread"
    for (i = 1; i <= count; i++) {
      name = order[i]
      printf "%-16s %9.1f ms %9.1f ms (%4.2f) %9.1f ms (%5.1f)\n", name, host[name], warps[name],
             warps[name] / host[name], threads[name], threads[name] / host[name]
    }
  }' "$out/kernels_host.txt" "$out/kernels_warps.txt" "$out/kernels_threads.txt"
