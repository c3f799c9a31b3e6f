#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: test_bench_rate.sh HEDDLE CONFIG [ROW,... | --full]     these rows alone and nothing else of the test; or tiny's rows
# all with the model beside
# heddle bench rate at a configuration: the figures fit together and are as rates.txt says; two runs are the same.
set -uo pipefail
heddle=$1 config=$2 here=$(cd "$(dirname "$0")" && pwd)
source "$here/../lib.sh"
rate=("$heddle" bench rate --config "$config" --scale 0)

page=$here/../../docs/benchmarks.md
lockstep_rows=(--only shared_conflict_4,ffma_ilp,alu_chain,global_load_stream)
if [ "${3:-}" = --full ]; then
  lockstep_rows=()
elif [ -n "${3:-}" ]; then
  expect 0 "${3%%,*}" "${rate[@]}" --only "$3" --json "$dir/table"
  expect 0 "" python3 "$here/rate_doc.py" "$page" "$dir/table"
  expect 0 "" python3 "$here/rates.py" --part "$here/rates.txt" "$dir/table"
  exit 0
fi
expect 0 "ffma_chain" "${rate[@]}" --json "$dir/table"
expect 0 "" python3 "$here/rate_doc.py" "$page" "$dir/table"
# Little's law of partitions is held to duo: of sm it takes many minutes.
if [ "$config" = sm ]; then
  expect 0 "" python3 "$here/rates.py" "$here/rates.txt" "$dir/table"
  exit 0
fi
"${rate[@]}" --little --check --json "$dir/little" --picture "$dir/it's.png" >"$dir/law" 2>&1
status=$?
off=0
grep -q '"outside": 0,' "$dir/little" || off=1
expect 0 "worst: " cat "$dir/law"
expect 0 "" test "$status" = "$off"   # --check: points off the law are an error
expect 0 "" python3 "$here/rates.py" "$here/rates.txt" "$dir/table" "$dir/little"
# A PNG of that size: signature, then the header.
expect 0 " 89 50 4e 47 0d 0a 1a 0a 00 00 00 0d 49 48 44 52 00 00 05 dc 00 00 02 a8" od -An -tx1 -w24 -N24 "$dir/it's.png"

