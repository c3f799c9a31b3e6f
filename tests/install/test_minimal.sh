#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: test_minimal.sh SOURCE
# Assembler, compiler, model and checker on a system that has a C compiler, libelf, jansson, libxml2 and libzip, and
# neither Verilator nor SystemC, cmocka, MPFR or GMP: configured, built, installed from a copy of
# the sources, and used when the copy is gone.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
source=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The sources, without a build folder and the Verilator in it.
mkdir "$work/source" "$work/pkgconfig"
for part in "$source"/*; do
  case ${part##*/} in build*) ;; *) cp -r "$part" "$work/source" ;; esac
done
# The modules of pkg-config that there are; the others are hidden.
for module in libelf zlib jansson libxml-2.0 libzip; do
  cp "$(pkg-config --variable=pcfiledir $module)/$module.pc" "$work/pkgconfig"
done

export PKG_CONFIG_LIBDIR=$work/pkgconfig CCACHE_BASEDIR=$work/source CCACHE_NOHASHDIR=1
unset PKG_CONFIG_PATH
configure() {
  cmake -G Ninja -S "$work/source" -B "$work/source/build" -DCMAKE_BUILD_TYPE=Release "$@" >"$work/log" 2>&1
}
says() {
  grep -qE -- "$1" "$work/log" || { cat "$work/log"; echo "the configuration does not say: $1"; exit 1; }
}
configure || { cat "$work/log"; exit 1; }
says '^-- Left out: simulated hardware and its tests: no Verilator in build/venv \(scripts/setup.sh'
says '^-- Left out: the tests: no cmocka \(Debian: libcmocka-dev\)$'
says '^-- Left out: the tests: no gmp \(Debian: libgmp-dev\)$'
# Who wants all of it is told that it is not there.
! configure -DHEDDLE_COMPLETE=ON || { echo "HEDDLE_COMPLETE: no error"; exit 1; }
says 'HEDDLE_COMPLETE is on, and something is left out'
configure -DHEDDLE_COMPLETE=OFF

cmake --build "$work/source/build" >"$work/log" 2>&1 || { tail -40 "$work/log"; exit 1; }
cmake --install "$work/source/build" --prefix "$work/prefix" >"$work/log" || { cat "$work/log"; exit 1; }
rm -rf "$work/source"
unset PKG_CONFIG_LIBDIR
"$here/use.sh" "$work/prefix"
