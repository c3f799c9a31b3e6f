#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: test_simulated.sh ROOT
# Where the simulator takes other SystemVerilog than synthesis both are the same, by proof; another one is noticed.
# Memories: test_memories.sh.
source "$(dirname "$0")/checks.sh"

cp rtl/lib/choice.sv "$dir"

# ---- what the simulator takes of choice.sv is the same choice, where anybody looks
sed 's/module choice/module mapped/' rtl/lib/choice.sv >"$dir/simulated.sv"
cat >"$dir/choice.ys" <<END
read_slang -j 1 --top choice -G WIDTH=2 choice.sv
read_slang -j 1 --top mapped -D VERILATOR -G WIDTH=2 simulated.sv
END
choices -set in_live_i 1 || fail 'the simulator takes another choice'
sed -i 's/data_i\[sel_i\] | also_i/data_i[sel_i]/' "$dir/simulated.sv"
refuted choices -set in_live_i 1 || fail 'another choice for the simulator is not noticed'

# ---- and of chosen.sv the word that was taken, for as long as no other is
sed 's/module chosen/module mapped/' rtl/lib/chosen.sv >"$dir/simulated.sv"
sed 's/module chosen/module choice/' rtl/lib/chosen.sv >"$dir/chosen.sv"
cat >"$dir/choice.ys" <<'END'
read_slang -j 1 --top choice -G WIDTH=2 -G N=3 chosen.sv
read_slang -j 1 --top mapped -D VERILATOR -G WIDTH=2 -G N=3 simulated.sv
END
taken='-seq 4 -prove-skip 1 -set-at 1 in_take_i 1 -set-at 1 in_sel_i 1 -set-at 2 in_sel_i 2 -set-at 3 in_sel_i 4'
choices "$taken" || fail 'the simulator chooses another word to be kept'
sed -i 's/if (take_i) word_q/if (sel_i[i]) word_q/' "$dir/chosen.sv"
refuted choices "$taken" || fail 'another word that is kept is not noticed'

