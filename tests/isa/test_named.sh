#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: test_named.sh ROOT GEN
# What the generator cannot ask for: each meaning (sem=) of the ISA file has a test of the model in tests/cmodel. Of the
# instructions that share a meaning one is named there, by its mnemonic, ISA_OP_ or ISA_ENC_.
set -uo pipefail
root=$1 gen=$2
source "$root/tests/lib.sh"

# The mnemonics of the tests: words of capitals and dots, and what they begin with up to a dot.
declare -A tests meant tested
while read -r word; do
  tests[$word]=1
  case $word in ISA_ENC_*) tests[${word%_*}]=1 ;; esac # less its format
  while [ "$word" != "${word%.*}" ]; do
    word=${word%.*}
    tests[$word]=1
  done
done < <(grep -ohE '[A-Z][A-Z0-9_]*(\.[A-Z0-9_]+)*' "$root"/tests/cmodel/*.c | sort -u)

while read -r name sem; do
  id=${name//./_}
  meant[$sem]="${meant[$sem]:-}${meant[$sem]:+, }$name"
  [ -z "${tests[$name]:-}${tests[ISA_OP_$id]:-}${tests[ISA_ENC_$id]:-}" ] || tested[$sem]=1
done < <(paste -d ' ' <(cut -d ' ' -f 2 "$gen/isa_wave_op.txt") <(sed -nE 's/.*X\([A-Z0-9_]+, ([a-z0-9_]+)\).*/\1/p' "$gen/isa_sem.h"))

holds "$gen: only ${#meant[@]} meanings found; is it a generated folder?" [ ${#meant[@]} -gt 100 ]
for sem in "${!meant[@]}"; do
  holds "${meant[$sem]}: no test in tests/cmodel names it; check its values there" [ -n "${tested[$sem]:-}" ]
done
