# SPDX-License-Identifier: Apache-2.0
# For scripts that source it: tool VARIABLE NAME OTHER prints what to run: what the variable names, else NAME of the build's
# own environment, of PATH, or OTHER there. Exit status 5 and what to do if there is none; the script has `say`.
tool() {
  local candidate
  for candidate in "${!1:-}" "build/venv/bin/$2" "$2" "$3"; do
    [ -n "$candidate" ] && command -v "$candidate" && return
  done
  say "no $3 ($2 of build/venv): run scripts/setup.sh"
  exit 5
}
