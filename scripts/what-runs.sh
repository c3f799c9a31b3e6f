#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What the model, the RTL and the compiler know, as Markdown: counted from the instruction set (heddle isa doc), the
# compiler's sources, the kernels and the configurations. README.md holds the tables; tests/docs keeps them true.
# usage: scripts/what-runs.sh HEDDLE     example: scripts/what-runs.sh build/heddle
set -euo pipefail
[ $# = 1 ] || { echo "usage: scripts/what-runs.sh HEDDLE     example: scripts/what-runs.sh build/heddle" >&2; exit 2; }
heddle=$(realpath "$1")
cd "$(dirname "$0")/.."

# One line an instruction: unit, mnemonic, encodings, encodings in the RTL.
instructions() {
  "$heddle" isa doc isa/heddle.isa | awk '
    function flush() { if (name != "") print unit, name, all, known }
    /^### / { flush(); name = $2; all = known = marked = 0 }
    /^Unit / { unit = $2; sub(/[,;]$/, "", unit); marked = /Not in the RTL yet/ }
    /^Format / { all++; if (!marked && !/not in the RTL yet/) known++ }
    END { flush() }'
}

# The operations that the compiler's sources name, as the C tables write them.
selected() { grep -rhoE --include='*.[ch]' 'ISA_OP_[A-Z0-9_]+' compiler | sort -u; }

by_group() {
  echo "| group (unit) | instructions | model | RTL | encodings | in the RTL | compiler selects |"
  echo "|---|---|---|---|---|---|---|"
  { selected; instructions; } | awk '
    BEGIN {
      says["alu"] = "integers, logic, moves"; says["fma"] = "FP32 and integer multiply-add"
      says["cvt"] = "conversions"; says["half"] = "FP16 pairs"; says["fp64"] = "FP64"
      says["sfu"] = "special functions"; says["tensor"] = "matrices"; says["mem"] = "memory, atomics"
      says["br"] = "control, barriers"; says["warp"] = "warp-wide"; says["uni"] = "uniform datapath"
    }
    function row(name, n, rtl, all, known, ptx) {
      printf "| %s | %d | all | %s | %d | %d | %d |\n", name, n, rtl == n ? "all" : rtl == 0 ? "–" : rtl, all, known, ptx
    }
    NF == 1 { named[$1] = 1; next }
    {
      u = $1; op = "ISA_OP_" $2; gsub(/[.]/, "_", op)
      if (!(u in n)) order[++groups] = u
      n[u]++; all[u] += $3; known[u] += $4; rtl[u] += $4 > 0; ptx[u] += op in named
    }
    END {
      for (i = 1; i <= groups; i++) {
        u = order[i]
        row("`" u "` " says[u], n[u], rtl[u], all[u], known[u], ptx[u])
        N += n[u]; R += rtl[u]; A += all[u]; K += known[u]; P += ptx[u]
      }
      row("all", N, R, A, K, P)
    }'
}

by_program() {
  local forms single
  forms=$(grep -c '"op":' tests/silicon/ops/ops.json)
  single=$(awk '$2 == "one"' tests/silicon/forms.txt | wc -l)
  echo "| programs | model | RTL, in lockstep |"
  echo "|---|---|---|"
  "$heddle" kernels --list --form all | awk '
    { form = $2; sub(/:$/, "", form); n[form]++; runs[form] += $3 == "runs" }
    END {
      printf "| kernels in assembly | %d | %d |\n", n["asm"], runs["asm"]
      printf "| kernels compiled from clang -O2 | %d | %d |\n", n["ptx"], runs["ptx"]
      printf "| kernels compiled from clang -O0 | %d | %d |\n", n["O0"], runs["O0"]
    }'
  echo "| PTX forms with results of an NVIDIA H200 ($single are one instruction) | $forms | those whose instructions it has |"
}

# Instructions of the RTL that a machine with these pipes has; memory and control are always there.
known() { # PIPE ...
  instructions | awk -v units=" $* mem br " '$4 > 0 && index(units, " " $1 " ") { n++ } END { print n + 0 }'
}

by_configuration() {
  local name lanes warps regs shared axi pipes
  echo "| configuration | lanes | warps | warp registers | shared memory | AXI | instructions in RTL |"
  echo "|---|---|---|---|---|---|---|"
  "$heddle" configs | tail -n +2 | sort -k2n | while read -r name lanes warps regs _ shared axi _; do
    read -ra pipes < <(sed -n 's/^pipes *= *//p' "configs/$name.cfg")
    echo "| \`$name\` | $lanes | $warps | $regs | $((shared / 1024)) KiB | $axi bits | $(known "${pipes[@]}") |"
  done
}

by_group
echo
by_program
echo
by_configuration
