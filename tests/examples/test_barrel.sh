#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# test_barrel.sh EXAMPLE BUILD: the programs of examples/barrel on the core under Icarus.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
iverilog -g2012 -I "$1/src" -s tb -o "$work/tb.vvp" "$1/tests/tb.v" "$1"/src/*.v
python3 -B "$1/tests/run.py" "$2/heddle" "vvp -n $work/tb.vvp"
