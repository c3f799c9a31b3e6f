#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A command that must fail, for the reason that is meant: with this exit status, and a line that matches.
# usage: must_fail.sh STATUS REGEX COMMAND...
set -uo pipefail
[ $# -ge 3 ] || { sed -n '4p' "$0" >&2; exit 2; }
want=$1 line=$2 got=0
shift 2
said=$("$@" 2>&1 </dev/null) || got=$?
[ "$got" = "$want" ] && grep -qE -- "$line" <<<"$said" && exit 0
printf '%s\nmust_fail: exit status %s, want %s, and a line like: %s\n' "$said" "$got" "$want" "$line" >&2
exit 1
