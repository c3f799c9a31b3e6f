#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: test_install.sh BUILD SOURCE [CONFIG]
# Installs what BUILD has into a scratch prefix, moves that, and uses it as a stranger does (use.sh).
# The components install alone too, and nothing that is installed knows the folders it came from.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
build=$1 source=$2 config=${3:-}
prefix=$(mktemp -d)
trap 'rm -rf "$prefix"' EXIT

cmake --install "$build" --prefix "$prefix/first" >"$prefix/log" || { cat "$prefix/log"; exit 1; }
for component in program development devices; do
  cmake --install "$build" --prefix "$prefix/$component" --component $component >"$prefix/log"
done
# Devices that are for this machine alone are not installed without a word.
! grep -q '^HEDDLE_NATIVE:BOOL=ON' "$build/CMakeCache.txt" || grep -q -- '-DHEDDLE_NATIVE=OFF' "$prefix/log" ||
  { echo "nothing was said of devices for one machine"; exit 1; }
[ -x "$prefix/program/bin/heddle" ] && [ ! -e "$prefix/program/include" ] || { echo "component program"; exit 1; }
[ -s "$prefix/program/share/man/man1/heddle-run.1" ] && [ -s "$prefix/program/share/bash-completion/completions/heddle" ] ||
  { echo "no manual pages or completion"; exit 1; }
[ ! -e "$prefix/development/bin" ] && [ ! -e "$prefix/devices/bin" ] || { echo "a program in other components"; exit 1; }

# Devices name their Verilog in assertions; that is never opened.
known=$(grep -rlaF -e "$source" -e "$build" "$prefix/program" "$prefix/development" || true)
[ -z "$known" ] || { echo "these know where they were built: $known"; exit 1; }

# Two libraries, shared with a version, and archives; the runtimes of CUDA and OpenCL, shared alone.
(cd "$prefix/development" && find . -name 'lib*' -type f ! -path './share/heddle/cuda/*' | sed 's|.*/||' | sort) >"$prefix/libraries"
printf '%s\n' libheddle-cuda.so.0.3.0 libheddle-opencl.so.0.3.0 libheddle-sim.a libheddle-sim.so.0.3.0 libheddle.a \
  libheddle.so.0.3.0 | cmp - "$prefix/libraries"

# A toolkit's folder: what is linked there finds the library by itself.
if [ -x /usr/bin/clang-19 ] || [ -x /usr/bin/clang-14 ]; then
  top=$("$prefix/first/bin/heddle-nvcc" -v --dryrun none.o 2>&1 | sed -n 's/^#\$ TOP=//p')
  echo 'int main(void) { int n; return cudaGetDeviceCount(&n) != cudaSuccess || n != 1; }' >"$prefix/count.c"
  cc -include cuda_runtime_api.h -I"$top/include" "$prefix/count.c" -L"$top/lib64" -lcudart_static -o "$prefix/count"
  HEDDLE_BOARD=model "$prefix/count"
  [ "$(realpath "$top/bin/nvcc")" = "$(realpath "$prefix/first/bin/heddle-nvcc")" ]
fi

# Only the device that is used: a tree moves in a moment.
mv "$prefix/first" "$prefix/moved"
find "$prefix/moved" -path '*/heddle/devices/*' ! -name "verilator_${config:-none}.so" -delete
"$here/use.sh" "$prefix/moved" $config
