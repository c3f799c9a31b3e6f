#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: use.sh PREFIX [CONFIG]
# What a stranger does with an installation that has been moved since: hosts in C and C++ against
# its libraries, found by pkg-config or CMake alone, shared and static, and heddle itself, in an
# empty folder and an empty environment. With CONFIG on that device, too, which must be installed.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
prefix=$(cd "$1" && pwd)
config=${2:-}
source "$here/../lib.sh"
cd "$dir"

# bare COMMAND...: in an environment that knows nothing but the prefix's pkg-config files.
pc=$(dirname "$(find "$prefix" -name heddle.pc)")
bare() {
  env -i PATH=/usr/bin:/bin PKG_CONFIG_PATH="$pc" "$@"
}
# says TEXT COMMAND...: the command succeeds, and prints that line among others.
says() {
  expect 0 "$1" env -i PATH=/usr/bin:/bin "${@:2}"
  holds "${*:2}: no line '$1'" grep -qxF -- "$1" "$dir/out"
}
value() {
  bare pkg-config --variable="$1" heddle-sim
}
# build COMPILER SOURCE MODULE OPTION...: makes the program of that name, with shared libraries.
build() {
  local source=$2 module=$3 cc=($1)
  shift 3
  # shellcheck disable=SC2046 # words are wanted
  bare "${cc[@]}" -Wall -Wextra -pedantic -Werror $(bare pkg-config --cflags "$module") "$source" \
    -o "$(basename "${source%.*}")" $(bare pkg-config --libs "$module") "-Wl,-rpath,$(value libdir)" "$@"
}
c="gcc -std=c11" cxx="g++ -std=c++17"
for module in heddle heddle-sim; do
  expect 0 "" bare pkg-config --exists --print-errors $module
  expect 0 "" bare pkg-config --exists --static --print-errors $module
done
data=$(value datadir) devices=$(value devicedir)
case $data:$devices in "$prefix"/*:"$prefix"/*) ;; *) [ "$(realpath "$data")" = "$prefix/share/heddle" ] || fail "datadir is $data" ;; esac
boards=(model)
[ -z "$config" ] || boards+=("model:$config" "rtl:$config" "lockstep:$config")

# Every public header stands for itself, in C and C++, and none knows jansson.
for header in "$(value includedir)"/heddle/*.h; do
  printf '#include "%s"\nint main(void) { return 0; }\n' "$header" >alone.c
  cp alone.c alone.cpp
  holds "$header alone in C" build "$c" alone.c heddle-sim -fsyntax-only
  holds "$header alone in C++" build "$cxx" alone.cpp heddle-sim -fsyntax-only
done
expect 1 "" grep -l jansson "$(value includedir)"/heddle/*.h

build "$c" "$here/answer.c" heddle-sim
says 42 ./answer
build "$c" "$here/compile.c" heddle-sim
says vecadd ./compile "$data/kernels/vecadd.ptx"
build "$c" "$data/examples/vecadd.c" heddle-sim
build "$cxx" "$here/host.cpp" heddle-sim

heddle=$prefix/bin/heddle
bare "$heddle" as "$data/kernels/vecadd.s" -o vecadd.elf
# hosts FOLDER: both, on every board.
hosts() {
  for board in "${boards[@]}"; do
    says "$board: 42" "$1/host" "$board"
    expect 0 "" bare "$1/vecadd" vecadd.elf "$board"
  done
}
hosts .
for board in model ${config:+"lockstep:$config"}; do # named by the environment
  says "$board: 1000 sums, 0 wrong" env HEDDLE_BOARD="$board" ./vecadd vecadd.elf
done
# A CUDA program, where there is a clang.
if [ -x /usr/bin/clang-19 ] || [ -x /usr/bin/clang-14 ]; then
  bare "$prefix/bin/heddle-nvcc" "$here/../firmware/host/cuda/vecadd.cu" -o cuda
  for board in model ${config:+"lockstep:$config"}; do
    says "1000 sums, 0 wrong, timed" env HEDDLE_BOARD="$board" ./cuda
  done
fi
# Archives, by pkg-config; a host elsewhere says where devices are.
# shellcheck disable=SC2046
bare $cxx $(bare pkg-config --cflags heddle-sim) "$here/host.cpp" -o static -Wl,-Bstatic \
  $(bare pkg-config --libs heddle-sim) -Wl,-Bdynamic $(bare pkg-config --static --libs-only-l heddle-sim | sed 's/-lheddle[^ ]*//g')
expect 1 "" grep heddle <(ldd ./static)
for board in "${boards[@]}"; do
  says "$board: 42" ./static --devices "$devices" "$board"
done
# The package.
for static in OFF ON; do
  expect 0 "" bare cmake -S "$here/package" -B "package_$static" -DCMAKE_PREFIX_PATH="$prefix" -DHEDDLE_STATIC=$static
  expect 0 "" bare cmake --build "package_$static"
done
hosts package_OFF
says "model: 42" package_ON/host model
# Not a byte that is not the host's own.
if [ -x /usr/bin/valgrind ]; then
  for board in model ${config:+"rtl:$config"}; do
    says "$board: 42" valgrind -q --error-exitcode=9 --leak-check=full --errors-for-leak-kinds=definite ./host "$board"
    expect 0 "" bare valgrind -q --error-exitcode=9 --leak-check=full --errors-for-leak-kinds=definite ./vecadd vecadd.elf "$board"
  done
  # The checker compares whole rows of lanes, also of those that are off: only what is lost counts.
  [ -z "$config" ] || says "lockstep:$config: 42" valgrind -q --error-exitcode=9 --leak-check=full \
    --errors-for-leak-kinds=definite --undef-value-errors=no ./host "lockstep:$config"
fi

# A core of one's own in a simulator: the kit with its C, compiled against what is installed alone.
bare "$heddle" kit my_core --lanes 4 --warps 4 --blocks 4
vpi=/usr/include/iverilog dpi=$(find /usr/share/verilator/include -name svdpi.h -printf '%h' 2>/dev/null || true)
[ ! -e $vpi/vpi_user.h ] || (cd my_core && build "gcc -shared -fPIC -isystem $vpi" heddle_vpi.c heddle-sim heddle_bench.c)
[ -z "$dpi" ] || (cd my_core && build "gcc -shared -fPIC -isystem $dpi" heddle_dpi.c heddle-sim heddle_bench.c)
[ -s "$data/kit/cocotb/pyproject.toml" ] && [ -s "$data/kit/cocotb/heddle_cocotb/monitor.py" ] || fail "no heddle-cocotb"
says "library write" env PYTHONPATH="$data/kit/cocotb/heddle_cocotb" PKG_CONFIG_PATH="$pc" python3 -B -c \
  'import library; print("library", library.load()["kind_name"](4).decode())'

mkdir empty && cd empty
says "2 passed, 0 failed" "$heddle" kernels vecadd sgemm --on model --scale 0
says "8 passed, 0 failed" "$heddle" cases "$data/silicon/kernels" --on model
expect 0 "" env -i "$heddle" bench compiler --runs 1
expect 0 "" env -i "$heddle" isa lint "$data/isa/variants/scatter.isa"
[ -z "$config" ] || says "1 passed, 0 failed" "$heddle" kernels vecadd --on lockstep --config "$config" --scale 0
