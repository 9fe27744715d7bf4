# Cost of the tracer in whole programs (those of stage `programs`, which compiles them): run without
# and with it in turn.
set -uo pipefail
. tests/gpu/common.sh
build=$1
python3 -B tests/gpu/programs.py compile "$build/gpu-programs" >/dev/null || exit
pairs=5
dry_run && pairs=1
python3 -B tests/gpu/programs.py overhead "$build/gpu-programs" \
  --xfertrace "$build/bin/xfertrace" --pairs $pairs
