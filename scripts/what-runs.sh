#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What the model, the RTL and the compiler know, as Markdown: counted from the instruction set (heddle isa doc),
# programs that the compiler makes of all PTX here, the kernels and the configurations. docs/units.md holds the tables,
# README.md that of the machines; tests/docs keeps them true.
# usage: scripts/what-runs.sh HEDDLE [machines]     example: scripts/what-runs.sh build/heddle
set -euo pipefail
[ $# = 1 ] || [ "$#:${2:-}" = 2:machines ] || {
  echo "usage: scripts/what-runs.sh HEDDLE [machines]     example: scripts/what-runs.sh build/heddle" >&2
  exit 2
}
heddle=$(realpath "$1")
cd "$(dirname "$0")/.."

# One line an instruction: unit, mnemonic, encodings, encodings in the RTL, the unit of what it names besides.
instructions() {
  "$heddle" isa doc isa/heddle.isa | awk '
    function flush() { if (name != "") print unit, name, all, known, besides }
    /^### / { flush(); name = $2; all = known = marked = 0; besides = unit = "" }
    /^`/ && unit == "" { besides = /[{]u(rd|pd0|ps0)[}]/ ? "uni" : "mem" }
    /^Unit / { unit = $2; sub(/[,;]$/, "", unit); if (/, part async/) besides = "async"; marked = /Not in the RTL yet/ }
    /^Format / { all++; if (!marked && !/not in the RTL yet/) known++ }
    END { flush() }'
}

# All PTX of the tree, and what the build unpacks or makes of it, compiled for one target, as assembly; what the compiler
# refuses is left out.
compiled() { # TARGET
  local ptx made folders=(firmware/ tests/) # with a stroke: also where they are links
  for made in silicon fuzz/kept/ptx firmware/made tests/compiler/calls; do
    [ ! -d "${heddle%/*}/$made" ] || folders+=("${heddle%/*}/$made")
  done
  find "${folders[@]}" -name '*.ptx' | while read -r ptx; do
    "$heddle" ptx "$ptx" --target "$1" --dump asm 2>/dev/null || true
  done
}

# The mnemonics of a listing, each once, with the target that they were compiled for.
mnemonics() { # TARGET
  compiled "$1" | sed -nE 's/^  \[[^]]*\] (@!?U?P[0-9T] +)?([A-Z0-9_.]+).*/\2/p' | sort -u | sed "s/$/ $1/"
}

by_group() {
  echo "| group (unit) | instructions | model | RTL | encodings in RTL | compiled for \`rtl\` | compiled for \`model\` |"
  echo "|---|---|---|---|---|---|---|"
  { instructions; mnemonics rtl; mnemonics model; } | awk '
    BEGIN {
      says["alu"] = "integers, logic, moves"; says["fma"] = "FP32 and integer multiply-add"
      says["cvt"] = "conversions"; says["half"] = "FP16 pairs"; says["fp64"] = "FP64"
      says["sfu"] = "special functions"; says["tensor"] = "matrices"; says["mem"] = "memory, atomics"
      says["br"] = "control, barriers"; says["warp"] = "warp-wide"; says["uni"] = "uniform datapath"
    }
    function cell(n, of) { return n == of ? "all" : n == 0 ? "–" : n }
    function row(name, n, rtl, all, known, for_rtl, for_model) {
      printf "| %s | %d | all | %s | %d of %d | %s | %s |\n", name, n, cell(rtl, n), known, all, cell(for_rtl, n), cell(for_model, n)
    }
    NF == 5 {
      u = $1; unit[$2] = u
      if (!(u in n)) order[++groups] = u
      n[u]++; all[u] += $3; known[u] += $4; rtl[u] += $4 > 0
      next
    }
    { # suffixes of modifiers fall off until an instruction is left
      name = $1
      while (!(name in unit) && sub(/[.][^.]*$/, "", name)) {}
      if (!(name in unit)) { print "what-runs.sh: no instruction " $1 > "/dev/stderr"; failed = 1 }
      if (!seen[name, $2]++) made[unit[name], $2]++
    }
    END {
      for (i = 1; i <= groups; i++) {
        u = order[i]
        row("`" u "` " says[u], n[u], rtl[u], all[u], known[u], made[u, "rtl"], made[u, "model"])
        N += n[u]; R += rtl[u]; A += all[u]; K += known[u]; P += made[u, "rtl"]; M += made[u, "model"]
      }
      row("all", N, R, A, K, P, M)
      if (P == 0 || M == 0) { print "what-runs.sh: no PTX compiles" > "/dev/stderr"; failed = 1 }
      exit failed
    }'
}

by_program() {
  local forms single
  forms=$(python3 -B scripts/data_archive.py show tests/silicon/ops ops.json | grep -c '"op":')
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
  instructions | awk -v units=" $* mem br " '$4 > 0 && index(units, " " $1 " ") && index(units, " " $5 " ") { n++ } END { print n + 0 }'
}

pipes_of() { # CONFIGURATION: its own, or those of the one that it extends
  local own
  own=$(sed -n 's/^pipes *= *//p' "isa/configs/$1.cfg")
  if [ -n "$own" ]; then echo "$own"; else pipes_of "$(sed -n 's/^extends *= *//p' "isa/configs/$1.cfg")"; fi
}

by_configuration() {
  local name lanes warps regs shared axi pipes
  echo "| configuration | lanes | warps | warp registers | shared memory | AXI | instructions in RTL |"
  echo "|---|---|---|---|---|---|---|"
  "$heddle" configs | tail -n +2 | sort -k2,2n -k3,3n | while read -r name lanes warps regs _ shared axi _; do
    read -ra pipes < <(pipes_of "$name")
    echo "| \`$name\` | $lanes | $warps | $regs | $((shared / 1024)) KiB | $axi bits | $(known "${pipes[@]}") |"
  done
}

machines() {
  local name lanes warps parts sms pipes
  echo "| name | lanes | warps | instructions of $(instructions | wc -l) | what it is |"
  echo "|---|---|---|---|---|"
  "$heddle" configs | tail -n +2 | sort -k11,11n -k10,10n -k2,2n -k3,3n | while read -r name lanes warps _ _ _ _ _ _ parts sms _; do
    read -ra pipes < <(pipes_of "$name")
    [ "$parts" = 1 ] || lanes="$parts × $lanes"
    [ "$sms" = 1 ] || { lanes="$sms × $lanes" warps="$sms × $warps"; }
    echo "| \`$name\` | $lanes | $warps | $(known "${pipes[@]}") | $(sed -n '2s/^# \([^.:]*\).*/\1/p' "isa/configs/$name.cfg") |"
  done
}

if [ "${2:-}" = machines ]; then
  machines
  exit
fi
by_group
echo
by_program
echo
by_configuration
