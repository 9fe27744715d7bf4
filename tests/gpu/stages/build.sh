# Builds what the other stages run, without the analyzer: from the packed libraries (./dev gpu --pack) where they lie
# in build/, else from those that ./dev setup installs.
set -euo pipefail
build=$1
archive=build/gpu-pack.tar.xz
options=(-DXFER_ANALYZER=OFF)
[[ ${XFER_GPU_DRY_RUN:-0} == 1 ]] || options+=(-DXFER_CUDA_ARCHITECTURES=native)
if [[ -f $archive ]]; then
  prefix=$PWD/build/gpu-pack
  if [[ ! $prefix/architecture -nt $archive ]]; then
    rm -rf "$prefix"
    (cd build && cmake -E tar xf gpu-pack.tar.xz)
    find "$prefix/lib" "$prefix/share" -name '*.pc' -exec sed -i "s|/usr|$prefix|g" {} +
    touch "$prefix/architecture"
  fi
  architecture=$(<"$prefix/architecture")
  export LD_LIBRARY_PATH=$prefix/lib/$architecture
  printf '#!/bin/sh\nexec "%s/bin/pkgconf" "$@"\n' "$prefix" >"$prefix/bin/pkg-config"
  chmod +x "$prefix/bin/pkg-config"
  export PKG_CONFIG=$prefix/bin/pkg-config
  export PKG_CONFIG_LIBDIR=$prefix/lib/$architecture/pkgconfig:$prefix/share/pkgconfig:$prefix/lib/pkgconfig
  # RPATH, not RUNPATH: it holds for the libraries' own libraries too.
  options+=("-DCMAKE_PREFIX_PATH=$prefix" "-DCMAKE_LIBRARY_ARCHITECTURE=$architecture"
    -DCMAKE_EXE_LINKER_FLAGS=-Wl,--disable-new-dtags -DCMAKE_SHARED_LINKER_FLAGS=-Wl,--disable-new-dtags
    "-DCMAKE_BUILD_RPATH=$prefix/lib/$architecture")
else
  .ci/setup
fi
command -v ninja >/dev/null || options+=(-G 'Unix Makefiles')
cmake --preset dev "${options[@]}"
cmake --build "$build" -j "$(nproc)"
echo "= $(find "$build/bin" -type f -perm -u+x | wc -l) programs built"
