#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: test_summary.sh ROOT
# Count and exit status of test.sh always agree: logs made by hand, logs of the ctest that is
# installed, and test.sh itself with a cmake and a ctest that only pretend.
set -uo pipefail
shopt -s lastpipe # what a pipe ends in runs here: `made` sets `got`
root=$(realpath "$1")
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failures=0

# expect WHAT STATUS LAST_LINE [LINE ...]: about the run just made ($dir/out, $got). Whatever is shown
# is marked: an outer summary must not take it for results.
expect() {
  local what=$1 status=$2 last=$3 line
  shift 3
  if [ "$got" != "$status" ] || [ "$(tail -n 1 "$dir/out")" != "$last" ]; then
    echo "$what: status $got, not $status, or the last line is not '$last':"
    sed 's/^/  | /' "$dir/out"
    failures=$((failures + 1))
  fi
  for line in "$@"; do
    grep -qxF -- "$line" "$dir/out" && continue
    echo "$what: no line '$line'"
    sed 's/^/  | /' "$dir/out"
    failures=$((failures + 1))
  done
}
summary() {
  "$root/scripts/test-summary.sh" "$@" >"$dir/out" 2>&1
  got=$?
}
# made STATUS: the log comes from standard input.
made() {
  cat >"$dir/log"
  summary "$dir/log" "$1"
}
end() { printf '%s tests passed, %s tests failed out of %s\n' "$1" "$2" "$3"; }

# ---- made by hand
{
  echo '1/2 Test #1: isa.a ....   Passed    0.05 sec'
  echo '2/2 Test #2: rtl.b ....   Passed   12.00 sec'
  end 100% 0 2
} | made 0
expect passed 0 '2 passed, 0 failed'

{
  echo '1/2 Test #1: a ....   Passed    0.05 sec'
  echo '2/2 Test #2: b ....***Failed    1.00 sec'
  end 50% 1 2
} | made 8
expect failed 1 '1 passed, 1 failed' 'did not pass: b (Failed)'

for why in Skipped 'Not Run (Disabled)' 'Not Run'; do
  {
    echo "1/2 Test #1: a ....***$why    0.05 sec"
    echo '2/2 Test #2: b ....   Passed    1.00 sec'
    end 100% 0 2
  } | made 0
  expect "$why" 1 '1 passed, 1 failed' "did not pass: a ($why)"
done

made 0 </dev/null
expect 'an empty log' 1 '0 passed, 1 failed' 'error: no test was run'
echo 'No tests were found!!!' | made 0
expect 'no tests' 1 '0 passed, 1 failed' 'error: no test was run'
summary "$dir/absent" 0
expect 'no log' 1 '0 passed, 1 failed'

# ctest was killed: two of four tests have no result, whatever the status says.
for status in 0 137; do
  {
    echo '1/4 Test #3: a ....   Passed    0.05 sec'
    echo '    Start 2: b'
    echo '2/4 Test #1: c ....   Passed    1.00 sec'
  } | made $status
  expect "ctest killed, status $status" 1 '2 passed, 2 failed' 'error: 2 of 4 tests have no result' \
    'error: ctest did not finish'
done
# ... after its last result, before its own sum.
echo '1/1 Test #1: a ....   Passed    0.05 sec' | made 0
expect 'ctest without an end' 1 '1 passed, 1 failed' 'error: ctest did not finish'
# All passed, but ctest says otherwise.
{
  echo '1/1 Test #1: a ....   Passed    0.05 sec'
  end 100% 0 1
} | made 1
expect 'a status by itself' 1 '1 passed, 1 failed' 'error: ctest ended with status 1'
# A result that stands there twice does not stand for a test that has none.
{
  echo '1/2 Test #1: a ....   Passed    0.05 sec'
  echo '1/2 Test #1: a ....   Passed    0.05 sec'
  end 100% 0 2
} | made 0
expect 'a result twice' 1 '1 passed, 1 failed' 'error: a has two results'

for args in '' log 'log x' 'log -1'; do
  # shellcheck disable=SC2086
  summary $args
  [ "$got" = 2 ] || { echo "'$args' is taken"; failures=$((failures + 1)); }
done

