#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Tests and their tiers: what stops a configuration (cmake/HeddleTest.cmake), what must_fail.sh takes, what times.sh says.
# usage: test_tiers.sh ROOT
set -uo pipefail
root=$(realpath "$1")
source "$root/tests/lib.sh"

# ---- registered with a tier, or not at all
mkdir -p "$dir/project/tests/below"
cp "$root/tests/must_fail.sh" "$dir/project/tests"
echo "test 7.5 a.slow" >"$dir/project/tests/times.txt"
cat >"$dir/project/CMakeLists.txt" <<END
cmake_minimum_required(VERSION 3.25)
project(tiers LANGUAGES NONE)
enable_testing()
include($root/cmake/HeddleTest.cmake)
add_custom_target(software)
add_custom_target(made)
add_custom_target(device_verilator_small)
add_subdirectory(tests/below)
heddle_tier_targets()
END
configure() { # LINES of the folder below
  printf '%s\n' "$1" >"$dir/project/tests/below/CMakeLists.txt"
  cmake -S "$dir/project" -B "$dir/build" -G Ninja
}
expect 0 "Generating done" configure 'heddle_test(NAME a.slow TIER first NEEDS made COMMAND true --config small)
heddle_test(NAME a.other TIER more COMMAND true)
heddle_test(NAME a.fails TIER full FAILS 3 "^no such" COMMAND sh -c "echo no such thing && exit 3")'
expect 0 "Total Tests: 1" ctest --test-dir "$dir/build" -N -L '^first$'
expect 0 "Total Tests: 1" ctest --test-dir "$dir/build" -N -L '^hardware$'
expect 0 "Total Tests: 2" ctest --test-dir "$dir/build" -N -L '^(first|more)$'
expect 0 "100% tests passed, 0 tests failed out of 3" ctest --test-dir "$dir/build"
expect 0 "COST \"7.5\"" cat "$dir/build/tests/below/CTestTestfile.cmake"
needed() { ninja -C "$dir/build" -t query "tests_$1"; }
expect 0 "made" needed first
expect 0 "device_verilator_small" needed first
expect 0 "tests_first" needed more
expect 1 "a.raw has no tier" configure 'heddle_test(NAME a.raw COMMAND true)'
expect 1 "a.raw has no tier" configure 'heddle_test(NAME a.raw TIER second COMMAND true)'
expect 1 "a.raw" configure 'add_test(NAME a.raw COMMAND true)'
expect 1 "no word may have a semicolon" configure 'heddle_test(NAME a.raw TIER first COMMAND echo "a;b")'
expect 1 "its first label is its tier, and not" configure 'heddle_test(NAME a.raw TIER first COMMAND true)
set_tests_properties(a.raw PROPERTIES LABELS other)'

# ---- a failure that is meant
must() { "$root/tests/must_fail.sh" "$@"; }
expect 0 "" must 3 "^no such" sh -c 'echo no such thing; exit 3'
expect 1 "exit status 2, want 3" must 3 "^no such" sh -c 'echo no such thing; exit 2'
expect 1 "and a line like: ^such" must 3 "^such" sh -c 'echo no such thing; exit 3'
expect 1 "exit status 0" must 3 "" true
expect 2 "usage:" must 3 ""

# ---- what took how long
times() { "$root/scripts/times.sh" "$@"; }
mkdir "$dir/built"
{
  echo '# ninja log v5'
  printf '%s\t%s\t1\t%s\t%s\n' 0 1500 a/CMakeFiles/b.dir/c.c.o 1 0 500 a/CMakeFiles/b.dir/d.c.o 2 0 3000 x/y/z.a 3 0 3000 x/y/z.flags 3
} >"$dir/built/.ninja_log"
printf '%s\n' '1/2 Test #1: isa.a ....   Passed    0.05 sec' '2/2 Test #2: rtl.b ....***Failed   12.00 sec' >"$dir/built/ctest.log"
expect 0 "12.0 test rtl.b" times "$dir/built"
expect 0 "5.0 s  all targets" times "$dir/built"
expect 0 "target 2.0 a/b" cat "$dir/built/times.txt"
sed 's/12.0/9.5/' "$dir/built/times.txt" >"$dir/new.txt"
expect 0 "     12.0       9.5  test rtl.b" times "$dir/built/times.txt" "$dir/new.txt"
expect 2 "there is no" times "$dir/absent"
expect 2 "usage:" times
