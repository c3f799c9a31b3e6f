#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# scripts/site.sh says what is missing or wrong, with its exit status, before it makes anything.
set -uo pipefail
root=$(cd "$(dirname "$0")/../../.." && pwd)
site=$root/scripts/site.sh
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
# What it asks for, as empty programs; then without each in turn.
mkdir "$dir/bin" "$dir/build"
for tool in bash dirname sed cat; do ln -s "$(command -v $tool)" "$dir/bin/$tool"; done
tools=(pandoc doxygen cmake awk python3 fst2vcd)
for tool in "${tools[@]}"; do ln -s /bin/false "$dir/bin/$tool"; done
with() { env -u HEDDLE_DEVICES PATH="$dir/bin" bash "$site" --build "$dir/build" -o "$dir/out" "$@"; }

says 0 "usage: scripts/site.sh" "$site" --help
says 0 "example: scripts/site.sh" "$site" --help
says 2 "unknown option --none" "$site" --none
says 2 "-o needs a folder" "$site" -o
for tool in "${tools[@]}"; do
  rm "$dir/bin/$tool"
  says 5 "no $tool here; docs/site/setup.sh installs it" with
  ln -s /bin/false "$dir/bin/$tool"
done
says 5 "heddle is not built: cmake --build" with
ln -s /bin/true "$dir/build/heddle"
says 5 "cmake --build $dir/build --target device_verilator_tiny_wave, or --without-waves" with
says 1 "" with --without-waves # python3 is /bin/false
[ ! -e "$dir/out" ] || { echo "FAILED: something was made"; status=1; }

# A folder of somebody else is left alone.
mkdir "$dir/mine"
echo mine >"$dir/mine/file"
says 2 "is there and is no site" python3 -B "$root/docs/site/make.py" "$root" "$dir/build" "$dir/mine"
[ "$(cat "$dir/mine/file")" = mine ] || { echo "FAILED: a folder that is no site was touched"; status=1; }
exit $status
