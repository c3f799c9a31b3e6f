#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: firmware/host/python/build.sh BUILD      example: firmware/host/python/build.sh build
# Makes the wheel in BUILD/python, of the libraries that BUILD has (target sdk_heddle-sim), and installs it into
# build/venv-python, where its tests run. A device for any machine goes in where it has been built: tiny.
set -euo pipefail
[ $# = 1 ] || { sed -n 3,5p "$0" >&2; exit 2; }
build=$(cd "$1" && pwd)
root=$(cd "$(dirname "$0")/../../.." && pwd)
stage=$build/python/prefix
"$root/firmware/host/python/setup.sh"
python=$root/build/venv-python/bin/python3
rm -rf "$stage"
mkdir -p "$stage"
cmake --install "$build" --prefix "$stage" --component development >"$stage/log" || { cat "$stage/log" >&2; exit 1; }
device=$build/devices/verilator_tiny.so
[ -e "$device" ] || { echo "build: no device tiny in $build/devices: the wheel has none" >&2; device=""; }
wheel=$("$python" -B "$root/firmware/host/python/wheel.py" "$stage" "$build/python" $device | tail -1)
"$python" -m pip install -q --disable-pip-version-check --force-reinstall --no-deps "$wheel" >&2
echo "$wheel"
