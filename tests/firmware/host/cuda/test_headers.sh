#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: test_headers.sh BUILD
# Headers and library of the CUDA runtime say the same: what is declared is there, what is there is
# declared or called by clang. The headers are C as well as C++, without a warning.
set -euo pipefail
build=$1 headers=$1/share/heddle/cc/include
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
nm -D --defined-only "$build/sdk/libheddle-cuda.so" | awk '{ print $NF }' | sort >"$work/there"
cd "$headers"
functions='\b(__cuda|cuda|cu|cublas|nvrtc)[A-Z]\w*\('
for h in cuda_runtime_api.h cuda.h nvrtc.h cublas_v2.h; do gcc -std=c11 -E -P -I. "$h"; done |
  grep -oE "$functions" | tr -d '(' | sort -u >"$work/declared"
comm -23 "$work/declared" "$work/there" | { ! grep . || { echo "declared, and not there"; exit 1; }; }
extra=$(comm -13 "$work/declared" "$work/there" | tr '\n' ' ')
clang='__cudaRegisterFatBinary __cudaRegisterFatBinaryEnd __cudaRegisterFunction '
clang+='__cudaRegisterManaged __cudaRegisterVar __cudaUnregisterFatBinary '
[ "$extra" = "$clang" ] || { echo "there, and not declared: $extra"; exit 1; }
[ "$(wc -l <"$work/declared")" -ge 250 ] || { echo "hardly anything is declared"; exit 1; }
printf '#include "%s"\n' cuda_runtime.h cuda.h nvrtc.h cublas_v2.h >"$work/one.c"
echo 'int main(void) { dim3 one = {1, 1, 1}; (void)one; return 0; }' >>"$work/one.c"
cp "$work/one.c" "$work/one.cpp"
gcc -std=c11 -Wall -Wextra -pedantic -Werror -I"$headers" -c "$work/one.c" -o "$work/one.o"
g++ -std=c++17 -Wall -Wextra -pedantic -Werror -I"$headers" -c "$work/one.cpp" -o "$work/one.o"