# ---- by the ctest that is installed
mkdir "$dir/project"
run_ctest() {
  local status=0
  ctest --test-dir "$dir/project" -j 2 --output-on-failure "$@" >"$dir/log" 2>&1 || status=$?
  summary "$dir/log" "$status"
}
cat >"$dir/project/CTestTestfile.cmake" <<END
add_test(good "true")
add_test(prints "echo" "Passed 1.00 sec")
END
run_ctest
expect 'ctest: passed' 0 '2 passed, 0 failed'
cat >>"$dir/project/CTestTestfile.cmake" <<END
add_test(skips "sh" "-c" "exit 77")
set_tests_properties(skips PROPERTIES SKIP_RETURN_CODE 77)
END
run_ctest
expect 'ctest: skipped' 1 '2 passed, 1 failed' 'did not pass: skips (Skipped)'
cat >>"$dir/project/CTestTestfile.cmake" <<END
add_test(off "true")
set_tests_properties(off PROPERTIES DISABLED ON)
add_test(absent "$dir/absent")
add_test(bad "sh" "-c" "echo ' 1/9 Passed 1.00 sec'; exit 1")
add_test(slow "sleep" "10")
set_tests_properties(slow PROPERTIES TIMEOUT 1)
add_test(crash "sh" "-c" "kill -SEGV \$\$")
add_test(before "false")
set_tests_properties(before PROPERTIES FIXTURES_SETUP f)
add_test(after "true")
set_tests_properties(after PROPERTIES FIXTURES_REQUIRED f)
END
run_ctest
expect 'ctest: all kinds' 1 '2 passed, 8 failed' 'did not pass: off (Not Run (Disabled))' \
  'did not pass: absent (Not Run)' 'did not pass: bad (Failed)' 'did not pass: slow (Timeout)' \
  'did not pass: after (Not Run)' 'did not pass: before (Failed)'
run_ctest -R no-such-test
expect 'ctest: nothing chosen' 1 '0 passed, 1 failed' 'error: no test was run'

# ---- test.sh itself: cmake and ctest do what $dir/bin says
mkdir -p "$dir/tree/scripts" "$dir/bin"
cp "$root/test.sh" "$dir/tree"
cp "$root"/scripts/{test-summary,progress,times}.sh "$dir/tree/scripts"
pretend() { printf '#!/bin/sh\n%s\n' "$2" >"$1" && chmod +x "$1"; }
test_sh() {
  PATH=$dir/bin:$PATH "$dir/tree/test.sh" >"$dir/out" 2>&1
  got=$?
}
one="echo '1/1 Test #1: a ....   Passed    0.05 sec'; echo '100% tests passed, 0 tests failed out of 1'"
pretend "$dir/tree/scripts/setup.sh" 'exit 0'
pretend "$dir/bin/cmake" 'exit 0'
pretend "$dir/bin/ctest" "$one"
test_sh
expect 'test.sh: passed' 0 '1 passed, 0 failed'
# Which tests, and which seed, each tier asks for.
pretend "$dir/bin/cmake" 'echo "cmake $*" >>"$0.said"'
pretend "$dir/bin/ctest" "echo \"ctest \$*\" >>$dir/bin/cmake.said; $one"
for tier in '' --more --full; do
  for part in docs/site lab/study/simd; do
    mkdir -p "$dir/tree/$part"
    pretend "$dir/tree/$part/setup.sh" 'exit 0'
  done
  rm -f "$dir/bin/cmake.said"
  PATH=$dir/bin:$PATH "$dir/tree/test.sh" $tier --seed 77 >"$dir/out" 2>&1
  got=$?
  expect "test.sh $tier" 0 '1 passed, 0 failed' 'seed 77'
  name=${tier#--} name=${name:-first}
  for words in '-DHEDDLE_SEED=77' "--target tests_$name" "$name)\$ --output"; do
    grep -qFe "$words" "$dir/bin/cmake.said" || { echo "test.sh $tier: no '$words' in"; cat "$dir/bin/cmake.said"; failures=$((failures + 1)); }
  done
done
pretend "$dir/bin/ctest" "($one) | sed 's/   Passed/***Skipped/'"
test_sh
expect 'test.sh: skipped' 1 '0 passed, 1 failed'
pretend "$dir/bin/ctest" "$one; kill -9 \$\$"
test_sh
expect 'test.sh: ctest killed' 1 '1 passed, 1 failed'
pretend "$dir/bin/cmake" 'echo "error: no"; exit 1'
test_sh
expect 'test.sh: cmake fails' 1 '0 passed, 1 failed' 'error: cmake failed'
pretend "$dir/bin/cmake" '[ "$1" != --build ] || exit 1'
test_sh
expect 'test.sh: the build fails' 1 '0 passed, 1 failed' \
  'error: the build failed (build/build.log)'
pretend "$dir/tree/scripts/setup.sh" 'exit 1'
test_sh
expect 'test.sh: setup fails' 1 '0 passed, 1 failed' 'error: setup failed'

[ $failures = 0 ]
