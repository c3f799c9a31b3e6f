#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: test_systemc.sh BUILD
# The SystemC platform of an installation, built by its own CMakeLists.txt against shared libraries and archives, with
# every warning an error in its own text, run on model and RTL.
set -euo pipefail
build=$1
source "$(dirname "$0")/../lib.sh"
cd "$dir"
expect 0 "" cmake --install "$build" --prefix "$dir/first"
mv first prefix
find prefix -path '*/heddle/devices/*' ! -name verilator_tiny.so -delete
prefix/bin/heddle as prefix/share/heddle/kernels/vecadd.s -o vecadd.elf
export SYSTEMC_DISABLE_COPYRIGHT_MESSAGE=1
for static in OFF ON; do
  expect 0 "" cmake -S prefix/share/heddle/systemc -B "platform_$static" -DCMAKE_PREFIX_PATH="$dir/prefix" -DHEDDLE_STATIC=$static \
    -DCMAKE_CXX_FLAGS="-Wall -Wextra -Werror"
  expect 0 "" cmake --build "platform_$static"
done
export HEDDLE_DEVICES=$(dirname "$(find prefix -name verilator_tiny.so)")
# ends_well PROGRAM GPU0 GPU1: and says so of both.
ends_well() {
  printf '%s: 1000 sums, 0 wrong\n' "$2" "$3" >wanted
  echo "$2: with errors in memory: the program trapped" >>wanted
  expect 0 "" bash -c '"$@" >ran' _ "$1" vecadd.elf "$2" "$3"
  expect 0 "" diff wanted <(grep -v '^Info: \|^$' ran)
}
ends_well platform_OFF/platform model model
ends_well platform_OFF/platform model:tiny rtl:tiny
ends_well platform_ON/platform rtl:tiny rtl:tiny
# What is not there is said.
expect 0 "verilator_none is not built" bash -c '! "$@"' _ platform_OFF/platform vecadd.elf rtl:none
