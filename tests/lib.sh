# SPDX-License-Identifier: Apache-2.0
# Sourced by tests that are shell scripts. They have a folder $dir, which goes when they end, and count what holds. The closing
# line and the exit status come by themselves: 0 where something was counted, nothing failed, and the script reached its end.
dir=$(mktemp -d)
passed=0 failed=0
trap 'close_test $?' EXIT
close_test() {
  rm -rf "$dir"
  [ "$1" = 0 ] || fail "the script ended with status $1"
  [ $((passed + failed)) -gt 0 ] || fail "nothing was tried"
  echo "$passed passed, $failed failed"
  exit $((failed > 0))
}
fail() { # WORDS...
  failed=$((failed + 1))
  echo "FAILED: $*"
}

# holds WHAT COMMAND...: it ends with 0
holds() {
  if "${@:2}"; then passed=$((passed + 1)); else fail "$1"; fi
}

# expect STATUS "WORDS in its output" COMMAND...: what it says stays in $dir/out
expect() {
  local want=$1 words=$2 got=0
  shift 2
  "$@" >"$dir/out" 2>&1 </dev/null || got=$?
  if [ "$got" = "$want" ] && { [ -z "$words" ] || grep -qF -- "$words" "$dir/out"; }; then
    passed=$((passed + 1))
  else
    fail "$*: status $got (want $want), output (want '$words'):"
    head -20 "$dir/out"
  fi
}

# said WORDS, unsaid WORDS: the command of the last `expect` said them, too; it did not
said() {
  if grep -qF -- "$1" "$dir/out"; then passed=$((passed + 1)); else
    fail "it did not say '$1':"
    head -20 "$dir/out"
  fi
}
unsaid() { holds "it said '$1'" test -z "$(grep -F -- "$1" "$dir/out")"; }
