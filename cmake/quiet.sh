#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# quiet.sh LOG COMMAND...: run a command with its output in LOG; show it only when the command fails.
log=$1
shift
"$@" >"$log" 2>&1 && exit 0
status=$?
cat "$log" >&2
exit $status
