#!/usr/bin/env bash
# Fuzzes the readers of tensorlib's files, with random bytes and mutations of sound files, under g++'s sanitizers: with a
# tensorlib that was built with them (cmake --preset asan).
# usage: tests/fuzz/files.sh ASAN_BUILD_DIR [SECONDS_EACH]
set -euo pipefail
root=$(realpath "$(dirname "$0")/../..")
build=$(realpath "$1")
seconds=${2:-30}
out=$build/fuzz
mkdir -p "$out/seeds"
flags=(-std=c++17 -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined -I"$root/tensorlib/include")
links=(-L"$build/lib" -ltensorlib -Wl,-rpath,"$build/lib")
g++ "${flags[@]}" "$root/tests/fuzz/file_seeds.cc" "${links[@]}" -o "$out/file_seeds"
"$out/file_seeds" "$out/seeds"
for name in safetensors npy npz image; do
  g++ "${flags[@]}" "$root/tests/fuzz/standalone_driver.cc" "$root/tests/fuzz/${name}_fuzz.cc" "${links[@]}" -o "$out/$name"
  echo "$name:"
  "$out/$name" "$seconds" "$out/seeds/$name".* 2>&1 | tail -n 3
done
