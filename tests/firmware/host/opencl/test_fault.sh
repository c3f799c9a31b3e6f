#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: test_fault.sh VENDORS HOST
# A planted fault of the hardware stops an OpenCL host with exit status 1, the report and its kernel's name on stderr.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
export OCL_ICD_VENDORS=$1 HEDDLE_BOARD=lockstep:tiny_faults HEDDLE_STATS=1
source "$here/../../../lib.sh"
expect 0 "kernels: well" "$2"
export HEDDLE_FAULT=5
expect 1 "lockstep:tiny_faults, launch 1, seed 1: difference: operand.value" "$2"
expect 1 "hardware and model differ: add" "$2"
expect 1 "1 launches (0 trapped, 0 refused, 1 failed)" "$2"
