# Builds what the other stages run: from the packed libraries (./dev gpu --pack) where they lie
# in build/, else from those that ./dev setup installs.
set -euo pipefail
. tests/gpu/common.sh
build=$1
archive=build/gpu-pack.tar.xz
if [[ -f $archive ]]; then
  prefix=$PWD/build/gpu-pack
  if [[ ! $prefix/architecture -nt $archive ]]; then
    rm -rf "$prefix"
    (cd build && cmake -E tar xf gpu-pack.tar.xz)
    find "$prefix/lib" "$prefix/share" -name '*.pc' -exec sed -i "s|/usr|$prefix|g" {} +
    touch "$prefix/architecture"
  fi
  architecture=$(<"$prefix/architecture")
  printf '#!/bin/sh\nLD_LIBRARY_PATH="%s" exec "%s/bin/pkgconf" "$@"\n' "$prefix/lib/$architecture" "$prefix" >"$prefix/bin/pkg-config"
  chmod +x "$prefix/bin/pkg-config"
  export PKG_CONFIG=$prefix/bin/pkg-config
  export PKG_CONFIG_LIBDIR=$prefix/lib/$architecture/pkgconfig:$prefix/share/pkgconfig:$prefix/lib/pkgconfig
  # RPATH, not RUNPATH: it holds for the libraries' own libraries too.
  options=("-DCMAKE_PREFIX_PATH=$prefix" "-DCMAKE_LIBRARY_ARCHITECTURE=$architecture"
    -DCMAKE_EXE_LINKER_FLAGS=-Wl,--disable-new-dtags -DCMAKE_SHARED_LINKER_FLAGS=-Wl,--disable-new-dtags
    "-DCMAKE_BUILD_RPATH=$prefix/lib/$architecture")
  dry_run || options+=(-DXFER_CUDA_ARCHITECTURES=native)
  command -v ninja >/dev/null || options+=(-G 'Unix Makefiles')
  cmake --preset dev "${options[@]}"
  cmake --build "$build" -j "$(nproc)"
else
  ./dev build
fi
echo "= $(find "$build/bin" -type f -perm -u+x | wc -l) programs built"
