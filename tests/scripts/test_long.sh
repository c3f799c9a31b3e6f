#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/long.txt names tests of this build, and so do the words behind them.
# usage: test_long.sh LIST BUILD
set -euo pipefail
names=$(ctest --test-dir "$2" -N | sed -nE 's/^ *Test +#[0-9]+: //p')
failed=0
while read -r long stands; do
  [[ $long == [a-z]* ]] || continue
  for name in "$long" ${stands//,/ }; do
    [ "$name" = "$long" ] || name=${name//./\\.}
    grep -qxE "$name" <<<"$names" || { echo "$1: no test '$name'"; failed=1; }
  done
done <"$1"
exit $failed
