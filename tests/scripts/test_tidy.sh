#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: test_tidy.sh SOURCE BUILD
# clang-tidy (.clang-tidy at the root) has nothing to say about the C of the project, tests apart.
# First it is shown a file with a bug, so that its silence means something.
set -euo pipefail
source=$1 build=$2
cd "$source"
# The compile commands are gcc's, with a flag, pragmas and levels of x86 that this clang does not know.
tidy=(clang-tidy-19 --quiet --extra-arg=-Wno-unknown-warning-option --extra-arg=-Wno-unknown-pragmas
  --extra-arg=-Wno-enum-float-conversion
  --extra-arg=-USEM_HAVE_X86_LEVELS)
# Entries for simulators are no target here: a user compiles them with what `heddle kit` wrote and the simulator's headers.
tidy+=(--extra-arg=-I"$PWD/cosim/kit/c" --extra-arg=-isystem/usr/include/iverilog)

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cp .clang-tidy "$dir"
printf '#include <string.h>\nvoid f(char *p, char *q) { memset(p, 0, 0); if (strcmp(p, q)) *p = 1; memset(q, 7, 0); }\n' >"$dir/bug.c"
if "${tidy[@]}" "$dir/bug.c" -- >"$dir/bug.log" 2>&1 || ! grep -q 'bugprone-' "$dir/bug.log"; then
  echo "clang-tidy-19 does not see a bug that was put there:"
  cat "$dir/bug.log"
  exit 1
fi

mapfile -t files < <(find base isa compiler firmware cmodel waves cosim run tools examples/programs lab/verify \
  lab/fuzz lab/litmus lab/campaign lab/bench lab/study/*.c lab/study/divergence lab/study/control lab/study/simd/count -name '*.c' ! -name 'test_*' \
  ! -path cosim/kit/dpi/heddle_dpi.c | sort) # that one includes a header that heddle kit makes
status=0
printf '%s\0' "${files[@]}" | xargs -0 -n 4 -P "$(nproc)" "${tidy[@]}" -p "$build" >"$dir/log" 2>&1 || status=$?
grep -vE 'generated\.$|^\[[0-9]+/[0-9]+\] Processing file |^Error while processing ' "$dir/log" || true
echo "${#files[@]} files"
[ "$status" = 0 ]
