#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: test_simulated.sh ROOT
# Primitives of rtl/lib without a register are the same in both of their forms (rtl/lib/heddle_form.svh), by proof; another one is
# noticed. So are the decoders that a machine may have. Memories: test_memories.sh.
source "$(dirname "$0")/checks.sh"

source "$(dirname "$0")/forms.sh"

# ---- a choice, where anybody looks
same choice 1 '-G WIDTH=2' '-set in_live_i 1'
same choice 1 '-G WIDTH=2 -G N=8' '-set in_live_i 1'
noticed 's/data_i\[sel_i\] | also_i/data_i[sel_i]/' choice 1 '-G WIDTH=2' '-set in_live_i 1'

# ---- the ALU's shifter, bytes and function of three: two lanes in one form, whose ports a proof can name, and in the other
lanes() { # MODULE CHANGE...
  local module=$1 change
  shift
  local inputs=".live_i(1'b1)" ports='input logic bytes, input logic [1:0][62:0] w, input logic [1:0][4:0] by,
    input logic [1:0][3:0][1:0] more, input logic [1:0][31:0] also, a, b, c, input logic [7:0] lut, output logic [1:0][31:0] y'
  case $module in
    funnel)       inputs+=', .bytes_i(bytes), .words_i(words), .by_i(bys), .more_i(mores)' ;;
    turned_bytes) inputs+=', .bytes_i(bytes), .word_i(a), .more_i(mores), .also_i(alsos)' ;;
    any_of_three) inputs+=', .table_i(lut), .a_i(a), .b_i(b), .c_i(c)' ;;
  esac
  echo "module rig ($ports);
    logic [62:0] words [2]; logic [4:0] bys [2]; logic [3:0][1:0] mores [2]; logic [31:0] alsos [2], data [2];
    always_comb for (int l = 0; l < 2; l++) begin
      words[l] = w[l];
      bys[l]   = bytes ? '0 : by[l];
      mores[l] = bytes ? more[l] : '0;
      alsos[l] = also[l];
      y[l]     = data[l];
    end
    $module #(.LANES(2)) u_it ($inputs, .data_o(data));
  endmodule" >"$dir/rig.sv"
  what=$module same rig 1 || return
  for change in "$@"; do
    cp "$dir/$module.sv" "$dir/kept.sv"
    # Only the simulator's form, which stands first.
    sed -i "0,/^\`else/$change" "$dir/$module.sv"
    refuted proved rig 1 || fail "another $module is not noticed: $change"
    mv "$dir/kept.sv" "$dir/$module.sv"
  done
}
lanes funnel 's/words_i.l. >> by_i.l.)/words_i[l] >> by_i[l][3:0])/' "s/3'(more_i.l..i.)/3'(more_i[l][0])/"
lanes turned_bytes 's/ | also_i.l.;/;/' "s/2'(i) + more_i/2'(i) - more_i/"
lanes any_of_three 's/terms_of(table_i)/table_i/'

