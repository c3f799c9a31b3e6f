#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Generate the instruction set's, the layouts', the configurations', the records' and the tables'
# files into build/gen without CMake.
# usage: scripts/gen.sh [ISA-NAME]    (heddle, or a file in isa/variants)
set -euo pipefail
cd "$(dirname "$0")/.."
isa=${1:-heddle}
file=isa/heddle.isa
[ "$isa" = heddle ] || file=isa/variants/$isa.isa
out=build/gen
mkdir -p "$out"
flags=(-std=c11 -D_XOPEN_SOURCE=700 -O1 -Wall -Wextra -Wconversion -Werror -I.)
${CC:-cc} "${flags[@]}" isa/gen/*.c base/file.c -ljansson -o build/isa-gen.tmp
mv build/isa-gen.tmp build/isa-gen
${CC:-cc} "${flags[@]}" isa/gen/text.c base/file.c isa/configs/gen/*.c -o build/cfg-gen.tmp
mv build/cfg-gen.tmp build/cfg-gen
${CC:-cc} "${flags[@]}" isa/gen/text.c base/file.c isa/abi/gen/*.c -o build/layout-gen.tmp
mv build/layout-gen.tmp build/layout-gen
${CC:-cc} "${flags[@]}" isa/gen/text.c base/file.c cosim/retire/gen/*.c -o build/records-gen.tmp
mv build/records-gen.tmp build/records-gen
${CC:-cc} "${flags[@]}" isa/tables/mufu_package.c isa/tables/mufu_read.c -o build/mufu-package.tmp
mv build/mufu-package.tmp build/mufu-package
# Into a fresh folder first: whoever reads build/gen meanwhile sees whole files.
tmp=$(mktemp -d build/gen.XXXXXX)
trap 'rm -rf "$tmp"' EXIT
for c in isa/configs/*.cfg; do
  mkdir -p "$tmp/$(basename "$c" .cfg)" "$out/$(basename "$c" .cfg)"
done
build/isa-gen "$file" "$tmp"
build/cfg-gen "$tmp" isa/configs/*.cfg
mkdir -p "$tmp/heddle" "$out/heddle"
build/layout-gen "$tmp" isa/abi/*.layout
build/records-gen "$tmp" cosim/retire/retire.records
build/mufu-package "$tmp/mufu_pkg.sv" isa/tables/mufu/*.csv
(cd "$tmp" && find . -type f) | while read -r f; do
  cmp -s "$tmp/$f" "$out/$f" || mv "$tmp/$f" "$out/$f"
done
