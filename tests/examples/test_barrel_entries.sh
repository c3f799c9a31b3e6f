#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# test_barrel_entries.sh SOURCE BUILD: a bug planted in examples/barrel is told in the same words by every entry to the
# checker, the trace among them; without it all say that all is well. COCOTB_PYTHON: a python3 that has cocotb, else
# that of BUILD/venv. What is compiled is kept where the next run finds it: ccache, if it is there, remembers by path.
set -eu
source=$1 build=$2
out=$build/barrel_entries.out
INCLUDES=-I$build/gen
HEDDLE=$build/heddle HEDDLE_SIM=$build/sdk/libheddle-sim.so
LIBS="-L$build/sdk -Wl,-rpath,$build/sdk -lheddle-sim"
COCOTB_PYTHON=${COCOTB_PYTHON:-$build/venv/bin/python3} PYTHONPATH=$source/cosim/kit/cocotb PYTHONDONTWRITEBYTECODE=1
export HEDDLE HEDDLE_SIM INCLUDES LIBS COCOTB_PYTHON PYTHONPATH PYTHONDONTWRITEBYTECODE
if command -v ccache >/dev/null; then
  CXX="ccache c++" OBJCACHE=ccache
  export CXX OBJCACHE
fi
python3 "$source/examples/barrel/attach/entries.py" --work "$build/barrel_entries" --bug 25 0 >"$out" 2>&1 || {
  cat "$out"
  exit 1
}
# 3 (0 - 5) is negative: the high word all ones. Unsigned, 3 * 0xfffffffb has a 2 there.
want="bug 25
direct: difference: writeback.value
  R5: 5 lane(s) differ; lane 0: expected 0xffffffff, got 0x00000002
trace: the same
dpi: the same
vpi: the same
cocotb: the same
systemc: the same
bug 0
direct: ok
trace: the same
dpi: the same
vpi: the same
cocotb: the same
systemc: the same"
got=$(grep -e '^bug' -e '^[a-z]*: ' -e '  R5: ' "$out" | sed 's/ (result words) in cycle .*//')
[ "$got" = "$want" ] && exit
cat "$out"
exit 1
