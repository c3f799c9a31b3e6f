#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The timing diagrams of docs/for-fpga.md are those of a run: launch, burst that reads, burst that writes.
# usage: test_timing.sh HEDDLE     to make them again: waves/timing.py WAVE.vcd docs/img --svg, of the same run
set -uo pipefail
[ $# = 1 ] || { echo "usage: test_timing.sh HEDDLE" >&2; exit 2; }
root=$(cd "$(dirname "$0")/../.." && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
"$1" run "$root/examples/programs/square.s" --grid 1 --block 32 --arg "out:128:$dir/out" --config tiny --wave "$dir/w.fst" \
  >"$dir/report" 2>&1 || { cat "$dir/report"; exit 1; }
fst2vcd "$dir/w.fst" >"$dir/w.vcd" 2>"$dir/log" || { cat "$dir/log"; exit 1; }
python3 -B "$root/waves/timing.py" "$dir/w.vcd" "$dir" || exit 1
status=0
for name in launch read write; do
  diff "$root/docs/img/axi-$name.json" "$dir/axi-$name.json" || { echo "FAILED: docs/img/axi-$name.json is not what the run shows"; status=1; }
done
# A picture must say something: a handshake, several beats.
grep -q '"beat 7"' "$dir/axi-read.json" && grep -q '"beat 1"' "$dir/axi-write.json" || { echo "FAILED: no burst"; status=1; }
exit $status
