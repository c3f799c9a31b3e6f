#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# scripts/check-names.py stops at a static name in four files, not at one in three; tests may have any.
# usage: test_names.sh ROOT
set -uo pipefail
source "$(dirname "$0")/../lib.sh"
check=$1/scripts/check-names.py
for folder in a b c tests; do
  mkdir -p "$dir/tree/$folder"
  printf 'static int put(void) {\n  return 0;\n}\n' >"$dir/tree/$folder/put.c"
done
expect 0 "3 static functions, 0 names" "$check" "$dir/tree"
cp "$dir/tree/a/put.c" "$dir/tree/a/more.c"
expect 1 "put: in 4 files: a/more.c a/put.c b/put.c c/put.c" "$check" "$dir/tree"
mkdir "$dir/empty"
expect 1 "0 files" "$check" "$dir/empty"
