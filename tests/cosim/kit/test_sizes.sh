#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What `heddle kit` writes for small, usual and largest cores is clean under Verilator's lint and taken by Icarus; sizes
# that no core has are refused by name.
#   test_sizes.sh HEDDLE
set -eu
heddle=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "test_sizes: $*" >&2; exit 1; }

sizes() {
  dir=$work/$1
  shift
  "$heddle" kit "$dir" "$@"
  cd "$dir"
  for list in retire_sv.f retire_dpi.f; do
    verilator --lint-only --assert -Wall -Wno-DECLFILENAME -Wno-UNUSED -Wno-MULTITOP -f $list || fail "$dir: $list"
  done
  for list in retire_pack.f retire_vpi.f; do
    said=$(iverilog -g2005 -Wall -tnull -c $list 2>&1) || fail "$dir: $list: $said"
    [ -z "$said" ] || fail "$dir: $list: $said"
  done
}
sizes small --lanes 4 --warps 1 --blocks 1 --banks 4 --partitions 1
sizes usual
sizes large --lanes 32 --warps 64 --blocks 64 --banks 32 --partitions 4

refused() {
  status=0
  said=$("$heddle" kit "$work/none" "$@" 2>&1) || status=$?
  [ "$status" = 2 ] || fail "$*: exit status $status"
  case $said in *"$1"*) ;; *) fail "$*: $said" ;; esac
  [ ! -e "$work/none" ] || fail "$*: wrote something"
}
refused --lanes 5
refused --lanes 64
refused --banks 2
refused --warps 65
refused --warps 0
refused --blocks 65
refused --partitions 5
