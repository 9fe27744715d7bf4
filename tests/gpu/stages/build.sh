# Builds what the other stages run: from the packed libraries (./dev gpu --pack) where they were
# unpacked, else from those that ./dev setup installs.
set -euo pipefail
. tests/gpu/common.sh
build=$1
if [[ -n ${XFER_GPU_PACK:-} ]]; then
  pack=$XFER_GPU_PACK
  architecture=$(<"$pack/architecture")
  export PKG_CONFIG=$pack/bin/pkg-config
  export PKG_CONFIG_LIBDIR=$pack/lib/$architecture/pkgconfig
  PKG_CONFIG_LIBDIR+=:$pack/share/pkgconfig:$pack/lib/pkgconfig
  # RPATH, not RUNPATH: it holds for the libraries' own libraries too.
  options=("-DCMAKE_PREFIX_PATH=$pack" "-DCMAKE_LIBRARY_ARCHITECTURE=$architecture"
    -DCMAKE_EXE_LINKER_FLAGS=-Wl,--disable-new-dtags
    -DCMAKE_SHARED_LINKER_FLAGS=-Wl,--disable-new-dtags
    "-DCMAKE_BUILD_RPATH=$pack/lib/$architecture")
  dry_run || options+=(-DXFER_CUDA_ARCHITECTURES=native)
  command -v ninja >/dev/null || options+=(-G 'Unix Makefiles')
  cmake --preset dev "${options[@]}"
  cmake --build "$build" -j "$(nproc)"
else
  ./dev build
fi
echo "= $(find "$build/bin" -type f -perm -u+x | wc -l) programs built"
