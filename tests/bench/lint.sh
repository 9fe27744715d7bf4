#!/usr/bin/env bash
# Lint time of one LibTorch file, cold and with the precompiled header, beside clang-tidy-22 with
# one check and a plain parse. usage: tests/bench/lint.sh BUILD_DIR
set -euo pipefail
exec python3 -B "$(dirname "$0")/lint.py" "$@"
