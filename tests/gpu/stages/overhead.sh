# What the tracer costs whole programs (those of stage `programs`, which compiles them): run without and with it in turn.
set -uo pipefail
build=$1
python3 -B tests/gpu/programs.py compile "$build/gpu-programs" >/dev/null || exit
pairs=5
[[ ${XFER_GPU_DRY_RUN:-0} == 1 ]] && pairs=1
python3 -B tests/gpu/programs.py overhead "$build/gpu-programs" --xfertrace "$build/bin/xfertrace" --pairs $pairs
