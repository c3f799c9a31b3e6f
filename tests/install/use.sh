#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: use.sh PREFIX [CONFIG]
# What a stranger does with an installation: programs against its libraries, found by pkg-config
# alone, and heddle itself, in an empty folder and an empty environment. With CONFIG a kernel runs
# in lockstep on that device, which must be installed.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
prefix=$(cd "$1" && pwd)
config=${2:-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

fail() {
  echo "$*" >&2
  exit 1
}
# says TEXT COMMAND...: the command succeeds, and prints that line among others.
says() {
  local text=$1
  shift
  env -i PATH=/usr/bin:/bin "$@" >out 2>&1 || fail "$*: status $?
$(cat out)"
  grep -qxF -- "$text" out || { cat out; fail "$*: does not say '$text'"; }
}
PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name heddle-isa.pc)")
export PKG_CONFIG_PATH
# build SOURCE MODULE...: makes the program of that name.
build() {
  local source=$1
  shift
  # shellcheck disable=SC2046 # words are wanted
  gcc -std=c11 -Wall -Wextra -Werror $(pkg-config --cflags "$@") "$source" -o "$(basename "$source" .c)" \
    $(pkg-config --libs "$@")
}
for module in isa asm model ptx cosim driver; do
  pkg-config --exists --print-errors "heddle-$module" || fail "heddle-$module cannot be used"
done
data=$(pkg-config --variable=datadir heddle-isa)

# Every public header stands for itself, in C.
for header in "$(pkg-config --variable=includedir heddle-isa)"/heddle/*.h; do
  gcc -std=c11 -Wall -Werror -fsyntax-only $(pkg-config --cflags heddle-isa) -x c "$header" || fail "$header alone"
done

build "$here/answer.c" heddle-asm heddle-model
says 42 ./answer
build "$here/compile.c" heddle-ptx
says vecadd ./compile "$data/kernels/vecadd.ptx"
build "$data/examples/vecadd.c" heddle-driver

heddle=$prefix/bin/heddle
mkdir empty && cd empty
"$heddle" as "$data/kernels/vecadd.s" -o vecadd.elf
../vecadd vecadd.elf model >../out || { cat ../out; fail "the example of the driver"; }
says "2 passed, 0 failed" "$heddle" kernels vecadd sgemm --on model --scale 0
says "8 passed, 0 failed" "$heddle" cases "$data/silicon/kernels" --on model
env -i "$heddle" bench compiler --runs 1 >../out || { cat ../out; fail "heddle bench compiler"; }
env -i "$heddle" isa lint "$data/isa/variants/scatter.isa" || fail "heddle isa lint"
[ -z "$config" ] || says "1 passed, 0 failed" "$heddle" kernels vecadd --on lockstep --config "$config" --scale 0
