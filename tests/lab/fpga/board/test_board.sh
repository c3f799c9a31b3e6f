#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A whole board, simulated at its pins: kernels over the serial line, the example of the driver, the march test of its memory,
# a pty as the host's serial device; and what is said where there is no board.
# usage: test_board.sh BUILD [i9_tiny]     i9_tiny: the machine on that board alone
set -euo pipefail
build=$1
work=$(mktemp -d)
sim=""
end() {
  [ -z "$sim" ] || kill "$sim" 2>/dev/null || true
  rm -rf "$work"
}
trap end EXIT
failed=0
fail() { echo "FAIL: $*"; failed=$((failed + 1)); }
has() { # FILE TEXT
  grep -qF -- "$2" "$1" || { fail "no '$2' in:"; sed 's/^/  /' "$1"; }
}
expect() { # STATUS COMMAND...: its output in $work/out
  local want=$1 got=0
  shift
  timeout 300 "$@" >"$work/out" 2>&1 || got=$?
  [ "$got" = "$want" ] || { fail "exit status $got, not $want: $*"; sed 's/^/  /' "$work/out"; }
}
# Half of this needs a pseudo-terminal. Where there is none it is said at once, not as a board that does not answer.
python3 -c 'import os; os.ttyname(os.openpty()[1])' 2>"$work/out" || {
  echo "FAIL: no pseudo-terminal here ($(tail -n 1 "$work/out")): is /dev/pts mounted? (mount -t devpts devpts /dev/pts)"
  exit 1
}
if [ "${2:-}" = i9_tiny ]; then # histogram has atomics, and stores of a word of a beat
  expect 0 "$build/heddle" board "sim:$build/bin/board_sim_i9_tiny" histogram
  has "$work/out" "1 passed, 0 failed"
  has "$work/out" "0 violations"
  exit "$failed"
fi
tiny=sim:$build/bin/board_sim_tiny

expect 0 "$build/heddle" board "$tiny" vecadd histogram sgemm
for kernel in vecadd histogram sgemm; do has "$work/out" "$kernel.asm: 1 launches"; done
has "$work/out" "3 passed, 0 failed"
has "$work/out" "0 commands sent again, 0 frames damaged here, 0 there"
has "$work/out" "0 violations"
expect 0 "$build/heddle" board "$tiny" saxpy vecadd --form ptx
has "$work/out" "2 passed, 0 failed"
expect 0 "$build/bin/vecadd" "$build/bin/vecadd.elf" "board:$tiny"
has "$work/out" "1000 sums, 0 wrong"

expect 0 "$build/heddle" board "sim:$build/bin/board_sim_march" --march 256
has "$work/out" "march: 256 words, 7 patterns, no difference"
expect 1 "$build/heddle" board "sim:$build/bin/board_sim_march" vecadd
has "$work/out" "the driver finds no core there"
expect 0 "$build/heddle" board "sim:$build/bin/board_sim_registers" --registers
has "$work/out" "a grid began and ended; there is no core behind them"
expect 0 "$build/heddle" board "$tiny" --registers vecadd
has "$work/out" "the core refuses a grid of no blocks"
has "$work/out" "1 passed, 0 failed"
expect 1 "$build/heddle" board "sim:$build/bin/board_sim_march" --registers
has "$work/out" "these are no core's"
expect 1 "$build/heddle" board "$tiny" --march 16
has "$work/out" "this board has no march test"

# Another board: its SDRAM is 32 bits wide, and has no byte masks.
i9=sim:$build/bin/board_sim_i9
expect 0 "$build/heddle" board "${i9}_march" --march 256
has "$work/out" "march: 256 words, 7 patterns, no difference"
has "$work/out" "0 violations"

# A serial device: the line as a tty sees it.
"$build/bin/board_sim_march" --pty >"$work/pty" 2>"$work/sim" &
sim=$!
for _ in $(seq 100); do [ -s "$work/pty" ] && break; sleep 0.1; done
expect 0 "$build/heddle" board "tty:$(cat "$work/pty")" --march 8
has "$work/out" "echo: 1024 bytes came back"
expect 0 "$build/heddle" board "tty:$(cat "$work/pty"):115200" --march 8 # again, without starting it anew
kill "$sim"
wait "$sim" 2>/dev/null || true

# A host that dies in the middle of a kernel, its data or a frame: the next one begins anew, without a power cycle.
: >"$work/pty"
"$build/bin/board_sim_tiny" --pty >"$work/pty" 2>"$work/sim" &
sim=$!
for _ in $(seq 100); do [ -s "$work/pty" ] && break; sleep 0.1; done
expect 137 timeout -s KILL 2 "$build/heddle" board "tty:$(cat "$work/pty")" sgemm --scale 1
expect 0 "$build/heddle" board "tty:$(cat "$work/pty")" vecadd
has "$work/out" "1 passed, 0 failed"
kill "$sim"
sim=""

expect 5 "$build/heddle" board tty:/dev/nothing-there
has "$work/out" "/dev/nothing-there"
expect 5 "$build/heddle" board tty:/dev/null
expect 5 "$build/heddle" board "sim:$work/none"
expect 5 "$build/heddle" board sim:/bin/true # starts, and is gone
has "$work/out" "the line is gone"
expect 2 "$build/heddle" board
expect 2 "$build/heddle" board "$tiny" no_such_kernel
expect 2 "$build/heddle" board "$tiny" vecadd --bring-up
expect 2 "$build/heddle" board "$tiny" vecadd --campaign 1
expect 5 "$build/heddle" board tty:/dev/null --bring-up
expect 5 "$build/heddle" board usb:0
has "$work/out" "expected tty:PATH"

[ "$failed" = 0 ] && echo ok
[ "$failed" = 0 ]
