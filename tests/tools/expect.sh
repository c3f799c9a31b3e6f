# SPDX-License-Identifier: Apache-2.0
# Sourced by tests of the command line: runs commands in the folder $dir and counts what they do right.
passed=0 failed=0

# expect STATUS "WORDS in its output" COMMAND...
expect() {
  local want=$1 words=$2 got=0
  shift 2
  "$@" >"$dir/out" 2>&1 </dev/null || got=$?
  if [ "$got" = "$want" ] && { [ -z "$words" ] || grep -qF -- "$words" "$dir/out"; }; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "FAILED: $* : status $got (want $want), output (want '$words'):"
    head -20 "$dir/out"
  fi
}
