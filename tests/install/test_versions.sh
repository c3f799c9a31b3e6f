#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: test_versions.sh BUILD
# Programs of another release meet this one: linked to libheddle.so.0, as releases before 0.3 named it, they do not
# start; compiled against a struct of then, without a size, they are refused in words.
set -uo pipefail
build=$1
here=$(cd "$(dirname "$0")" && pwd)
source "$here/../lib.sh"
cd "$dir"

version=$(sed -n 's/^#define HEDDLE_RELEASE "\(.*\)"/\1/p' "$build/gen/heddle/api.h")
name=${version%%.*}
[ "$name" != 0 ] || name=${version%.*}
include=(-I"$build/gen")
for library in heddle heddle-sim heddle-cuda heddle-opencl; do
  [ -e "$build/sdk/lib$library.so" ] || continue
  holds "lib$library is lib$library.so.$name" grep -q "SONAME.*\[lib$library\.so\.$name\]" <(readelf -d "$build/sdk/lib$library.so")
done

# What the name at load was, with all that the programs call.
mkdir then now
echo 'const char *heddle_error_text(int e) { return e ? "" : "of then"; }' >then.c
gcc -shared -fPIC -Wl,-soname,libheddle.so.0 then.c -o then/libheddle.so.0
printf '#include <heddle/error.h>\n#include <stdio.h>\nint main(void) { return puts(heddle_error_text(HEDDLE_SUCCESS)) < 0; }\n' >asks.c
gcc "${include[@]}" asks.c -o old "then/libheddle.so.0"
gcc "${include[@]}" asks.c -o new -L"$build/sdk" -lheddle
cp -P "$build"/sdk/libheddle.so* now/
expect 0 "of then" env LD_LIBRARY_PATH=then ./old
expect 127 "libheddle.so.0: cannot open shared object file" env LD_LIBRARY_PATH=now ./old
expect 0 "" env LD_LIBRARY_PATH=now ./new
expect 127 "libheddle.so.$name: cannot open shared object file" env LD_LIBRARY_PATH=then ./new

# heddle_launch as 0.2 had it: its first word was the grid.
gcc -std=c11 -Wall -Wextra -Werror "${include[@]}" "$here/old.c" -o launches -L"$build/sdk" -lheddle-sim -lheddle \
  "-Wl,-rpath,$build/sdk"
expect 0 "" ./launches
