# Sourced by benchmarks that run programs under the tracer, with BUILD_DIR: sets build, out and
# nvcc, goes to this folder, and ends the benchmark where something is missing.
build=$(realpath "$1")
cd "$(dirname "$0")"
out=$build/bench
mkdir -p "$out"
nvcc=$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)
if [[ ! -x $build/bin/xfertrace || ! -x $nvcc ]]; then
  echo "bench: xfertrace was not built, or there is no nvcc" >&2
  exit 0
fi
