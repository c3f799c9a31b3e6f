// SPDX-License-Identifier: Apache-2.0
// barrel with a retire port of profile P1: each event of the core as the vector of its record.
// The packers are generated (heddle kit DIR --lanes 8 --warps 4 --blocks 2): a port for each field.
module barrel_retire #(
    parameter WARPS  = 4,
    parameter LANES  = 8,
    parameter BLOCKS = 2,
    parameter SHARED = 8192
) (
    input  wire         clk_i,
    input  wire         rst_ni,
    input  wire [7:0]   bug_i,
    input  wire         go_i,
    input  wire [39:0]  code_base_i,
    input  wire [31:0]  code_bytes_i,
    input  wire [31:0]  entry_i,
    input  wire [95:0]  grid_i,
    input  wire [95:0]  block_i,
    input  wire [8:0]   regs_i,
    input  wire [23:0]  shared_bytes_i,
    input  wire [39:0]  local_base_i,
    input  wire [19:0]  local_bytes_i,
    input  wire [159:0] cbank_base_i,  input wire [67:0]  cbank_bytes_i,
    input  wire [639:0] region_base_i, input wire [655:0] region_limit_i,
    input  wire [15:0]  region_write_i,
    output wire         done_o,
    output wire [2:0]   refused_o,
    output wire         trapped_o,
    output wire         req_o, we_o,
    input  wire         ready_i,
    output wire [39:0]  addr_o,
    output wire [255:0] wdata_o,
    output wire [31:0]  wstrb_o,
    input  wire         rsp_i, err_i,
    input  wire [255:0] rdata_i,
    // the retire port
    output wire         ret_block_start_valid_o, ret_global_valid_o, ret_shared_valid_o,
    output wire         ret_write_valid_o, ret_predicate_valid_o, ret_operands_valid_o,
    output wire         ret_barrier_valid_o, ret_issue_valid_o, ret_trap_valid_o,
    output wire         ret_block_end_valid_o,
    output wire [255:0]   ret_block_start_o,
    output wire [831:0]   ret_global_o,
    output wire [2975:0]  ret_shared_o,
    output wire [160+32*LANES-1:0] ret_write_o,
    output wire [767:0]   ret_predicate_o,
    output wire [160+128*LANES-1:0] ret_operands_o,
    output wire [31:0]    ret_barrier_o,
    output wire [511:0]   ret_issue_o,
    output wire [255:0]   ret_trap_o,
    output wire [31:0]    ret_block_end_o
);
  // Events of the core.
  wire [7:0] slot, gen;
  wire [31:0] seq;
  wire [31:0] is_pc, is_active, is_exec;
  wire [127:0] is_word;
  wire [95:0] is_ps;
  wire [3:0] op_index;
  wire [2:0] op_beat, wr_beat, pr_beat;
  wire [LANES-1:0] op_mask, wr_mask;
  wire [32*LANES-1:0] op_data, wr_data;
  wire [7:0] wr_reg;
  wire [7*LANES-1:0] pr_mask, pr_data;
  wire mo_valid;
  wire [1:0] mo_space, mo_access;
  wire [39:0] mo_addr;
  wire [31:0] mo_word, mo_lanes, mo_touch, mo_wstrb;
  wire [255:0] mo_wdata, mo_rdata;
  wire [3:0] bl_slot, ba_id, tr_cause;
  wire [95:0] bs_ctaid;
  wire [WARPS-1:0] bs_warps;
  wire [23:0] bs_shared;
  wire [31:0] tr_pc, tr_lanes;
  wire [63:0] tr_addr;

  barrel #(.WARPS(WARPS), .LANES(LANES), .BLOCKS(BLOCKS), .SHARED(SHARED)) u_barrel (
      .clk_i(clk_i), .rst_ni(rst_ni), .bug_i(bug_i), .go_i(go_i), .code_base_i(code_base_i),
      .code_bytes_i(code_bytes_i), .entry_i(entry_i), .grid_i(grid_i), .block_i(block_i),
      .regs_i(regs_i), .shared_bytes_i(shared_bytes_i), .local_base_i(local_base_i),
      .local_bytes_i(local_bytes_i), .cbank_base_i(cbank_base_i), .cbank_bytes_i(cbank_bytes_i),
      .region_base_i(region_base_i), .region_limit_i(region_limit_i),
      .region_write_i(region_write_i), .done_o(done_o), .refused_o(refused_o),
      .trapped_o(trapped_o), .req_o(req_o), .ready_i(ready_i), .we_o(we_o), .addr_o(addr_o),
      .wdata_o(wdata_o), .wstrb_o(wstrb_o), .rsp_i(rsp_i), .rdata_i(rdata_i), .err_i(err_i),
      .ev_slot_o(slot), .ev_gen_o(gen), .ev_seq_o(seq), .is_valid_o(ret_issue_valid_o),
      .is_pc_o(is_pc), .is_word_o(is_word), .is_active_o(is_active), .is_exec_o(is_exec),
      .is_ps_o(is_ps), .op_valid_o(ret_operands_valid_o), .op_index_o(op_index),
      .op_beat_o(op_beat), .op_mask_o(op_mask), .op_data_o(op_data),
      .wr_valid_o(ret_write_valid_o), .wr_reg_o(wr_reg), .wr_beat_o(wr_beat), .wr_mask_o(wr_mask),
      .wr_data_o(wr_data), .pr_valid_o(ret_predicate_valid_o), .pr_beat_o(pr_beat),
      .pr_mask_o(pr_mask), .pr_data_o(pr_data), .mo_valid_o(mo_valid), .mo_space_o(mo_space),
      .mo_access_o(mo_access), .mo_addr_o(mo_addr), .mo_word_o(mo_word), .mo_lanes_o(mo_lanes),
      .mo_touch_o(mo_touch), .mo_wstrb_o(mo_wstrb), .mo_wdata_o(mo_wdata), .mo_rdata_o(mo_rdata),
      .bs_valid_o(ret_block_start_valid_o), .be_valid_o(ret_block_end_valid_o),
      .ba_valid_o(ret_barrier_valid_o), .bl_slot_o(bl_slot), .ba_id_o(ba_id),
      .bs_ctaid_o(bs_ctaid), .bs_warps_o(bs_warps), .bs_shared_o(bs_shared),
      .tr_valid_o(ret_trap_valid_o), .tr_cause_o(tr_cause), .tr_pc_o(tr_pc),
      .tr_lanes_o(tr_lanes), .tr_addr_o(tr_addr));

  retire_pack_block_start u_block_start (.warps(64'd0 | bs_warps), .ctaid(bs_ctaid),
      .shared_base({8'd0, bs_shared}), .sm(8'd0), .bslot({4'd0, bl_slot}), .record(ret_block_start_o));
  retire_pack_block_end u_block_end (.sm(8'd0), .bslot({4'd0, bl_slot}), .record(ret_block_end_o));
  retire_pack_barrier u_barrier (.sm(8'd0), .bslot({4'd0, bl_slot}), .id({4'd0, ba_id}), .record(ret_barrier_o));
`define WHO .id_sm(8'd0), .id_partition(8'd0), .id_slot(slot), .id_gen(gen), .id_seq(seq)
  retire_pack_issue u_issue (`WHO, .pc(is_pc), .active(is_active), .exec(is_exec), .ps(is_ps),
      .word(is_word), .dhash(64'd0), .clock(64'd0), .record(ret_issue_o));
  retire_pack_operands u_operands (`WHO, .mask(32'd0 | op_mask), .index({28'd0, op_index}),
      .beat({5'd0, op_beat}), .used(8'd1), .data({{96*LANES{1'b0}}, op_data}), .record(ret_operands_o));
  retire_pack_write u_write (`WHO, .mask(32'd0 | wr_mask), .row(16'd0), .port(8'd0), .bank(8'd0),
      .rd(wr_reg), .beat({5'd0, wr_beat}), .data(wr_data), .record(ret_write_o));
  retire_pack_trap u_trap (`WHO, .addr(tr_addr), .pc(tr_pc), .lanes(tr_lanes), .cause({4'd0, tr_cause}),
      .record(ret_trap_o));

  // Predicates: entry i is Pi.
  wire [7*32-1:0] value_mask, value_data;
  wire [6:0] value_used;
  genvar i;
  generate
    for (i = 0; i < 7; i = i + 1) begin : gen_predicate
      assign value_mask[32*i +: 32] = 32'd0 | pr_mask[LANES*i +: LANES];
      assign value_data[32*i +: 32] = 32'd0 | pr_data[LANES*i +: LANES];
      assign value_used[i] = |pr_mask[LANES*i +: LANES];
    end
  endgenerate
  retire_pack_predicate u_predicate (`WHO, .beat({5'd0, pr_beat}), .used({1'b0, value_used}),
      .value_mask(value_mask), .value_data(value_data), .value_index(56'h06050403020100),
      .record(ret_predicate_o));

  // Global memory: a sector. Local memory: a word of eight lanes, 4 (2^18 slot + word) + lane / 8.
  wire is_local = mo_space == 2'd2;
  assign ret_global_valid_o = mo_valid && mo_space != 2'd1;
  retire_pack_global u_global (`WHO, .lanes(mo_lanes), .wstrb(mo_wstrb), .wdata(mo_wdata), .rdata(mo_rdata),
      .sector(is_local ? {36'd0, slot, mo_word[17:0], mo_addr[6:5]} : {29'd0, mo_addr[39:5]}),
      .access(is_local ? 8'd3 + {6'd0, mo_access} : {6'd0, mo_access}), .stamp(64'd0), .bank(8'd0),
      .record(ret_global_o));

  // Shared memory: a sector is eight banks of one row.
  wire [4:0] first = {mo_addr[6:5], 3'd0};
  wire [7:0] words = {|mo_touch[31:28], |mo_touch[27:24], |mo_touch[23:20], |mo_touch[19:16],
                      |mo_touch[15:12], |mo_touch[11:8], |mo_touch[7:4], |mo_touch[3:0]};
  wire [63:0] strobes = {4'd0, mo_wstrb[31:28], 4'd0, mo_wstrb[27:24], 4'd0, mo_wstrb[23:20], 4'd0, mo_wstrb[19:16],
                          4'd0, mo_wstrb[15:12], 4'd0, mo_wstrb[11:8], 4'd0, mo_wstrb[7:4], 4'd0, mo_wstrb[3:0]};
  assign ret_shared_valid_o = mo_valid && mo_space == 2'd1;
  retire_pack_shared u_shared (`WHO, .lanes(mo_lanes), .bank_en(32'd0 | words << first),
      .access({6'd0, mo_access}), .wdata({4{mo_wdata}}), .rdata({4{mo_rdata}}),
      .row({32{mo_addr[22:7]}}), .wstrb({4{strobes}}), .record(ret_shared_o));
endmodule
