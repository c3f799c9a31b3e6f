#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Fuzz what reads files from outside (tests/fuzz) and print a table. Corpora grow in build-fuzz/corpus, findings go to build-fuzz/findings.
# usage: scripts/fuzz.sh [--seconds N] [--jobs N] [--coverage] [--record] [TARGET ...]      example: scripts/fuzz.sh --seconds 120 assemble elf
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=60 jobs=$(nproc) coverage="" record=""
all=(assemble elf decode isa config layout records npy waivers printf trace stream digest check threads order order_trace cat coverage opencl ptx compile)
while [ $# -gt 0 ]; do
  case $1 in
    --seconds) seconds=$2; shift 2 ;;
    --jobs) jobs=$2; shift 2 ;;
    --coverage) coverage=1; shift ;;
    --record) record=1; shift ;;
    -*) sed -n '3,4p' "$0" >&2; exit 2 ;;
    *) break ;;
  esac
done
[ $# -gt 0 ] || set -- "${all[@]}"
for t in "$@"; do
  [ -f "tests/fuzz/fuzz_$t.c" ] || { echo "fuzz.sh: no target '$t'; there are: ${all[*]}" >&2; exit 2; }
done

# Whose seeds a target takes, and the sources that its line coverage is about.
kind_of() {
  case $1 in
    check | threads | order_trace) echo trace ;;
    compile) echo ptx ;;
    *) echo "$1" ;;
  esac
}
sources_of() {
  case $1 in
    assemble) ls isa/asm/*.c | grep -v program_ ;;
    elf) ls isa/asm/program*.c ;;
    decode) ls isa/lib/*.c isa/asm/disassemble.c ;;
    isa) ls isa/gen/{parse*,derive,text,load}.c ;;
    config) ls isa/configs/gen/{cfg,emit}.c isa/gen/text.c ;;
    records) ls cosim/retire/gen/{records,place,emit*}.c isa/gen/text.c ;;
    waivers) ls run/job/waivers.c cosim/checker/report.c ;;
    npy) ls run/job/elements.c ;;
    printf) ls firmware/launch/printf.c ;;
    layout) ls isa/abi/gen/{layout*,emit*}.c isa/gen/text.c ;;
    trace) ls cosim/trace/{reader,writer}.c ;;
    stream) ls cosim/trace/stream.c ;;
    digest) ls cosim/trace/stream.c cosim/digest/*.c | grep -v /file.c ;;
    ptx) ls compiler/ir/{arena,debug}.c compiler/parse/*.c ;;
    compile) ls compiler/ir/{arena,debug}.c compiler/{parse,lower,graph}/*.c ;;
    check) ls cosim/trace/reader.c cosim/session/check.c cosim/checker/*.c ;;
    threads) ls cosim/trace/reader.c lab/verify/oracle/threads/*.c ;;
    order) ls lab/verify/oracle/order/{list_[!w]*,place}.c ;;
    order_trace) ls cosim/trace/reader.c lab/verify/oracle/order/*.c | grep -v /list_ ;;
    cat) ls lab/verify/litmus/src/cat_*.c ;;
    coverage) ls lab/verify/coverage/db.c ;;
    opencl) ls firmware/host/opencl/{binary,metadata,ir}.c ;;
  esac
}

# What libFuzzer is told. The compiler's target measures its own time, in processor seconds; many small steps make its coverage dense enough.
limits_of() {
  case $1 in
    compile) echo -timeout=100 -rss_limit_mb=1024 -max_len=16384 -use_value_profile=0 ;;
    *) echo -timeout=20 -rss_limit_mb=2048 -max_len=131072 -use_value_profile=1 ;;
  esac
}

build=build-fuzz
scripts/setup.sh --fuzz
mkdir -p $build
cmake --preset fuzz >$build/cmake.log 2>&1 || { cat $build/cmake.log; exit 1; }
targets=()
for t in "$@"; do
  targets+=("fuzz_$t" "fuzz_replay_$t")
  [ "$(kind_of "$t")" != trace ] || targets+=(fuzz_traces_made)
done
cmake --build $build -j "$jobs" --target fuzz_seeds fuzz_dictionaries "${targets[@]}" >$build/build.log 2>&1 ||
  { grep -E -A20 'FAILED|error' $build/build.log | head -60; exit 1; }

# Program files and traces carry the instruction set's hash; those of another one would only be refused.
hash=$(grep ISA_HASH $build/gen/isa_pkg.sv)
if [ "$(cat $build/corpus/isa-hash 2>/dev/null)" != "$hash" ]; then
  rm -rf $build/corpus/{elf,trace,check,threads,order_trace}
  mkdir -p $build/corpus
  echo "$hash" >$build/corpus/isa-hash
fi

# Short-lived files of the targets lie in memory where that is possible.
work=$(mktemp -d -p "$([ -w /dev/shm ] && echo /dev/shm || echo /tmp)" heddle-fuzz.XXXXXX)
trap 'rm -rf "$work"' EXIT
export TMPDIR=$work LLVM_PROFILE_FILE=/dev/null

# Everything that a target replays: seeds and mended findings first, then what earlier runs found.
inputs_of() {
  local kind d
  kind=$(kind_of "$1")
  for d in "$build/fuzz/seeds/$kind" "$build/fuzz/kept/$kind" "tests/fuzz/seeds/$kind" "tests/fuzz/regressions/$kind"; do
    [ ! -d "$d" ] || echo "$d"
  done
  case $1 in
    compile) echo "$build/fuzz/seeds/ptx_rows" ;;
    cat) echo lab/verify/litmus/cat ;;
  esac
}

run_one() {
  local t=$1 words=() inputs dict limits
  read -ra limits < <(limits_of "$t")
  dict=$build/fuzz/$(kind_of "$t").dict
  [ ! -s "$dict" ] || words=("-dict=$dict")
  mapfile -t inputs < <(inputs_of "$t")
  mkdir -p "$build/corpus/$t" "$build/findings/$t" "$work/$t"
  # -fork: one finding does not end the run. It names every function that is reached, which takes longer than to reach them: no names; the replay has them.
  TMPDIR=$work/$t ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}quarantine_size_mb=16:symbolize=0 $build/bin/fuzz_$t -fork="$forks" -ignore_crashes=1 -ignore_timeouts=1 -ignore_ooms=1 \
    -max_total_time="$seconds" -len_control=100 "${limits[@]}" "${words[@]}" \
    -artifact_prefix="$build/findings/$t/" "$build/corpus/$t" "${inputs[@]}" </dev/null >"$build/fuzz-$t.log" 2>&1 || true
}

side_by_side=$((jobs < $# ? jobs : $#))
forks=$((jobs / side_by_side))
running=0
for t in "$@"; do
  rm -rf "$build/findings/$t"
  if [ "$running" -ge "$side_by_side" ]; then
    wait -n
    running=$((running - 1))
  fi
  run_one "$t" &
  running=$((running + 1))
done
wait

# "87.5": lines of the target's sources that its corpus reaches; details into $build/coverage-TARGET.txt.
line_coverage() {
  local t=$1 sources inputs
  command -v llvm-cov >/dev/null && command -v llvm-profdata >/dev/null || { echo -; return; }
  mapfile -t sources < <(sources_of "$t")
  mapfile -t inputs < <(inputs_of "$t")
  LLVM_PROFILE_FILE=$work/$t.profraw "$build/bin/fuzz_replay_$t" "${inputs[@]}" "$build/corpus/$t" >"$work/$t.replay" 2>&1 || true
  llvm-profdata merge -sparse "$work/$t.profraw" -o "$work/$t.profdata" 2>/dev/null || { echo -; return; }
  llvm-cov report "$build/bin/fuzz_replay_$t" -instr-profile="$work/$t.profdata" "${sources[@]}" >"$build/coverage-$t.txt" 2>/dev/null || { echo -; return; }
  awk '$1 == "TOTAL" { sub("%", "", $10); print $10 }' "$build/coverage-$t.txt"
  [ "$t" != compile ] || llvm-cov report "$build/bin/fuzz_replay_$t" -instr-profile="$work/$t.profdata" compiler/*.c compiler/*/*.c >"$build/coverage-$t-all.txt" 2>/dev/null
}