# The same again; and with the model beside it, which looks at every instruction.
expect 0 "" "${rate[@]}" --only shared_conflict_4 --json "$dir/part"
expect 0 "" "${rate[@]}" --only shared_conflict_4 --json "$dir/again"
expect 0 "" cmp "$dir/part" "$dir/again"
if [ "$config" = tiny ]; then
  expect 0 "" cmp <("${rate[@]}" "${lockstep_rows[@]}" --on lockstep) <("${rate[@]}" "${lockstep_rows[@]}")
  expect 0 "--dep scoreboard" "${rate[@]}" --on lockstep --dep scoreboard --only mixed_pipes
  # A judge that can say no.
  sed 's/^tiny ffma_full .*/tiny ffma_full cycles 7/' "$here/rates.txt" >"$dir/rates.txt"
  expect 1 "ffma_full: 32.0" python3 "$here/rates.py" "$dir/rates.txt" "$dir/table" "$dir/little"
  sed '/^tiny ffma_full /d' "$here/rates.txt" >"$dir/rates.txt"
  expect 1 "ffma_full: nothing is demanded" python3 "$here/rates.py" "$dir/rates.txt" "$dir/table" "$dir/little"
  sed 's/"fraction": 0\.8/"fraction": 1.0/' "$dir/table" >"$dir/again"
  expect 1 "is not" python3 "$here/rates.py" "$here/rates.txt" "$dir/again" "$dir/little"
  sed '0,/"rate": 0/s//"rate": 9/' "$dir/little" >"$dir/again"
  expect 1 "above the law" python3 "$here/rates.py" "$here/rates.txt" "$dir/table" "$dir/again"

  sed 's/^\(| `cvt_s32_f32` |[^|]*|\)[^|]*/\1 7 /' "$page" >"$dir/page.md"
  expect 1 "cvt_s32_f32: shown 7, found 32" python3 "$here/rate_doc.py" "$dir/page.md" "$dir/table"
  expect 0 "" python3 "$here/rate_doc.py" --write "$dir/page.md" "$dir/table"
  expect 0 "" cmp "$dir/page.md" "$page"
  expect 2 "usage" python3 "$here/rate_doc.py" "$page"

  # a figure that has to be exact, renewed
  sed 's/^\(tiny stream_read  *exactly\) .*/\1 64/' "$here/rates.txt" >"$dir/rates.txt"
  expect 1 "stream_read: " python3 "$here/rates.py" "$dir/rates.txt" "$dir/table" "$dir/little"
  expect 0 "" python3 "$here/rates.py" --renew "$dir/rates.txt" "$dir/table"
  expect 0 "" cmp "$dir/rates.txt" "$here/rates.txt"
  sed '/^tiny stream_read /d' "$here/rates.txt" >"$dir/rates.txt"   # a row that nobody demands anything of gets a line
  expect 0 "" python3 "$here/rates.py" --renew "$dir/rates.txt" "$dir/table"
  expect 0 "" cmp <(sort "$dir/rates.txt") <(sort "$here/rates.txt")

  # memory that takes its time
  expect 0 "stream_write" "${rate[@]}" --only stream_write --latency 300 --json "$dir/far"
  expect 0 '"latency": 300' cat "$dir/far"
  slow() { "${rate[@]}" --only global_load_stream "$@" | awk '/^global_load_stream/ { print $2 }'; }
  expect 0 "" test "$(slow --latency 200)" '>' "$(slow)"

  # options
  expect 2 "there are: ffma_ilp" "${rate[@]}" --only nothing
  expect 2 "sgemm8x8" "${rate[@]}" --only nothing
  expect 2 "no rate 'none'" "${rate[@]}" --only ffma_chain,none,alu_chain
  expect 2 "no rate ''" "${rate[@]}" --only ffma_chain,
  expect 0 "" "${rate[@]}" --only ffma_chain,alu_chain --json "$dir/part"
  expect 0 "" python3 "$here/rates.py" --part "$here/rates.txt" "$dir/part"
  expect 1 "cvt_chain: no such row" python3 "$here/rates.py" "$here/rates.txt" "$dir/part"
  expect 2 "expected rtl or lockstep" "${rate[@]}" --on model
  expect 2 "--dep both" "${rate[@]}" --dep both
  expect 2 "are of --little" "${rate[@]}" --picture "$dir/x.png"
  expect 2 "are of --little" "${rate[@]}" --check
  expect 2 "--only" "${rate[@]}" --little --only ffma_ilp
  expect 2 "expected 1 to" "${rate[@]}" --latency 0
  expect 2 "--scale many" "${rate[@]}" --scale many
  expect 2 "'more' is not an option" "${rate[@]}" more
  expect 2 "there is no option --runs" "${rate[@]}" --runs 3
  expect 2 "line break" "${rate[@]}" --little --picture "$dir/a"$'\n'"b.png"
  expect 2 "cannot write JSON" "${rate[@]}" --only ffma_chain --json "$dir/none/x"
  expect 2 "none/x.png: could not write it" "${rate[@]}" --little --picture "$dir/none/x.png"
  expect 5 "not built" "$heddle" bench rate --config nonesuch
  mkdir "$dir/empty"
  expect 5 "scripts/setup.sh installs it" env PATH="$dir/empty" "${rate[@]}" --little --picture "$dir/x.png"
  expect 5 "rates.csv" env HEDDLE_DATA="$dir/empty" "${rate[@]}" --little --picture "$dir/x.png"
  expect 0 "heddle bench rate" "$heddle" bench --help
fi
