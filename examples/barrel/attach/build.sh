#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# build.sh FOLDER [0|wave]: FOLDER/verilator_barrel.so, barrel as a device of `heddle`; with 0 verilator_barrel0.so,
# which shows profile P0 alone; with wave verilator_barrel_wave.so, which --wave and --wave-last open.
#   sh build.sh devices && HEDDLE_DEVICES=$PWD/devices heddle fuzz --programs 100 --config barrel
# From the environment: HEDDLE (heddle), VERILATOR (verilator), CXX (c++), INCLUDES (else what pkg-config says of
# heddle-sim).
set -eu
out=$1 name=barrel core=barrel profile=1 waves=0 optimise=-O1
case "${2:-}" in
  0) name=barrel0 core=barrel0 profile=0 ;;
  wave) name=barrel_wave waves=1 optimise=-O0 ;; # few cycles are run with it
  "") ;;
  *) echo "build.sh: '$2': 0, wave or nothing" >&2; exit 2 ;;
esac
here=$(cd "$(dirname "$0")" && pwd)
heddle=${HEDDLE:-heddle} verilator=${VERILATOR:-verilator} cxx=${CXX:-c++}
if [ -z "${INCLUDES:-}" ] && pkg-config --exists heddle-sim; then
  INCLUDES=$(pkg-config --cflags heddle-sim)
elif [ -z "${INCLUDES:-}" ]; then # in the tree that Heddle is built from
  INCLUDES="-I$(dirname "$heddle")/gen"
fi
root=$("$verilator" --getenv VERILATOR_ROOT)
work=$out/$name.work
fst= runtime="$root/include/verilated.cpp $root/include/verilated_threads.cpp" libraries="-lpthread -latomic"
if [ "$waves" = 1 ]; then
  fst=--trace-fst runtime="$runtime $root/include/verilated_fst_c.cpp" libraries="$libraries -lz"
fi
rm -rf "$work"
mkdir -p "$work"

"$heddle" kit "$work/kit" --lanes 8 --warps 4 --blocks 2
# shellcheck disable=SC2086  # fst: an option or none
"$verilator" --cc --prefix Vbarrel_retire --top-module barrel_retire --Mdir "$work" -O3 $fst --x-assign unique --x-initial unique \
  -Wno-lint -Wno-style -I"$here/../src" "$here/barrel_retire.v" "$here"/../src/*.v "$work"/kit/retire_pack_*.v
# shellcheck disable=SC2086  # several words
set -- -std=c++17 $optimise -fPIC -DVL_USER_STOP -DVM_TRACE_FST="$waves" -DBARREL_PROFILE="$profile" -DBARREL_NAME="\"$core\"" \
  -I"$work" -I"$root/include" -I"$root/include/vltstd" $INCLUDES
# File by file, which CXX="ccache c++" remembers.
# shellcheck disable=SC2086
for f in "$here/barrel_core.cpp" "$work"/Vbarrel_retire*.cpp $runtime; do
  # shellcheck disable=SC2086
  $cxx "$@" -c "$f" -o "$work/$(basename "$f" .cpp).o"
done
# shellcheck disable=SC2086
$cxx -shared -o "$out/verilator_$name.so" "$work"/*.o $libraries