# ---- shared memory's banks get the same rows, strobes and bytes: those that are stored, where the lanes of a pass meet as
# shm_route says
route() { # MODULE SUBJECT
  echo "module $1 (input logic clk_i, second, writes, input logic [1:0] size, input logic [3:0] grant, send,
      input logic [3:0][12:0] addr, input logic [3:0][3:0][31:0] data,
      output logic [3:0] en, output logic [3:0][8:0] row, output logic [3:0][3:0] wstrb, output logic [3:0][31:0] wdata);
    logic             ok, ok_q;
    logic [2:0]       kind;
    logic [1:0]       span;
    logic [3:0][3:0]  bytes, strobe;
    logic [3:0]       taken;
    logic [3:0][15:0] any_row;
    logic [3:0][31:0] any_data;
    always_ff @(posedge clk_i) ok_q <= ok;
    always_comb begin
      case (size)
        2'd0:    kind = isa_pkg::SIZE_U8;
        2'd1:    kind = isa_pkg::SIZE_S16;
        2'd2:    kind = isa_pkg::SIZE_64;
        default: kind = second ? isa_pkg::SIZE_32 : isa_pkg::SIZE_128;
      endcase
      span = {kind == isa_pkg::SIZE_128, kind == isa_pkg::SIZE_128 || kind == isa_pkg::SIZE_64};
      ok   = (send & ~grant) == '0;
      for (int l = 0; l < 4; l++) bytes[l] = mem_pkg::byte_mask(kind, addr[l][1:0]);
      for (int l = 0; l < 4; l++) begin
        automatic logic sent = 1'b0;
        if ((addr[l][3:0] & mem_pkg::size_mask(kind)) != '0) ok = 1'b0;
        for (int k = 0; k < 4; k++) begin
          automatic logic meet = ((addr[l][3:2] ^ addr[k][3:2]) & ~span) == '0;
          if (grant[l] && grant[k] && meet && addr[l][12:4] != addr[k][12:4]) ok = 1'b0;
          if (k != l && send[l] && send[k] && meet && (bytes[l] & bytes[k]) != '0) ok = 1'b0;
          if (send[k] && addr[k] == addr[l]) sent = 1'b1;
        end
        if (grant[l] && !sent) ok = 1'b0;
      end
      en    = taken & {4{ok_q}};
      wstrb = strobe & {16{ok_q}};
      for (int b = 0; b < 4; b++) begin
        row[b] = en[b] ? any_row[b][8:0] : '0;
        for (int y = 0; y < 4; y++) wdata[b][8*y +: 8] = any_data[b][8*y +: 8] & {8{wstrb[b][y]}};
      end
    end
    $2 u_route (
      .clk_i(clk_i), .rst_ni(1'b1), .ps_valid_i(1'b1), .ps_second_i(second), .ps_last_i(1'b0), .ps_grant_i(grant), .ps_send_i(send),
      .ps_beat_i('0), .ps_id_i('0), .ps_mem_i(writes ? isa_pkg::MEM_SHARED_STORE : isa_pkg::MEM_SHARED_LOAD), .ps_atom_i('0),
      .ps_size_i(kind), .rd_addr_i(addr), .rd_data_i(data), .rt_valid_o(), .rt_second_o(), .rt_last_o(), .rt_id_o(), .rt_mem_o(),
      .rt_atom_o(), .rt_size_o(), .rt_beat_o(), .rt_grant_o(), .rt_bank_o(), .rt_sub_o(), .rt_bank_en_o(taken),
      .rt_row_o(any_row), .rt_wstrb_o(strobe), .rt_wdata_o(any_data));
  endmodule"
}
cp "$generated"/{isa,retire}_pkg.sv "$generated"/tiny/cfg_pkg.sv rtl/core_pkg.sv rtl/memory/{atom,mem}_pkg.sv \
  rtl/lib/{arb_fixed,lowest_one,onehot_index}.sv rtl/lib/*.svh "$dir"
sed 's/^module choice/module choose/' rtl/lib/choice.sv >"$dir/choose.sv"
sed 's/  choice #/  choose #/' rtl/memory/shm_route.sv >"$dir/shm_route.sv"
sed 's/module shm_route/module simulated/' rtl/memory/shm_route.sv >"$dir/simulated.sv"
route choice shm_route >"$dir/route.sv"
route mapped simulated >"$dir/mapped.sv"
packages='isa_pkg.sv cfg_pkg.sv retire_pkg.sv core_pkg.sv atom_pkg.sv mem_pkg.sv'
cat >"$dir/choice.ys" <<END
read_slang -j 1 --std 1800-2017 -I . --top choice $packages arb_fixed.sv lowest_one.sv onehot_index.sv choose.sv shm_route.sv route.sv
flatten
read_slang -j 1 --std 1800-2017 -I . -D VERILATOR --top mapped $packages simulated.sv mapped.sv
END
choices -seq 2 -prove-skip 1 || fail 'the simulator routes otherwise to the banks'
sed -i 's/(wide && ps_second_i) || /ps_second_i || /' "$dir/shm_route.sv"
refuted choices -seq 2 -prove-skip 1 || fail 'another route to the banks is not noticed'

# ---- the decoder for the units that a machine has decodes legal words as the simulator's, which knows all of them
for module in choice mapped; do
  echo "module $module (input logic [127:0] word, output logic legal, output logic [\$bits(isa_pkg::dec_t)-1:0] fields);
    isa_pkg::dec_t dec;
    always_comb begin
      dec    = isa_pkg::decode_for(word, core_pkg::UNITS_THERE[15:0], cfg_pkg::HAS_UNI);
      legal  = dec.legal && core_pkg::UNITS_THERE[5'(dec.unit)] && (cfg_pkg::HAS_UNI || !core_pkg::has_uniform(dec));
      fields = legal ? dec : '0;
    end
  endmodule" >"$dir/decode_$module.sv"
done
cat >"$dir/decode.ys" <<END
read_slang -j 1 --std 1800-2017 -I . --top choice isa_pkg.sv cfg_pkg.sv retire_pkg.sv core_pkg.sv decode_choice.sv
read_slang -j 1 --std 1800-2017 -I . -D VERILATOR --top mapped isa_pkg.sv cfg_pkg.sv retire_pkg.sv core_pkg.sv decode_mapped.sv
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
decoded mapped "predecode u_dec (.fault_i('0), .its_i('0), .valid_i('1), .word_i(word_q), .head_o(), .jump_o()" >"$dir/decode_mapped.sv"
sed -i -e 's/ core_pkg.sv / core_pkg.sv issue_pkg.sv /' -e 's/ decode_choice.sv/ late_decode.sv&/' \
  -e 's/ decode_mapped.sv/ predecode.sv&/' -e 's/^sat .*/sat -verify -prove trigger 0 -seq 2 -prove-skip 1 both/' "$dir/decode.ys"
decodes || fail 'the table decodes a word otherwise'
# One bit of one row (of IADD3, whose word is there in every machine).
sed -i '/localparam.* TABLE \[/{n;s/0\([01]\)}/1\1}/}' "$dir/isa_pkg.sv"
refuted decodes || fail 'a wrong bit of the table is not noticed'

# ---- nor another alignment of the addend: it shifts where the FPGA multiplies
cat >"$dir/choice.ys" <<'END'
read_slang -j 1 --top choice fma_pkg.sv alignment.sv
read_slang -j 1 --top mapped -D VERILATOR simulated.sv mapped.sv
END
cp rtl/execute/fma_pkg.sv "$dir"
sed 's/fma_pkg/simulated_pkg/' rtl/execute/fma_pkg.sv >"$dir/simulated.sv"
for side in 'choice fma_pkg alignment' 'mapped simulated_pkg mapped'; do
  read -r module package file <<<"$side"
  echo "module $module (input logic [23:0] c, input logic [3:0] by, output logic [38:0] y);
    assign y = $package::aligned(c, by);
  endmodule" >"$dir/$file.sv"
done
choices || fail 'the simulator takes another alignment'
sed -i "s/15'b0} >> by/15'b0} >> by[2:0]/" "$dir/simulated.sv"
refuted choices || fail 'another alignment for the simulator is not noticed'

# ---- nor another shifter of the ALU, nor other bytes and functions of three, where a slice's multiplexers choose
cat >"$dir/choice.ys" <<'END'
read_slang -j 1 --std 1800-2017 -I . --top choice alu_bits_pkg.sv choice.sv funnel.sv lanes.sv
flatten
read_slang -j 1 --std 1800-2017 -I . --top mapped alu_bits_pkg.sv mapped.sv
END
cp rtl/execute/alu_bits_pkg.sv rtl/lib/funnel.sv "$dir"
sed -i 's/^module choice/module choose/' "$dir/choice.sv"
sed -i 's/  choice #/  choose #/' "$dir/funnel.sv"
ports='input logic [62:0] w, input logic [31:0] a, b, c, input logic [4:0] by, input logic [7:0] rest, lut,
  output logic [31:0] moved, bytes, function_d'
echo "module choice ($ports);
  funnel u_moved (.words_i(w), .by_i(by), .more_i('0), .data_o(moved));
  funnel u_bytes (.words_i({a[30:0], a}), .by_i('0), .more_i(rest), .data_o(bytes));
  for (genvar j = 0; j < 32; j++) begin : gen_bit
    choose #(.WIDTH(1), .N(8)) u_function (
      .live_i(1'b1), .sel_i({a[j], b[j], c[j]}), .data_i(lut), .also_i('0), .data_o(function_d[j]));
  end
endmodule" >"$dir/lanes.sv"
echo "module mapped ($ports);
  assign moved      = 32'(w >> by);
  assign bytes      = alu_bits_pkg::permuted(rest, a);
  assign function_d = alu_bits_pkg::logic3(alu_bits_pkg::terms_of(lut), a, b, c);
endmodule" >"$dir/mapped.sv"
choices || fail 'the simulator takes another shifter, other bytes or functions'
for change in 's/w >> by/w >> by[3:0]/' 's/permuted(rest/permuted(~rest/' 's/logic3(alu_bits_pkg::terms_of(lut)/logic3((lut)/'; do
  cp "$dir/mapped.sv" "$dir/kept.sv"
  sed -i "$change" "$dir/mapped.sv"
  refuted choices || fail 'another shifter, bytes or functions are not noticed'
  mv "$dir/kept.sv" "$dir/mapped.sv"
done

[ $failures = 0 ]
