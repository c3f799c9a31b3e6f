#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: scripts/policies.sh     the scheduling policies as words of --sched, but default: set POLICY of isa/abi/host_regs.layout
sed -n '/^values POLICY/,/^$/s/^value \([A-Z_]*\) .*/\1/p' "$(dirname "$0")/../isa/abi/host_regs.layout" | sed 1d | tr -d _ | tr A-Z a-z
