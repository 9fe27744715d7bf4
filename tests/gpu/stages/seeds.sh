# The seed cases and their twins: what each prints and how it ends, and what the tracer says of it.
set -uo pipefail
report=$XFER_GPU_RAW/seeds.xml
ctest --test-dir "$1" -R '^cases\.seed\..*\.(run|trace)$' -j "$(nproc)" --output-on-failure \
  --output-junit "$report"
result=$?
python3 -B tests/gpu/summary.py "$report"
exit $result
