#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The C of the project under the address and undefined-behaviour sanitizers.
# usage: test_sanitizers.sh --build SOURCE BUILD REGEX [OPTION of cmake]...   builds in BUILD the tests whose names match REGEX:
#                           those that are programs of their own, which is what can be wrong there
#        test_sanitizers.sh BUILD                                             runs what was built there
# First a program with an overflow, so that silence means something.
set -euo pipefail
jobs=$(nproc)
if [ "$1" = --build ]; then
  source=$2 build=$3 regex=$4
  shift 4
  mkdir -p "$build"
  cmake -G Ninja -S "$source" -B "$build" -DCMAKE_BUILD_TYPE=Debug -DHEDDLE_SANITIZE=ON \
    -DHEDDLE_VERILATOR=none "$@" >"$build/cmake.log" 2>&1 || { cat "$build/cmake.log"; exit 1; }
  # Every add_test(NAME "PROGRAM" ...) whose name matches; ninja knows the programs by path.
  names=() programs=()
  while read -r name program; do
    [[ $name =~ $regex ]] || continue
    names+=("${name//./\\.}")
    programs+=("$program")
  done < <(find "$build/tests" -name CTestTestfile.cmake -exec cat {} + |
    sed -nE 's|^add_test\(\[=*\[(.*)\]=*\] "'"$build"'/(bin/[^"]+)".*|\1 \2|p')
  [ ${#names[@]} -gt 0 ] || { echo "no test matches $regex"; exit 1; }
  mapfile -t programs < <(printf '%s\n' "${programs[@]}" | sort -u)
  cmake --build "$build" -j "$jobs" --target "${programs[@]}" >"$build/build.log" 2>&1 || { tail -40 "$build/build.log"; exit 1; }
  IFS='|' && echo "^(${names[*]})\$" >"$build/names"
  exit
fi

build=$1
[ -e "$build/names" ] || { echo "$build: nothing was built there: cmake --build build --target $(basename "$build")"; exit 1; }
printf 'int main(int n, char **v) { int a[4] = {0}; (void)v; return a[n + 3]; }\n' >"$build/bug.c"
gcc -fsanitize=address,undefined -fno-sanitize-recover=undefined "$build/bug.c" -o "$build/bug"
! "$build/bug" 2>"$build/bug.log" || { echo "the sanitizers do not see a bug that was put there"; exit 1; }
grep -q 'out of bounds\|stack-buffer-overflow' "$build/bug.log"

export UBSAN_OPTIONS=print_stacktrace=1
ctest --test-dir "$build" -j "$jobs" -R "$(cat "$build/names")" --no-tests=error --output-on-failure >"$build/ctest.log" 2>&1 ||
  { cat "$build/ctest.log"; exit 1; }
grep 'tests passed' "$build/ctest.log"
