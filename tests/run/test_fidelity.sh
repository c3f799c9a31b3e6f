#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# --fidelity: which executed forms were compared with silicon; --compared: where that comes from.
# usage: test_fidelity.sh HEDDLE SILICON     SILICON: the folder of forms with results of silicon
set -uo pipefail
heddle=$1 silicon=$2
source "$(dirname "$0")/../lib.sh"

cat >"$dir/f.s" <<'S'
.kernel f
.param u64 sum
        S2R R0, SR_TID.X ;
        I2F.F32.U32 R1, R0 ;
        FFMA R1, R1, R1, R1 ;
        FFMA R1, R1, R1, R0 ;
        ISETP.LT.U32.AND P0, PT, R0, 0x400, PT ;
@P0     BRA over ;
        FADD.FTZ R1, R1, R1 ;
over:   MOV R2, c[0x0][sum] ;
        MOV R3, c[0x0][sum+4] ;
        RED.E.ADD.F32.STRONG.GPU [R2], R1 ;
        EXIT ;
.end
S
run=("$heddle" run "$dir/f.s" --grid 3 --block 64 --arg "out:4:$dir/sum" --fidelity)
expect 0 "fidelity: 8 forms executed: 4 compared with an NVIDIA H200 on" "${run[@]}" --on model --json "$dir/json"
cp "$dir/out" "$dir/model"
# As tests/silicon/forms/differs.txt has it; what was jumped over has not executed.
expect 0 "1 known to differ (RED.E.ADD.F32.STRONG.GPU/ST), 3 never compared (EXIT/P, MOV/C, S2R/D)" "${run[@]}" --on model
holds "where it differs" grep -q '^  differs  RED.E.ADD.F32.STRONG.GPU/ST .* none of 2 cases is equal, .*\.global\.add\.f32$' "$dir/model"
holds "not executed" [ "$(grep -c FADD "$dir/model")" = 0 ]
holds "a form of several instructions once" [ "$(grep -c ' FFMA/RRR ' "$dir/model")" = 1 ]
# The inputs of the lines are those of the file, and their sum is that of the summary.
python3 - "$dir/model" "$dir/json" "$(dirname "$heddle")/share/heddle/silicon/compared.txt" <<'END'
import collections
import json
import re
import sys

lines = [l for l in open(sys.argv[1]) if l.startswith("  ")]
said = json.load(open(sys.argv[2]))["result"]["fidelity"]
of = collections.Counter()
for line in list(open(sys.argv[3]))[1:]:
    form, how, inputs, case = line.rstrip("\n").split("\t")
    if how == "equal":
        of[form] += int(inputs)
text = {l.split()[1]: (l.split()[0], int((re.search(r"(\d+) inputs", l) or [0, 0])[1])) for l in lines}
assert len(text) == said["executed"] == 8, text
assert text == {f["form"]: (f["verdict"], f["inputs"]) for f in said["forms"]}, (text, said)
assert all(n == of[form] for form, (_, n) in text.items()), text
assert text["FFMA/RRR"][1] > 2048 and said["inputs"] == sum(n for _, n in text.values()), said
assert (said["compared"], said["differ"], said["never"]) == (4, 1, 3), said
END
holds "text, JSON and file agree" [ $? = 0 ]
expect 0 "fidelity: 8 forms executed" "${run[@]}" --on model --threads 4
holds "threads of the host change nothing" diff -q <(grep -v '^ok' "$dir/out") <(grep -v '^ok' "$dir/model") >/dev/null
sed -i 's/RED.E.ADD.F32/RED.E.ADD/' "$dir/f.s" # tiny has no atomics of floating point
expect 0 "fidelity: 8 forms executed" "${run[@]}" --on model
cp "$dir/out" "$dir/model"
expect 0 "fidelity: 8 forms executed" "${run[@]}" --config tiny --launches 2
holds "lockstep says the same" diff -q <(grep -v '^ok\|^launches' "$dir/out") <(grep -v '^ok' "$dir/model") >/dev/null
expect 2 "--fidelity: with --on model, lockstep or systemc" "${run[@]}" --on rtl
expect 5 "target silicon_compared' makes it; HEDDLE_DATA can name another folder" env HEDDLE_DATA="$dir" "${run[@]}" --on model

# Where it comes from: one right result of silicon, and the same with a bit turned.
mkdir "$dir/ops"
cp "$silicon/ops/"*.f32.ptx "$dir/ops/"
python3 - "$silicon/ops" "$dir/ops" <<'END'
import json
import sys
import zipfile

all = json.load(open(sys.argv[1] + "/ops.json"))
all["ops"] = [o for o in all["ops"] if o["op"] in ("add.rn.f32", "mul.rn.f32")]
json.dump(all, open(sys.argv[2] + "/ops.json", "w"))
data = zipfile.ZipFile(sys.argv[1] + "/data.zip")
for name in ("f32.0.bin", "f32.1.bin", "f32.2.bin", "add.rn.f32.gold.bin", "mul.rn.f32.gold.bin"):
    bits = bytearray(data.read(name))
    bits[400] ^= name.startswith("mul")
    open(sys.argv[2] + "/" + name, "wb").write(bits)
END
expect 1 "1 passed, 1 failed" "$heddle" ops "$dir/ops" --on model --jobs 2 --compared "$dir/lines"
holds "equal" grep -qP '^FADD/RR\tequal\t2048\tadd.rn.f32$' "$dir/lines"
holds "differs" grep -qP '^FMUL/RR\tdiffers\t2048\tmul.rn.f32$' "$dir/lines"
holds "addresses are not what is compared" [ "$(grep -c 'IMAD\|S2R' "$dir/lines")" = 0 ]
expect 1 "$dir/nowhere/lines cannot be written" "$heddle" ops "$dir/ops" --on model --compared "$dir/nowhere/lines"
