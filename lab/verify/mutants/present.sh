#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The numbers of the mutants that Verilator has kept in its C++ (of a part that is compiled once for all its
# instances, too, in a folder of its own): each is compared with the one that is active.
# usage: present.sh FOLDER     example: present.sh build/mutants/verilated_tiny
set -euo pipefail
case ${1:-} in
  -h | --help) sed -n '3,5s/^# //p' "$0"; exit 0 ;;
esac
[ $# = 1 ] && [ -d "$1" ] || { echo "present.sh: expected the folder that Verilator wrote (see --help)" >&2; exit 2; }
find "$1" -name "*.cpp" -exec cat {} + | tr -s '\n ' '  ' | { grep -oE '\b(0x[0-9a-f]+|[0-9]+)U [!=]= vlS[A-Za-z]+(\.|->)TOP__heddle_fault\.id' || true; } |
  sed 's/U .*//' | sort -u | while read -r n; do echo $((n)); done | sort -n
