#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# build.sh FOLDER [0]: FOLDER/verilator_barrel.so, barrel as a device of `heddle`; with 0 verilator_barrel0.so, which
# shows profile P0 alone.
#   sh build.sh devices && HEDDLE_DEVICES=$PWD/devices heddle fuzz --programs 100 --config barrel
# From the environment: HEDDLE (heddle), VERILATOR (verilator), CXX (c++), INCLUDES (else what pkg-config says of
# heddle-sim, and kit/verilator of the installation).
set -eu
out=$1 profile=${2:-1}
here=$(cd "$(dirname "$0")" && pwd)
heddle=${HEDDLE:-heddle} verilator=${VERILATOR:-verilator} cxx=${CXX:-c++}
if [ -z "${INCLUDES:-}" ] && pkg-config --exists heddle-sim; then
  INCLUDES="$(pkg-config --cflags heddle-sim) -I$(pkg-config --variable=datadir heddle-sim)/kit/verilator"
elif [ -z "${INCLUDES:-}" ]; then # in the tree that Heddle is built from
  tree=$here/../../..
  INCLUDES="-I$(dirname "$heddle")/gen -I$tree/cosim/include -I$tree/cmodel/include -I$tree/isa/include"
  INCLUDES="$INCLUDES -I$tree/cosim/verilator -I$tree/kit/verilator"
fi
root=$("$verilator" --getenv VERILATOR_ROOT)
name=barrel
[ "$profile" = 1 ] || name=barrel0
work=$out/$name.work
rm -rf "$work"
mkdir -p "$work"

"$heddle" kit "$work/kit" --lanes 8 --warps 4 --blocks 2
"$verilator" --cc --prefix Vbarrel_retire --top-module barrel_retire --Mdir "$work" -O3 --x-assign unique --x-initial unique \
  -Wno-lint -Wno-style -I"$here/../src" "$here/barrel_retire.v" "$here"/../src/*.v "$work"/kit/retire_pack_*.v
# shellcheck disable=SC2086  # several words
set -- -std=c++17 -O1 -fPIC -DVL_USER_STOP -DVM_TRACE_FST=0 -DBARREL_PROFILE="$profile" -DBARREL_NAME="\"$name\"" \
  -I"$work" -I"$root/include" -I"$root/include/vltstd" $INCLUDES
# File by file, which CXX="ccache c++" remembers.
for f in "$here/barrel_core.cpp" "$work"/Vbarrel_retire*.cpp "$root/include/verilated.cpp" "$root/include/verilated_threads.cpp"; do
  # shellcheck disable=SC2086
  $cxx "$@" -c "$f" -o "$work/$(basename "$f" .cpp).o"
done
# shellcheck disable=SC2086
$cxx -shared -o "$out/verilator_$name.so" "$work"/*.o -lpthread -latomic
