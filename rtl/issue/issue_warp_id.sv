// SPDX-License-Identifier: Apache-2.0
// Who the warp in S1 is: its slot, generation and sequence number, its first register row, its
// block.
// Latency: generation and block are read with the selection, the rest in S1; the number counts up
// with an issue (act_i.go).
// No handshake. A warp is not selected in the cycle of its start.
// It does not know a warp's threads: operand has them.
module issue_warp_id (
  input  logic                        clk_i,
  input  logic                        rst_ni,
  input  logic [cfg_pkg::PART_W-1:0]  part_i,
  // from the dispatcher
  input  logic                        ct_start_valid_i,
  input  core_pkg::start_t            ct_start_i,
  input  logic [cfg_pkg::WARPS-1:0]   start_i,         // the same as a vector
  // from S0 and S1
  input  stage_pkg::pick_t            pick_i,
  input  stage_pkg::s1_t              s1_i,
  input  stage_pkg::act_t             act_i,
  // to S1
  output stage_pkg::who_t             who_o
);

  localparam int unsigned WARPS = cfg_pkg::WARPS;

  logic [15:0]      rbase;
  logic [7:0]       gen;
  logic [2:0][31:0] ctaid;
  logic [31:0]      kept, seq;
  logic [WARPS-1:0] fresh_q;
  core_pkg::id_t    id;

  ram_async #(.WIDTH(16), .DEPTH(WARPS)) u_rbase (
    .clk_i     (clk_i),
    .wr_en_i   (ct_start_valid_i),
    .wr_addr_i (core_pkg::local_slot(ct_start_i.slot)),
    .wr_data_i (ct_start_i.rbase),
    .rd_addr_i (s1_i.slot),
    .rd_data_o (rbase)
  );
  // The block S2R alone asks for.
  ram_apart #(.WIDTH(104), .DEPTH(WARPS)) u_ctaid (
    .clk_i     (clk_i),
    .rst_ni    (rst_ni),
    .wr_en_i   (ct_start_valid_i),
    .wr_addr_i (core_pkg::local_slot(ct_start_i.slot)),
    .wr_data_i ({ct_start_i.gen, ct_start_i.ctaid_z, ct_start_i.ctaid_y, ct_start_i.ctaid_x}),
    .rd_en_i   (pick_i.any),
    .rd_addr_i (pick_i.slot),
    .rd_data_o ({gen, ctaid})
  );
  ram_async #(.WIDTH(32), .DEPTH(WARPS)) u_seq (
    .clk_i     (clk_i),
    .wr_en_i   (act_i.go),
    .wr_addr_i (s1_i.slot),
    .wr_data_i (seq + 32'd1),
    .rd_addr_i (s1_i.slot),
    .rd_data_o (kept)
  );
  assign seq = fresh_q[s1_i.slot] ? '0 : kept;

  // Nothing of it has issued since it started.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) fresh_q <= '0;
    else         fresh_q <= (fresh_q & ~(act_i.go ? s1_i.here : '0)) | start_i;
  end

  assign id    = '{slot: core_pkg::sm_slot(s1_i.slot, part_i), gen: gen, seq: seq};
  assign who_o = '{rbase: rbase, id: id, ctaid: ctaid};

  // Fields that concern others.
  logic unused;
  assign unused = ^{ct_start_i, pick_i, s1_i, act_i};

endmodule
