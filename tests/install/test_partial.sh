#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: test_partial.sh BUILD
# Installs from a build in which only `heddle` and a device were built, as after many a
# `cmake --build build --target heddle`: what is there is installed, the rest is no error. And
# ./demo.sh builds all that can be installed but further devices.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
build=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The scripts of the installation, over a build folder with little in it.
mkdir "$work/build" "$work/build/devices"
(cd "$build" && find . -name cmake_install.cmake -not -path './venv/*' -print0 | tar -c --null -T -) | tar -x -C "$work/build"
find "$work/build" -name cmake_install.cmake -exec sed -i "s|$build|$work/build|g" {} +
cp -r "$build/gen" "$work/build/gen"
cp "$build/heddle" "$work/build/heddle"
mkdir -p "$work/build/firmware" # what is made when it is configured
cp -r "$build/firmware/made" "$build/firmware/sgemm8x8.s" "$work/build/firmware/"
touch "$work/build/devices/verilator_any.so"
cmake --install "$work/build" --prefix "$work/prefix" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
for file in bin/heddle include/heddle/driver.h share/heddle/kernels/vecadd.s share/heddle/schema/difference.json; do
  [ -e "$work/prefix/$file" ] || { echo "no $file"; exit 1; }
done
[ -n "$(find "$work/prefix" -name verilator_any.so)" ] || { echo "no device"; exit 1; }
left=$(find "$work/prefix" -name '*.pc' -o -name 'libheddle*' -o -name '*config*.cmake')
[ -z "$left" ] || { echo "finds what is not there: $left"; exit 1; }
grep -q -- '--target heddle software ' "$here/../../demo.sh" || { echo "demo.sh does not build the libraries"; exit 1; }
