#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: test_programs.sh HEDDLE_NVCC BOARD...
# The programs of this folder through each clang that is installed, on each board. Those that do
# most lose no memory, where there is valgrind.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd) nvcc=$(realpath -s "$1")
shift
source "$here/../../../lib.sh"
cd "$dir"
# prints "LINES" COMMAND...: these on stdout, in this order, and exit status 0
prints() {
  printf '%s\n' "$1" "status 0" >"$dir/want"
  { "${@:2}" 2>"$dir/err"; echo "status $?"; } >"$dir/got"
  expect 0 "" diff "$dir/want" "$dir/got"
  cmp -s "$dir/want" "$dir/got" || echo "of: ${*:2}"
}

clangs=0
for clang in clang-14 clang-19; do
  command -v "$clang" >/dev/null || continue
  clangs=$((clangs + 1))
  export HEDDLE_CLANG=$clang
  for p in shared driver blas misuse heap unified; do
    expect 0 "" "$nvcc" -Werror -Xcompiler -Wall,-Wextra "$here/$p.cu" -o "$p"
  done
  # kernels of two files linked: in one step, from objects, from an archive, by another linker
  expect 0 "" "$nvcc" -rdc=true "$here/rdc_main.cu" "$here/rdc_other.cu" -o linked -lcudadevrt
  expect 0 "" "$nvcc" -dc "$here/rdc_main.cu" "$here/rdc_other.cu"
  expect 0 "" ar rc librdc.a rdc_other.o
  expect 0 "" "$nvcc" rdc_main.o -L. -lrdc -o archive
  expect 0 "" "$nvcc" -dlink rdc_main.o rdc_other.o -o kernels.o
  sdk=$(dirname "$nvcc")/sdk
  expect 0 "" g++ rdc_main.o rdc_other.o kernels.o -L"$sdk" -Wl,-rpath,"$sdk" -lheddle-cuda -o foreign
  for p in linked archive foreign; do prints "1 and 7" ./$p; done
  for p in vecadd language calls sticky; do
    expect 0 "" "$nvcc" -G "$here/$p.cu" -o "$p.G"
    expect 0 "" "$nvcc" -Werror -Xcompiler -Wall,-Wextra "$here/$p.cu" -o "$p"
  done
  expect 0 "" "$nvcc" -c -g "$here/parts_main.cu" -o main.o
  expect 0 "" "$nvcc" main.o "$here/parts_other.cu" "$here/parts_plain.cpp" -o parts
  expect 0 "" "$nvcc" -Werror -Xcompiler -Wall,-Wextra "$here/chain.cu" "$here/chain_says.cu" -o chain
  # -O0 code raises no alarm about what nobody wrote
  prints "1000 sums, 0 wrong, timed" ./vecadd.G
  prints $'thread 0 of talk: 1.50\nbefore\nthread 0 of talk: 2.00\nwell' ./language.G
  prints "all calls" ./calls.G
  HEDDLE_BOARD=model:paged prints unified ./unified
  for board in "$@"; do
    export HEDDLE_BOARD=$board
    chain=$'behind 0\nbehind 1\nbehind 2\nin order'
    case $board in
    rtl:*) # with a queue; all else is as on the others
      prints "$chain" ./chain queued
      continue
      ;;
    model*) prints "$chain" ./chain alone ;;
    esac
    prints "1000 sums, 0 wrong, timed" ./vecadd
    prints $'thread 0 of talk: 1.50\nbefore\nthread 0 of talk: 2.00\nwell' ./language
    prints "all calls" ./calls
    prints shared ./shared
    prints driver ./driver
    prints heap ./heap
    case $board in
    lockstep:*) ;; # too long
    *:tiny) prints "float" ./blas ;;
    *) prints "float and double" ./blas ;;
    esac
    [[ $board == lockstep:* ]] || prints "38 cases" ./misuse
    prints 1102 ./parts
    for what in address misaligned trap undefined; do prints "told until reset" ./sticky $what; done
    expect 0 "sticky.cu:10: pc" ./sticky address
    expect 0 "void wrong(int *, int): block: [0,0,0], thread: [31,0,0] Assertion \`what != 3\` failed." ./sticky assert
  done
done
unset HEDDLE_CLANG HEDDLE_BOARD
if [ -x /usr/bin/valgrind ]; then
  lost=(valgrind -q --error-exitcode=9 --leak-check=full --errors-for-leak-kinds=all)
  prints $'thread 0 of talk: 1.50\nbefore\nthread 0 of talk: 2.00\nwell' "${lost[@]}" ./language
  for p in shared driver; do prints $p "${lost[@]}" ./$p; done
  prints "float and double" "${lost[@]}" ./blas
  prints "38 cases" "${lost[@]}" ./misuse
fi
expect 0 "" test "$clangs" -gt 0
