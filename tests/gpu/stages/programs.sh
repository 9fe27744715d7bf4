# The tracer on CUDA programs of others (tests/gpu/programs.txt): compiled with the shared runtime
# and with the static one, each run alone and under xfertrace. None may end or print otherwise; what
# is found is listed for reading.
set -uo pipefail
. tests/gpu/common.sh
build=$1
failed=0
for runtime in shared static; do
  options=()
  [[ $runtime == static ]] && options=(--static)
  out=$build/gpu-programs
  python3 -B tests/gpu/programs.py compile "$out" "${options[@]}" || exit
  # The emulator's stands in for a shared runtime only.
  if [[ $runtime == static ]] && dry_run; then continue; fi
  python3 -B tests/gpu/programs.py trace "$out" --xfertrace "$build/bin/xfertrace" \
    "${options[@]}" || failed=1
  raw=$XFER_GPU_RAW/programs.$runtime
  mkdir -p "$raw"
  find "$out" -name '*.json' -exec cp -t "$raw" {} +
  find "$out" -name '*.xft' -size -300k -exec cp -t "$raw" {} +  # for tests/replay
done
exit $failed
