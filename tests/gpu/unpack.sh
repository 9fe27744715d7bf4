# The pack of ./dev gpu --pack, unpacked in build/, and for a CUDA toolkit that is nvcc and its
# runtime alone what it lacks. Sourced by tests/gpu/run, in the repository's root, with nvcc on the
# PATH.

unpack() {
  local archive=build/gpu-pack.tar.xz prefix=$PWD/build/gpu-pack architecture
  [[ -f $archive ]] || return 0
  if [[ ! $prefix/architecture -nt $archive ]]; then
    rm -rf "$prefix"
    (cd build && cmake -E tar xf gpu-pack.tar.xz) || return
    find "$prefix/lib" "$prefix/share" -name '*.pc' -exec sed -i "s|/usr|$prefix|g" {} +
    architecture=$(<"$prefix/architecture")
    printf '#!/bin/sh\nLD_LIBRARY_PATH="%s" exec "%s/bin/pkgconf" "$@"\n' \
      "$prefix/lib/$architecture" "$prefix" >"$prefix/bin/pkg-config"
    chmod +x "$prefix/bin/pkg-config"
    touch "$prefix/architecture"
  fi
  export XFER_GPU_PACK=$prefix
}

# prepend VARIABLE FOLDER
prepend() { export "$1=$2${!1:+:${!1}}"; }

# cuBLAS of python3's nvidia packages, which PyTorch brings: linked into a folder of their own,
# beside nothing else.
find_cublas() {
  local links=$PWD/build/gpu-cublas library
  mkdir -p "$links"
  python3 - <<'PYTHON' 2>/dev/null | while read -r library; do ln -sf "$library" "$links/"; done
import importlib.util, pathlib
for folder in importlib.util.find_spec("nvidia").submodule_search_locations:
    for library in pathlib.Path(folder).glob("*/lib/libcublas*.so.*"):
        print(library)
PYTHON
  prepend LD_LIBRARY_PATH "$links"
}

complete_toolkit() {
  local toolkit parts=$XFER_GPU_PACK/cuda
  toolkit=$(dirname "$(dirname "$(readlink -f "$(command -v nvcc)")")")
  PATH=$PATH:$toolkit/bin:$toolkit/compute-sanitizer
  [[ ! -f $toolkit/include/cublas_v2.h ||
    ! ( -f $toolkit/include/cupti.h || -f $toolkit/extras/CUPTI/include/cupti.h ) ]] || return 0
  echo "gpu: $toolkit is nvcc without CUPTI or cuBLAS; the pack's are used"
  prepend CPATH "$parts/include"
  prepend LIBRARY_PATH "$parts/lib/link"
  prepend LIBRARY_PATH "$parts/lib"
  prepend CMAKE_INCLUDE_PATH "$parts/include"
  prepend CMAKE_LIBRARY_PATH "$parts/lib/link:$parts/lib"
  prepend LD_LIBRARY_PATH "$parts/lib"
  find_cublas
}

if unpack; then
  [[ -z ${XFER_GPU_PACK:-} ]] || ! command -v nvcc >/dev/null || complete_toolkit
else
  echo 'gpu: build/gpu-pack.tar.xz cannot be unpacked; make it again with ./dev gpu --pack' >&2
  exit 2
fi
