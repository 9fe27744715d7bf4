#!/usr/bin/env bash
# Reading other profilers' traces. usage: readers.sh BUILD_DIR
exec python3 -B "$(dirname "$0")/readers.py" "$1"
