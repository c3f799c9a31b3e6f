# SPDX-License-Identifier: Apache-2.0
# Sourced after checks.sh: a primitive of rtl/lib as synthesis takes it beside the form for a simulator (HEDDLE_SIMULATED).
cp rtl/lib/*.sv rtl/lib/*.svh rtl/lib/ecp5/*.sv "$dir"

# proved MODULE CYCLES [PARAMETERS] [OPTIONS of sat]: both are equal, from zero, in that many cycles; `broken` is done to the text
# of the simulator's form.
broken=''
proved() {
  sed "s/\<module $1\>/module simulated/; s/(\*[^)]*\*)//; $broken" "$dir/$1.sv" >"$dir/simulated.sv"
  cat >"$dir/same.ys" <<END
read_slang -j 1 --std 1800-2017 -I . -y . --libext .sv --top $1 ${3:-} $1.sv
flatten
read_slang -j 1 --std 1800-2017 -D HEDDLE_SIMULATED -I . -y . --libext .sv --top simulated ${3:-} simulated.sv
miter -equiv $1 simulated both
hierarchy -top both
proc
flatten
memory -nordff
opt
techmap
simplemap
opt
sat -verify -prove trigger 0 -seq $2 -set-init-zero ${4:-} both
END
  (cd "$dir" && yosys -q -T same.ys >out 2>err </dev/null)
}
same() { proved "$@" || { fail "the simulator takes another ${what:-$1}"; return 1; }; }
noticed() { # CHANGE, and what `same` takes: by the proof, not by what reads the text
  broken=$1
  shift
  refuted proved "$@" || fail "another $1 for the simulator is not noticed"
  broken=''
}
