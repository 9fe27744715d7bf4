#!/usr/bin/env bash
# What the wasteful seed cases move, beside their right twins.
# usage: tests/bench/claims.sh BUILD_DIR
set -euo pipefail
exec python3 -B "$(dirname "$0")/claims.py" "$@"
