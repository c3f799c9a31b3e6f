#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: test_kernel_cycles.sh HEDDLE
# kernel_cycles.py says no: a cycle more, a row too many, one that is missing, a machine that is not there; it writes a
# table anew, and leaves the rows of other machines and the comment alone.
set -uo pipefail
heddle=$1 here=$(cd "$(dirname "$0")" && pwd)
source "$here/../lib.sh"
# The machine runs each command once: what is tested here is the judge.
cat >"$dir/heddle" <<END
#!/usr/bin/env bash
said=$dir/said-\$(printf '%s ' "\$@" | md5sum | cut -c1-32)
if [ ! -e "\$said" ]; then
  "$heddle" "\$@" >"\$said" 2>&1
  echo \$? >"\$said.status"
fi
cat "\$said"
exit "\$(cat "\$said.status")"
END
chmod +x "$dir/heddle"
judge=("python3" "$here/kernel_cycles.py" "$dir/heddle")
table=$here/kernel_cycles.txt

more() { awk '$1 == "fpga" && $2 == "lrr" && $3 == "reduce" { $4++ } { print }' "$table"; }
more >"$dir/more"
cycles=$(awk '$1 == "fpga" && $2 == "lrr" && $3 == "reduce" { print $4 }' "$table")
expect 1 "fpga lrr reduce: was $((cycles + 1)) cycles, is $cycles" "${judge[@]}" fpga "$dir/more"
{ cat "$table"; echo "fpga its nothing 7"; } >"$dir/many"
expect 1 "fpga its nothing: 7 cycles in the table; it did not run" "${judge[@]}" fpga "$dir/many"
sed '/^fpga gto vecadd /d' "$table" >"$dir/few"
expect 1 "cycles; the table has no such row" "${judge[@]}" fpga "$dir/few"
expect 0 "" "${judge[@]}" fpga "$dir/few" --renew
expect 0 "" cmp "$dir/few" "$table"
echo "fpga gto vecadd many" >"$dir/bad"
expect 2 "bad:1: expected" "${judge[@]}" fpga "$dir/bad"
expect 2 "usage" "${judge[@]}" fpga
expect 5 "not built" "${judge[@]}" nonesuch "$table"

policies=$("$(dirname "$0")/../../scripts/policies.sh")
# The table holds what it is for: each machine under each mode, and policies that can be told from each other.
for config in tiny cached fpga mid wide duo sm; do
  for mode in $policies scoreboard its; do
    expect 0 "" grep -q "^$config $mode reduce " "$table"
  done
  expect 0 "" test "$(awk -v c="$config" '$1 == c && $2 !~ /scoreboard|its/ && $3 == "reduce" { print $4 }' "$table" | sort -u | wc -l)" = "$(echo "$policies" | wc -l)"
done
