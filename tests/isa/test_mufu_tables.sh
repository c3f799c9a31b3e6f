#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The tables of the special functions: a file that is not as it must be is refused with its name (and line), and nothing is
# left that a build could take for the result. What the tables make of good files is tested where they are used.
# usage: test_mufu_tables.sh ISA-MUFU-HEADER ISA-MUFU-PACKAGE TABLES
set -uo pipefail
header=$1 package=$2 tables=$3
source "$(dirname "$0")/../lib.sh"

# refused PROGRAM WORDS FILE...: it exits with 1, says WORDS and leaves no result.
refused() {
  expect 1 "$2" "$1" "$dir/made" "${@:3}"
  holds "$2: no result" test ! -e "$dir/made"
  rm -f "$dir/made"
}
# changed NAME SED-SCRIPT: the table with one change, in $dir.
changed() { sed "$2" "$tables/$1.csv" >"$dir/$1.csv"; }
others() { find "$tables" -name '*.csv' ! -name "$1.csv" | sort; }

all=("$tables"/*.csv)
for program in "$header" "$package"; do
  expect 0 "" "$program" "$dir/made" "${all[@]}"
  holds "$program: a result of good tables" test -s "$dir/made"
  rm -f "$dir/made"
  changed ex2 '3s/,[0-9]*$//'
  refused "$program" "ex2.csv:3: not a row of three numbers in range" "$dir/ex2.csv"
  changed ex2 '5s/^/9/;5s/^/9/'
  refused "$program" "ex2.csv:5: not a row of three numbers in range" "$dir/ex2.csv"
  refused "$program" "cannot read $dir/none.csv" "$dir/none.csv"
done

changed lg2 '$d'
refused "$package" "lg2.csv: 63 rows, not 64" "$dir/lg2.csv" $(others lg2)
cp "$tables/sin.csv" "$dir/cosine.csv"
refused "$package" "cosine.csv: the package has no function of this name" "$dir/cosine.csv"
refused "$package" "not all of the 7 functions have a file" $(others tanh)
# 2^31 - 1 goes into the file, times 2^15 not into the ROM.
changed sqrt '2s/^[0-9]*/2147483647/'
refused "$package" "sqrt: a row (2147483647, " "$dir/sqrt.csv" $(others sqrt)
