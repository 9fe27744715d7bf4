# The tracer's end-to-end tests, on the GPU where one device as it comes is enough. Tests of several
# devices, and those that set how an emulated one behaves, run on emulated ones here too.
set -uo pipefail
report=$XFER_GPU_RAW/tracer.xml
ctest --test-dir "$1" -R '^(TraceTest|OptionsTest|Ways/SignalsTest|Perfetto)\.' -j "$(nproc)" \
  --output-on-failure --output-junit "$report"
result=$?
python3 -B tests/gpu/summary.py "$report"
exit $result
