#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# scripts/site.sh says what is missing or wrong, with its exit status, before it makes anything.
set -uo pipefail
root=$(cd "$(dirname "$0")/../../.." && pwd)
source "$root/tests/lib.sh"
# A tree with the command alone, whose programs are empty.
mkdir -p "$dir/scripts" "$dir/build" "$dir/venv" "$dir/bin" "$dir/mine"
cp "$root/scripts/site.sh" "$dir/scripts"
for tool in bash dirname realpath sed ls mktemp rm; do ln -s "$(command -v $tool)" "$dir/bin/$tool"; done
site() { env -u HEDDLE_DEVICES PATH="$dir/bin" bash "$dir/scripts/site.sh" "$@"; }

expect 0 "usage: scripts/site.sh" site --help
expect 0 "example: scripts/site.sh" site --help
expect 2 "unknown option --none" site --none
expect 2 "-o needs a folder" site -o
echo mine >"$dir/mine/file"
expect 2 "is there and is no site" site -o "$dir/mine"
holds "a folder that is no site is left alone" test "$(cat "$dir/mine/file")" = mine
expect 5 "no MkDocs here; docs/site/setup.sh installs it" site
mkdir -p "$dir/build/venv-site/bin"
ln -s /bin/true "$dir/build/venv-site/bin/mkdocs"
expect 5 "heddle is not built: cmake --build" site
ln -s /bin/true "$dir/build/heddle"
ln -s /bin/false "$dir/bin/python3"
expect 1 "" site
holds "nothing was made" test ! -e "$dir/build/site"
