// SPDX-License-Identifier: Apache-2.0
// The end of the load/store unit: register rows, ends of instructions and traps of all pipes pass one register.
// Latency: one cycle to ls_wb; ls_done (and ls_trap) one cycle after the last row was taken. One result every cycle.
// Handshake: valid/ready from the pipes (round robin) and to writeback; ls_done and ls_trap are events.
// It does not merge rows. Every instruction has exactly one ls_done; a trap comes together with it.
`default_nettype none

module lsu_out #(
  parameter int unsigned SOURCES = 4
) (
  input  logic                                   clk_i,
  input  logic                                   rst_ni,
  // from the pipes
  input  logic [SOURCES-1:0]                     in_valid_i,
  output logic [SOURCES-1:0]                     in_ready_o,
  input  logic [SOURCES-1:0][mem_pkg::RESULT_W-1:0] in_result_i,   // mem_pkg::result_t each
  input  logic [SOURCES-1:0][cfg_pkg::LANES-1:0][31:0] in_data_i,
  // to writeback
  output logic                                   ls_wb_valid_o,
  input  logic                                   ls_wb_ready_i,
  output core_pkg::memwb_t                       ls_wb_o,
  // to issue
  output logic                                   ls_done_valid_o,
  output logic [cfg_pkg::WARP_W-1:0]             ls_done_slot_o,
  output logic [2:0]                             ls_done_wbar_o,
  output logic                                   ls_done_has_rd_o,
  output logic [7:0]                             ls_done_rd_o,
  output logic [1:0]                             ls_done_rd_n_o,
  output logic                                   ls_trap_valid_o,
  output core_pkg::trap_t                        ls_trap_o,
  // to mem_top
  output logic                                   idle_o
);

  logic [SOURCES-1:0]                               grant;
  mem_pkg::result_t                                 pick, out_q;
  logic [cfg_pkg::LANES-1:0][31:0]                  pick_data, data_q;
  logic                                             valid_q, free, take, leave;

  arb_rr #(.N(SOURCES)) u_arb (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .req_i   (in_valid_i),
    .grant_o (grant),
    .take_i  (free)
  );

  onehot_mux #(.WIDTH(mem_pkg::RESULT_W), .N(SOURCES)) u_pick (
    .sel_i  (grant),
    .data_i (in_result_i),
    .data_o (pick)
  );

  onehot_mux #(.WIDTH(cfg_pkg::LANES * 32), .N(SOURCES)) u_data (
    .sel_i  (grant),
    .data_i (in_data_i),
    .data_o (pick_data)
  );

  assign leave      = valid_q && (!out_q.row_en || ls_wb_ready_i);
  assign free       = !valid_q || leave;
  assign take       = free && in_valid_i != '0;
  assign in_ready_o = grant & {SOURCES{free}};

  always_ff @(posedge clk_i) begin
    if (take) out_q <= pick;
    if (take && pick.row_en) data_q <= pick_data;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni)   valid_q <= 1'b0;
    else if (free) valid_q <= in_valid_i != '0;
  end

  assign ls_wb_valid_o = valid_q && out_q.row_en;
  assign ls_wb_o.id    = out_q.op.id;
  assign ls_wb_o.rd    = out_q.op.rd + 8'(out_q.word);
  assign ls_wb_o.rbase = out_q.op.rbase;
  assign ls_wb_o.beat  = out_q.beat;
  assign ls_wb_o.mask  = cfg_pkg::LANES'(out_q.op.exec >> (32'(out_q.beat) * cfg_pkg::LANES));
  assign ls_wb_o.data  = data_q;

  always_ff @(posedge clk_i) begin
    if (leave) begin
      ls_done_slot_o   <= out_q.op.id.slot;
      ls_done_wbar_o   <= out_q.op.wbar;
      ls_done_has_rd_o <= mem_pkg::returns(out_q.op.mem) && out_q.op.rd != isa_pkg::RZ;
      ls_done_rd_o     <= out_q.op.rd;
      ls_done_rd_n_o   <= out_q.op.rd_n;
      ls_trap_o.cause  <= out_q.cause;
      ls_trap_o.id     <= out_q.op.id;
      ls_trap_o.pc     <= out_q.op.pc;
      ls_trap_o.lanes  <= out_q.lanes;
      ls_trap_o.addr   <= out_q.addr;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      ls_done_valid_o <= 1'b0;
      ls_trap_valid_o <= 1'b0;
    end else begin
      ls_done_valid_o <= leave && out_q.last;
      ls_trap_valid_o <= leave && out_q.last && out_q.trap;
    end
  end

  assign idle_o = !valid_q && !ls_done_valid_o;

endmodule

`default_nettype wire
