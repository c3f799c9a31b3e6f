#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: test_systemc.sh BUILD
# The SystemC platform of an installation, built by its own CMakeLists.txt against shared libraries and archives, with
# every warning an error in its own text, run on model and RTL.
set -euo pipefail
build=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
cmake --install "$build" --prefix "$work/first" >log || { cat log; exit 1; }
mv first prefix
find prefix -path '*/heddle/devices/*' ! -name verilator_tiny.so -delete
prefix/bin/heddle as prefix/share/heddle/kernels/vecadd.s -o vecadd.elf
export SYSTEMC_DISABLE_COPYRIGHT_MESSAGE=1
for static in OFF ON; do
  { cmake -S prefix/share/heddle/systemc -B "platform_$static" -DCMAKE_PREFIX_PATH="$work/prefix" -DHEDDLE_STATIC=$static \
    -DCMAKE_CXX_FLAGS="-Wall -Wextra -Werror" && cmake --build "platform_$static"; } >log 2>&1 || { cat log; exit 1; }
done
export HEDDLE_DEVICES=$(dirname "$(find prefix -name verilator_tiny.so)")
# expect PROGRAM GPU0 GPU1: it ends well and says so of both.
expect() {
  printf '%s: 1000 sums, 0 wrong\n' "$2" "$3" >wanted
  echo "$2: with errors in memory: the program trapped" >>wanted
  "$1" vecadd.elf "$2" "$3" >said 2>errors || { cat said errors; exit 1; }
  grep -v '^Info: \|^$' said | diff wanted - || { echo "$*: says something else"; exit 1; }
}
expect platform_OFF/platform model model
expect platform_OFF/platform model:tiny rtl:tiny
expect platform_ON/platform rtl:tiny rtl:tiny
# What is not there is said.
status=0
platform_OFF/platform vecadd.elf rtl:none >said 2>&1 || status=$?
[ $status != 0 ] && grep -q "verilator_none is not built" said || { cat said; echo "rtl:none: status $status"; exit 1; }
echo "the platform runs from an installation, shared and static"
