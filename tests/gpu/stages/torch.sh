# PyTorch programs run by this machine's python3: each waste on its line in Python, nothing on those
# that are right; and beside torch.profiler, which is not to lose a record where the tracer is
# preloaded. Where it is injected (CUDA_INJECTION64_PATH) CUPTI refuses the profiler.
# Keeps the tracer's and the profiler's record of a small training.
set -uo pipefail
. tests/gpu/common.sh
build=$1
python=$(command -v python3)
version=$("$python" -c 'import torch; print("PyTorch", torch.__version__)' 2>/dev/null)
if [[ -z $version ]] || { ! dry_run && ! torch_sees_gpu; }; then
  echo "= python3 has no PyTorch that sees a GPU"
  exit 77
fi
failed=0
beside=
for which in wasteful right; do
  python3 -B tests/e2e/torch/check.py "$build/bin/xfertrace" "$python" $which || failed=1
done
# The tracer before the profiler, which both use CUPTI: it counts what it counts alone.
if ! dry_run; then
  probe=("$python" tests/gpu/probes/torch_profiler.py)
  alone=$("${probe[@]}" 2>/dev/null | tail -n 1)
  preloaded=$("$build/bin/xfertrace" -o /dev/null "${probe[@]}" 2> >(tail -n 5 >&2) | tail -n 1)
  injected=$(CUDA_INJECTION64_PATH=$PWD/$build/lib/libxfertrace.so "${probe[@]}" 2>/dev/null |
    tail -n 1)
  printf 'alone:     %s\ntraced:    %s\ninjected:  %s\n' "$alone" "$preloaded" "$injected"
  if [[ -n $alone && $alone == "$preloaded" ]]; then
    beside=', the profiler undisturbed'
  else
    failed=1
  fi
fi
if ! dry_run; then
  training=("$python" tests/gpu/probes/torch_training.py)
  "$build/bin/xfertrace" -o /dev/null --record "$XFER_GPU_RAW/torch_training.xft" \
    "${training[@]}" || failed=1
  "${training[@]}" "$XFER_GPU_RAW/torch_training.json.gz" || failed=1
fi
result='each waste on its line, right programs silent'
((failed)) && result='see the log'
echo "= $version: $result$beside"
exit $failed
