#!/usr/bin/env bash
# Time of the lint target that xfercheck_lint() makes, cold, warm and after a change, beside
# run-clang-tidy-22 with one check. usage: tests/bench/ci.sh BUILD_DIR [FILES]
set -euo pipefail
exec python3 -B "$(dirname "$0")/ci.py" "$@"