# ---- the crossbar to shared memory's banks: rows, strobes and bytes that are stored, of lanes that meet as it says
scattered() {
  echo "module rig (input logic clk_i, writes, input logic [1:0] span, input logic [3:0] lane, send,
      input logic [3:0][1:0] bank, input logic [3:0][7:0] row, input logic [3:0][3:0] strb, input logic [3:0][3:0][31:0] words,
      output logic [3:0] en, output logic [3:0][7:0] at, output logic [3:0][3:0] wstrb, output logic [3:0][31:0] wdata);
    logic             ok, ok_q;
    logic [1:0]       open;
    logic [3:0]       taken;
    logic [3:0][3:0]  strobe;
    logic [3:0][15:0] rows, any_row;
    logic [3:0][31:0] any_data;
    always_ff @(posedge clk_i) ok_q <= ok;
    always_comb begin
      open = (span == 2'd2) ? 2'd3 : span;
      ok   = (send & ~lane) == '0;
      for (int l = 0; l < 4; l++) begin
        rows[l] = {8'd0, row[l]};
        for (int k = 0; k < 4; k++) begin
          automatic logic meet = ((bank[l] ^ bank[k]) & ~open) == '0;
          if (lane[l] && lane[k] && meet && row[l] != row[k]) ok = 1'b0;
          if (k != l && send[l] && send[k] && meet && (strb[l] & strb[k]) != '0) ok = 1'b0;
        end
        // Who does not send has the bytes of one that does.
        if (lane[l] && !send[l]) begin
          automatic logic sent = 1'b0;
          for (int k = 0; k < 4; k++) if (send[k] && bank[k] == bank[l] && strb[k] == strb[l]) sent = 1'b1;
          if (!sent) ok = 1'b0;
        end
      end
      en    = taken & {4{ok_q}};
      wstrb = strobe & {16{ok_q}};
      for (int b = 0; b < 4; b++) begin
        at[b] = en[b] ? any_row[b][7:0] : '0;
        for (int y = 0; y < 4; y++) wdata[b][8*y +: 8] = any_data[b][8*y +: 8] & {8{wstrb[b][y]}};
      end
    end
    scatter u_it (.clk_i(clk_i), .take_i(1'b1), .writes_i(writes), .span_i(open), .lane_i(lane), .send_i(send), .bank_i(bank),
      .row_i(rows), .strb_i(strb), .words_i(words), .bank_en_o(taken), .row_o(any_row), .strb_o(strobe), .data_o(any_data));
  endmodule" >"$dir/rig.sv"
}
scattered
what=scatter same rig 2 '' '-prove-skip 1'
sed -i '0,/^`else/s/word1 = words_i\[1\]/word1 = words_i[0]/' "$dir/scatter.sv"
refuted proved rig 2 '' '-prove-skip 1' || fail 'another crossbar to the banks is not noticed'
cp rtl/lib/scatter.sv "$dir"

# ---- the addend's alignment: a simulator shifts where the FPGA multiplies
echo 'module rig (input logic [23:0] c, input logic [3:0] by, output logic [38:0] y);
  assign y = align_pkg::aligned(c, by);
endmodule' >"$dir/rig.sv"
what=align_pkg same rig 1 align_pkg.sv
cp "$dir/align_pkg.sv" "$dir/kept.sv"
sed -i "s/15'b0} >> by/15'b0} >> by[2:0]/" "$dir/align_pkg.sv"
refuted proved rig 1 align_pkg.sv || fail 'another alignment for the simulator is not noticed'
mv "$dir/kept.sv" "$dir/align_pkg.sv"

# ---- the decoder for the units that a machine has decodes legal words as the one that knows all of them
cp "$generated"/{isa,host_regs,retire}_pkg.sv "$generated"/tiny/cfg_pkg.sv rtl/{core,kind}_pkg.sv "$dir"
for module in choice mapped; do
  units='kind_pkg::UNITS_THERE[15:0], cfg_pkg::HAS_UNI'
  [ $module = choice ] || units="'1, 1'b1"
  echo "module $module (input logic [127:0] word, output logic legal, output logic [\$bits(isa_pkg::dec_t)-1:0] fields);
    isa_pkg::dec_t dec;
    always_comb begin
      dec    = isa_pkg::decode_for(word, $units);
      legal  = dec.legal && kind_pkg::UNITS_THERE[5'(dec.unit)] && (cfg_pkg::HAS_UNI || !kind_pkg::has_uniform(dec))
        && (cfg_pkg::HAS_ASYNC || !(dec.mem == isa_pkg::MEM_GLOBAL_COPY || dec.op == isa_pkg::OP_LDGDEPBAR));
      fields = legal ? dec : '0;
    end
  endmodule" >"$dir/decode_$module.sv"
done
cat >"$dir/decode.ys" <<END
read_slang -j 1 --std 1800-2017 -I . --top choice isa_pkg.sv host_regs_pkg.sv cfg_pkg.sv retire_pkg.sv core_pkg.sv kind_pkg.sv decode_choice.sv
read_slang -j 1 --std 1800-2017 -I . --top mapped isa_pkg.sv host_regs_pkg.sv cfg_pkg.sv retire_pkg.sv core_pkg.sv kind_pkg.sv decode_mapped.sv
miter -equiv -flatten choice mapped both
hierarchy -top both
proc
flatten
opt
memory -nordff
opt
techmap
opt
sat -verify -prove trigger 0 both
END
decodes() { (cd "$dir" && yosys -q -T decode.ys >out 2>err </dev/null); }
decodes || fail 'a legal word is decoded otherwise where a machine lacks units'
sed -i "s/(units & 16'h0002)/(units \& 16'h8000)/" "$dir/isa_pkg.sv"
refuted decodes || fail 'a legal word that is not decoded is not noticed'

# ---- nor the decoder that reads a table, a cycle after: what is legal, and what a legal word is decoded to
cp "$generated/isa_pkg.sv" rtl/issue/issue_pkg.sv rtl/fetch/{late_decode,predecode}.sv "$dir"
decoded() { # MODULE INSTANCE
  echo "module $1 (input logic clk_i, input logic [127:0] word, output logic illegal,
      output logic [\$bits(isa_pkg::dec_t)-1:0] fields);
    issue_pkg::stored_t entry;
    isa_pkg::dec_t      dec;
    logic [127:0]       word_q;
    always_ff @(posedge clk_i) word_q <= word;
    $2, .err_i('0), .entry_o(entry));
    always_comb begin
      dec       = entry.dec;
      dec.imm   = '0;   // these are not asked for
      dec.cbank = '0;
      dec.coff  = '0;
      illegal   = entry.illegal;
      fields    = illegal ? '0 : dec;
    end
  endmodule"
}
decoded choice "late_decode u_dec (.clk_i(clk_i), .take_i(1'b1), .entry_i('0), .word_i(word)" >"$dir/decode_choice.sv"
decoded mapped "predecode u_dec (.its_i('0), .valid_i('1), .word_i(word_q), .head_o(), .jump_o()" >"$dir/decode_mapped.sv"
sed -i -e 's/ kind_pkg.sv / kind_pkg.sv issue_pkg.sv /' -e 's/ decode_choice.sv/ late_decode.sv rom.sv&/' \
  -e 's/ decode_mapped.sv/ predecode.sv&/' -e 's/^sat .*/sat -verify -prove trigger 0 -seq 2 -prove-skip 1 both/' "$dir/decode.ys"
decodes || fail 'the table decodes a word otherwise'
# One bit of one row (of IADD3, whose word is there in every machine).
sed -i '/localparam.* TABLE \[/{n;s/0\([01]\)}/1\1}/}' "$dir/isa_pkg.sv"
refuted decodes || fail 'a wrong bit of the table is not noticed'

[ $failures = 0 ]
