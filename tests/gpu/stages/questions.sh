# Questions to a device: which waits CUPTI reports, where kernel parameters lie, how fast
# the bus is beside the tracer's hashing, what a callback costs, and whether PyTorch's copies hold
# Python's lock.
set -uo pipefail
. tests/gpu/common.sh
build=$1
out=$build/gpu-probes
mkdir -p "$out"
toolkit=$(dirname "$(dirname "$(command -v nvcc)")")
cupti=(-I"$toolkit/include" -I"$toolkit/extras/CUPTI/include" -L"$toolkit/lib" -L"$toolkit/lib64"
  -L"$toolkit/extras/CUPTI/lib64" -lcupti)
run=()
if dry_run; then
  arch=sm_90
  run=(env XFERCHECK_EMULATE=1 "LD_LIBRARY_PATH=$build/lib/emulator")
else
  arch=native
  export TRACER_BENCH_GPU=1
  of_toolkit=$toolkit/lib64:$toolkit/lib:$toolkit/extras/CUPTI/lib64
  export LD_LIBRARY_PATH=$of_toolkit:${LD_LIBRARY_PATH:-}
fi
answered=()
failed=0
for probe in sync_domain kernel_params bus; do
  echo "== $probe"
  if nvcc -O2 -std=c++17 -arch=$arch -cudart shared tests/gpu/probes/$probe.cu -o "$out/$probe" \
    "${cupti[@]}" && "${run[@]}" "$out/$probe"; then answered+=("$probe"); else failed=1; fi
done
echo '== callbacks'
callbacks=$XFER_GPU_RAW/callbacks.txt
if tests/bench/tracer.sh "$build" 3 | tee "$callbacks"; then answered+=(callbacks); fi
awk '$1 == "download_64MiB" {
  printf "hashing: %.1f GB/s, beside the bus above\n", 67108864 / $6
}' "$callbacks"
echo '== torch_gil'
if torch_sees_gpu; then
  python3 tests/gpu/probes/torch_gil.py && answered+=(torch_gil)
else
  echo 'python3 has no PyTorch that sees a GPU'
fi
echo "= answered: ${answered[*]}"
# On emulated devices some of the questions have no meaning.
dry_run || exit $failed