# A row at the end of the table in the section about files; the one of random programs grows at the end of the file.
add_row() {
  awk -v row="$1" '/^## / { inside = /Files from outside/ }
    inside && table && !done && !/^\|/ { print row; done = 1 }
    { table = /^\|/; print }' docs/lab/campaigns.md >"$work/campaigns.md"
  cp "$work/campaigns.md" docs/lab/campaigns.md
}

commit=$(git rev-parse --short HEAD)
status=0
printf '%-9s %12s %8s %8s %8s %9s\n' target executions corpus edges 'lines %' findings
for t in "$@"; do
  last=$(grep -aE '^#[0-9]+: cov:' "$build/fuzz-$t.log" | tail -1 || true)
  execs=$(sed -nE 's/^#([0-9]+):.*/\1/p' <<<"$last")
  edges=$(sed -nE 's/.* cov: ([0-9]+).*/\1/p' <<<"$last")
  corpus=$(find "$build/corpus/$t" -type f | wc -l)
  findings=$(find "$build/findings/$t" -type f | wc -l)
  lines=$(line_coverage "$t")
  [ -n "$execs" ] || { status=1; tail -5 "$build/fuzz-$t.log" >&2; }
  [ "$findings" = 0 ] || status=1
  printf '%-9s %12s %8s %8s %8s %9s\n' "$t" "${execs:-?}" "$corpus" "${edges:-?}" "$lines" "$findings"
  row="| $commit | $t | $seconds s | ${execs:-?} | $corpus | ${edges:-?} | $lines % | $findings |"
  [ -z "$record" ] || add_row "$row"
done
[ ! -f "$build/coverage-compile-all.txt" ] || [[ " $* " != *" compile "* ]] ||
  awk '$1 == "TOTAL" { print "compile: lines of the front end above; of the whole compiler " $10 }' "$build/coverage-compile-all.txt"
if [ -n "$coverage" ]; then
  for t in "$@"; do
    echo
    echo "$t: lines of each source"
    awk '$10 ~ /%$/ { printf "%9s  %s\n", $10, $1 }' "$build/coverage-$t.txt" | sort -n
  done
fi
for t in "$@"; do
  for f in "$build/findings/$t"/*; do
    [ ! -f "$f" ] || echo "finding: $f; show it with $build/bin/fuzz_replay_$t $f"
  done
done
exit "$status"
