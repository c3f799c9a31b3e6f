#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# FuseSoC takes both descriptions: it lints the machine tiny by heddle.core, and knows every target of heddle-kit.core.
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
"$heddle" kit kit
for target in default bind dpi vpi; do
  venv/bin/fusesoc --cores-root kit run --target $target --setup --tool verilator --work-root "setup_$target" \
    heddle:kit:retire >log 2>&1 || { cat log; exit 1; }
done
