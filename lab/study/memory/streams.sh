#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: streams.sh HEDDLE CONFIG [KERNEL ...]   default: copy add read write gather, and seven where there are 8 warps
# What banks and ports of memory carry: of streams.cl the shares of R and W of all AXI ports, in the steady state (the difference of
# two sizes), memory at 100 cycles. CONFIG has 1 MiB of shared cache or less. Blocks are of 8 warps, or of all that an SM has.
# seven: the share of R of seven banks' readers alone, then beside atomics on the eighth bank. It wants 8 warps.
set -euo pipefail
[ $# -ge 2 ] || { sed -n '3,6s/^# //p' "$0" >&2; exit 2; }
heddle=$1 config=$2
shift 2
here=$(cd "$(dirname "$0")" && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
bytes_a_cycle=$("$heddle" configs | awk -v c="$config" '$1 == c { print $7 / 8 * $8 }')
[ -n "$bytes_a_cycle" ] || { echo "streams.sh: no configuration '$config'" >&2; exit 2; }
turn=$("$heddle" configs | awk -v c="$config" '$1 == c { print $3 * $11 * 4 }')   # KiB that all warps of all SMs read, or write, at once
more=$((turn < 128 ? 4 : 1))   # a turn of few warps is short
warps=$("$heddle" configs | awk -v c="$config" '$1 == c { print $3 < 8 ? $3 : 8 }')
readonly KIB=1024 THREADS=$((32 * warps)) BLOCK=$((32 * warps * 128)) NONE=/dev/null
"$heddle" cc "$here/streams.cl" -D THREADS=$THREADS -o "$dir/streams.elf"

zeros() { [ -f "$dir/$1" ] || head -c "$1" /dev/zero >"$dir/$1"; echo "in:$dir/$1"; }   # BYTES
cycles() { # KERNEL BLOCKS ARGUMENT ...
  local kernel=$1 blocks=$2 args=() a
  shift 2
  for a; do args+=(--arg "$a"); done
  "$heddle" run "$dir/streams.elf" --kernel "$kernel" --global $((blocks * THREADS)) --local $THREADS --on rtl --config "$config" \
    --calm --latency 100 "${args[@]}" 2>&1 | sed -n 's/.* \([0-9]*\) cycles.*/\1/p'
}
run() { # KERNEL KIB [HOT]: of each array; of gather, of sectors; of seven, of all eight banks
  local n=$(($2 * KIB)) out=out:4096:$NONE
  case $1 in
    copy) cycles copy $((n / BLOCK)) "$(zeros $n)" out:$n:$NONE ;;
    add) cycles add $((2 * n / BLOCK)) "$(zeros $n)" "$(zeros $n)" out:$n:$NONE ;;
    read) cycles read $((n / BLOCK)) "$(zeros $n)" $out ;;
    write) cycles write $((n / BLOCK)) out:$n:$NONE ;;
    gather) cycles gather $((n / 32 / 16 / THREADS)) "$(zeros $((16 * KIB * KIB)))" $out u32:$((4 * KIB * KIB - 1)) ;;
    seven) cycles seven 16 "$(zeros $n)" $out u32:$((n / 16 / BLOCK)) "u32:$3" ;;
    *) echo "streams.sh: no kernel '$1'" >&2; return 2 ;;
  esac
}
steady() { # KERNEL TURNS MORE-TURNS TIMES-READ TIMES-WRITTEN [HOT]
  local few much more=$(($3 * more))
  few=$(run "$1" $(($2 * turn)) "${6:-}")
  much=$(run "$1" $((($2 + more) * turn)) "${6:-}")
  awk -v name="$1 ${6:-}" -v few="$few" -v much="$much" -v kib=$((more * turn)) -v r="$4" -v w="$5" -v wide="$bytes_a_cycle" 'BEGIN {
    share = kib * 1024 / (much - few) / wide
    printf "%-8s %8d %8d cycles   R %.2f   W %.2f\n", name, few, much, r * share, w * share }'
}
[ $# -gt 0 ] || set -- copy add read write gather $(if [ "$warps" = 8 ]; then echo seven; fi)
for kernel; do
  case $kernel in
    copy) steady copy 2 1 1 1 ;;
    add) steady add 1 1 2 1 ;;
    read) steady read 1 1 1 0 ;;
    write) steady write 2 1 0 1 ;;
    gather) steady gather 4 4 1 0 ;;
    seven) for hot in 0 1; do steady seven 1 2 0.875 0 $hot; done ;;
    *) echo "streams.sh: no kernel '$kernel'" >&2; exit 2 ;;
  esac
done
