#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# FuseSoC takes both descriptions: it lints the machine tiny by heddle.core, and of heddle-kit.core takes what flags ask for.
#   test_fusesoc.sh HEDDLE SOURCE BUILD     (needs the network: FuseSoC comes from PyPI)
set -eu
heddle=$1 source=$2 build=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install -q --disable-pip-version-check fusesoc==2.4.7
cd "$work"
# A tree in which build/gen is that of the build at hand.
mkdir tree tree/build
cp -r "$source/rtl" "$source/cmake" "$source/heddle.core" tree
ln -s "$build/gen" tree/build/gen
venv/bin/fusesoc --cores-root tree run --target lint --work-root lint heddle:gpu:heddle >log 2>&1 || { tail -30 log; exit 1; }
ls lint/*.vc >/dev/null # it has run the simulator on a list
mkdir cores
"$heddle" kit cores/kit
venv/bin/fusesoc --cores-root cores run --target lint --work-root lint_kit heddle:kit:retire >log 2>&1 ||
  { tail -30 log; exit 1; }
# A bench that depends on the kit gets what its flags ask for.
cat >cores/bench.core <<END
CAPI=2:
name: a:b:bench
filesets:
  all:
    depend: [heddle:kit:retire]
targets:
  default:
    filesets: [all]
    toplevel: retire_dpi
    default_tool: verilator
    tools:
      verilator:
        mode: lint-only
END
for flag in dpi vpi bind; do
  venv/bin/fusesoc --cores-root cores run --setup --flag $flag --work-root bench_$flag a:b:bench >log 2>&1 ||
    { cat log; exit 1; }
  cat bench_$flag/*.vc >list
  for other in dpi vpi bind; do
    if [ $other = $flag ]; then
      grep -q "retire_$other\." list || { echo "flag $flag: no retire_$other"; exit 1; }
    else
      ! grep -q "retire_$other\." list || { echo "flag $flag: retire_$other too"; exit 1; }
    fi
  done
done
