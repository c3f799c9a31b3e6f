#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# scripts/site.sh says what is missing or wrong, with its exit status, before it makes anything.
set -uo pipefail
root=$(cd "$(dirname "$0")/../../.." && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
status=0
says() { # STATUS WORDS COMMAND ...
  local want=$1 words=$2 got=0
  shift 2
  "$@" >"$dir/said" 2>&1 || got=$?
  [ $got = "$want" ] || { echo "FAILED: exit status $got, not $want: $*"; cat "$dir/said"; status=1; }
  [ -z "$words" ] || grep -qF -- "$words" "$dir/said" || { echo "FAILED: does not say '$words': $*"; cat "$dir/said"; status=1; }
}
# A tree with the command alone, whose programs are empty.
mkdir -p "$dir/scripts" "$dir/build" "$dir/venv" "$dir/bin" "$dir/mine"
cp "$root/scripts/site.sh" "$dir/scripts"
for tool in bash dirname realpath sed ls mktemp rm; do ln -s "$(command -v $tool)" "$dir/bin/$tool"; done
site() { env -u HEDDLE_DEVICES PATH="$dir/bin" bash "$dir/scripts/site.sh" "$@"; }

says 0 "usage: scripts/site.sh" site --help
says 0 "example: scripts/site.sh" site --help
says 2 "unknown option --none" site --none
says 2 "-o needs a folder" site -o
echo mine >"$dir/mine/file"
says 2 "is there and is no site" site -o "$dir/mine"
[ "$(cat "$dir/mine/file")" = mine ] || { echo "FAILED: a folder that is no site was touched"; status=1; }
says 5 "no MkDocs here; docs/site/setup.sh installs it" site
mkdir -p "$dir/build/venv-site/bin"
ln -s /bin/true "$dir/build/venv-site/bin/mkdocs"
says 5 "heddle is not built: cmake --build" site
ln -s /bin/true "$dir/build/heddle"
ln -s /bin/false "$dir/bin/python3"
says 1 "" site
[ ! -e "$dir/build/site" ] || { echo "FAILED: something was made"; status=1; }
exit $status
