#!/usr/bin/env bash
# Memory and time of the link step, by functions. usage: tests/bench/link.sh BUILD_DIR
set -euo pipefail
exec python3 -B "$(dirname "$0")/link.py" "$@"
