#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: test_headers.sh BUILD
# The judges of this folder are compiled without a look into the model: of it they see public headers.
set -euo pipefail
build=$1
commands=$(grep -E '"command":.* -c [^ ]*lab/verify/oracle/' "$build/compile_commands.json")
[ "$(wc -l <<<"$commands")" -ge 20 ] || { echo "hardly any file of lab/verify/oracle is compiled"; exit 1; }
private=$(grep -oE -- '-I[^ ]*cmodel/(core|sem)' <<<"$commands" | sort -u || true)
[ -z "$private" ] || { echo "private headers of the model: $private"; exit 1; }
