#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Debian's piglit: its OpenCL program tests on the model, as clang compiles them at -O2 and at -O0, where no store may bring
# undefined bits; 50 of them in lockstep on sm. Installs piglit where it is missing.
# usage: run.sh HEDDLE [CONFIG]     exit 1: a test fails that lab/verify/piglit/known.txt does not name
set -euo pipefail
[ $# -ge 1 ] || { echo "usage: run.sh HEDDLE [CONFIG]     example: lab/verify/piglit/run.sh build/heddle sm" >&2; exit 2; }
heddle=$1 config=${2:-sm} here=$(cd "$(dirname "$0")" && pwd)
if [ "$(dpkg-query -W -f='${db:Status-Status}' piglit 2>/dev/null)" != installed ]; then
  sudo=""
  [ "$(id -u)" = 0 ] || sudo="sudo"
  export DEBIAN_FRONTEND=noninteractive
  $sudo apt-get update -qq >&2
  $sudo apt-get install -y -qq --no-install-recommends piglit >&2
fi
tests=$(dirname "$(dpkg -L piglit | grep '/tests/cl$')")
tests=${tests%/tests}
piglit=(python3 -B "$here/piglit.py" "$heddle" "$tests" --known "$here/known.txt" --jobs "$(nproc)")
for level in -O2 -O0; do "${piglit[@]}" "--cc=$level" --on "--on model --undefined strict"; done
"${piglit[@]}" --on "--on lockstep --config $config" --pick 50
