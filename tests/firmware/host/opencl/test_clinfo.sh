#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: test_clinfo.sh VENDORS
# Debian's clinfo asks everything that it knows of and is told something each time: of the model, of a small machine, of
# all boards.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
export OCL_ICD_VENDORS=$1
source "$here/../../../lib.sh"
# clinfo 3.0.23 fails at a name that is longer than that of the device before: it seems to ask in the room of that one.
asks() { # BOARD
  HEDDLE_BOARD=$1 clinfo >"$dir/told" 2>&1 || return
  ! grep -v "checkNullCtxFromType:.*get CL_DEVICE_NAME : error -30" "$dir/told" | grep -E "CL_INVALID|error -?[0-9]+" && cat "$dir/told"
}
for board in model model:tiny ""; do
  expect 0 "Platform Version                                OpenCL 3.0 Heddle" asks "$board"
  expect 0 "Device Type                                     GPU" asks "$board"
done
expect 0 "Device Profile                                  FULL_PROFILE" asks model
expect 0 "Device Profile                                  EMBEDDED_PROFILE" asks model:tiny
expect 0 "Device Name                                     model:tiny" asks model:tiny
expect 0 "Device Name                                     model" asks ""
expect 0 "Image support                                   No" asks model
HEDDLE_BOARD=rtl:nobody expect 0 "Device Available                                No" clinfo # the rest has errors
