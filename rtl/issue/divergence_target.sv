// SPDX-License-Identifier: Apache-2.0
// Register targets of BRX, CALL.ABS and RET: from the operand beats to the target of the lowest executing lane, the lanes
// that share it, and the lanes whose target is bad (high word, multiple of 16, inside the code segment).
// Latency: done_valid_o three cycles after the last beat. One beat a cycle, warps may be interleaved.
// Handshake: events. Beats of one warp ascend, so the lowest executing lane is known before any later one is compared.
// It does not judge lanes outside exec, and does not decide what happens: its results stand for `slot_i` until the next beats.
`default_nettype none

module divergence_target (
  input  logic                                clk_i,
  input  logic                                rst_ni,
  // from the host
  input  logic [31:0]                         code_bytes_i,
  // from issue (write port of exec and offset, before the first beat)
  input  logic                                set_valid_i,
  input  logic [cfg_pkg::WARP_W-1:0]          set_slot_i,
  input  logic [31:0]                         set_exec_i,
  input  logic [31:0]                         set_off_i,
  // from operand
  input  logic                                op_br_valid_i,
  input  logic [cfg_pkg::WARP_W-1:0]          op_br_slot_i,
  input  logic [4:0]                          op_br_beat_i,
  input  logic [cfg_pkg::LANES-1:0][31:0]     op_br_lo_i,
  input  logic [cfg_pkg::LANES-1:0][31:0]     op_br_hi_i,
  // to the control unit
  output logic                                done_valid_o,
  output logic [cfg_pkg::WARP_W-1:0]          done_slot_o,
  input  logic [cfg_pkg::WARP_W-1:0]          slot_i,
  output logic [31:0]                         target_o,
  output logic [31:0]                         same_o,
  output logic [31:0]                         bad_o,
  output logic [63:0]                         bad_addr_o
);

  localparam int unsigned LANES  = cfg_pkg::LANES;
  localparam int unsigned WARPS  = cfg_pkg::WARPS;
  localparam int unsigned WARP_W = cfg_pkg::WARP_W;
  localparam logic [4:0]  LAST   = 5'(cfg_pkg::BEATS - 1);

  // Stage 1: the beat stands in registers; add the offset.
  logic                   t1_valid_q;
  logic [WARP_W-1:0]      t1_slot_q;
  logic [4:0]             t1_beat_q;
  logic [LANES-1:0][63:0] t1_base_q, t1_sum;
  logic [31:0]            t1_exec, t1_off;

  ram_async #(.WIDTH(64), .DEPTH(WARPS)) u_set (
    .clk_i     (clk_i),
    .wr_en_i   (set_valid_i),
    .wr_addr_i (set_slot_i),
    .wr_data_i ({set_exec_i, set_off_i}),
    .rd_addr_i (t1_slot_q),
    .rd_data_o ({t1_exec, t1_off})
  );

  for (genvar l = 0; l < LANES; l++) begin : gen_sum
    assign t1_sum[l] = t1_base_q[l] + {{32{t1_off[31]}}, t1_off};
  end

  // Stage 2: bad lanes; the target of the lowest executing lane.
  logic                   t2_valid_q;
  logic [WARP_W-1:0]      t2_slot_q;
  logic [4:0]             t2_beat_q;
  logic [LANES-1:0][63:0] t2_sum_q;
  logic [LANES-1:0]       t2_exec_q, t2_bad, t2_first, t2_bad_first;
  logic [31:0]            t2_target, t2_kept_target, t2_own_target;
  logic [63:0]            t2_bad_addr, t2_kept_bad_addr, t2_own_bad_addr;
  logic [WARPS-1:0]       seen_q, seen_bad_q;
  logic                   t2_seen, t2_seen_bad;

  for (genvar l = 0; l < LANES; l++) begin : gen_bad
    assign t2_bad[l] = t2_exec_q[l] && (t2_sum_q[l][63:32] != '0 || t2_sum_q[l][3:0] != '0
                                        || t2_sum_q[l][31:0] >= code_bytes_i);
  end

  arb_fixed #(.N(LANES)) u_first (
    .req_i   (t2_exec_q),
    .grant_o (t2_first)
  );
  arb_fixed #(.N(LANES)) u_bad_first (
    .req_i   (t2_bad),
    .grant_o (t2_bad_first)
  );

  always_comb begin
    t2_own_target   = '0;
    t2_own_bad_addr = '0;
    for (int unsigned l = 0; l < LANES; l++) begin
      t2_own_target   |= t2_sum_q[l][31:0] & {32{t2_first[l]}};
      t2_own_bad_addr |= t2_sum_q[l] & {64{t2_bad_first[l]}};
    end
  end

  ram_async #(.WIDTH(96), .DEPTH(WARPS)) u_kept (
    .clk_i     (clk_i),
    .wr_en_i   (t2_valid_q),
    .wr_addr_i (t2_slot_q),
    .wr_data_i ({t2_bad_addr, t2_target}),
    .rd_addr_i (t2_slot_q),
    .rd_data_o ({t2_kept_bad_addr, t2_kept_target})
  );
  ram_async #(.WIDTH(96), .DEPTH(WARPS)) u_result (
    .clk_i     (clk_i),
    .wr_en_i   (t2_valid_q),
    .wr_addr_i (t2_slot_q),
    .wr_data_i ({t2_bad_addr, t2_target}),
    .rd_addr_i (slot_i),
    .rd_data_o ({bad_addr_o, target_o})
  );

  assign t2_seen     = t2_beat_q != '0 && seen_q[t2_slot_q];
  assign t2_seen_bad = t2_beat_q != '0 && seen_bad_q[t2_slot_q];
  assign t2_target   = t2_seen ? t2_kept_target : t2_own_target;
  assign t2_bad_addr = t2_seen_bad ? t2_kept_bad_addr : t2_own_bad_addr;

  // Stage 3: lanes that share the target, gathered over the beats.
  logic                   t3_valid_q;
  logic [WARP_W-1:0]      t3_slot_q;
  logic [4:0]             t3_beat_q;
  logic [LANES-1:0][31:0] t3_sum_q;
  logic [LANES-1:0]       t3_exec_q, t3_bad_q, t3_same;
  logic [31:0]            t3_target_q, t3_kept_same, t3_kept_bad, t3_all_same, t3_all_bad;

  for (genvar l = 0; l < LANES; l++) begin : gen_same
    assign t3_same[l] = t3_exec_q[l] && t3_sum_q[l] == t3_target_q;
  end

  assign t3_all_same = ((t3_beat_q == '0) ? '0 : t3_kept_same) | (32'(t3_same) << (32'(t3_beat_q) * LANES));
  assign t3_all_bad  = ((t3_beat_q == '0) ? '0 : t3_kept_bad) | (32'(t3_bad_q) << (32'(t3_beat_q) * LANES));

  ram_async #(.WIDTH(64), .DEPTH(WARPS)) u_masks (
    .clk_i     (clk_i),
    .wr_en_i   (t3_valid_q),
    .wr_addr_i (t3_slot_q),
    .wr_data_i ({t3_all_bad, t3_all_same}),
    .rd_addr_i (t3_slot_q),
    .rd_data_o ({t3_kept_bad, t3_kept_same})
  );
  ram_async #(.WIDTH(64), .DEPTH(WARPS)) u_masks_result (
    .clk_i     (clk_i),
    .wr_en_i   (t3_valid_q),
    .wr_addr_i (t3_slot_q),
    .wr_data_i ({t3_all_bad, t3_all_same}),
    .rd_addr_i (slot_i),
    .rd_data_o ({bad_o, same_o})
  );

  assign done_valid_o = t3_valid_q && t3_beat_q == LAST;
  assign done_slot_o  = t3_slot_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      t1_valid_q <= 1'b0;
      t2_valid_q <= 1'b0;
      t3_valid_q <= 1'b0;
      seen_q     <= '0;
      seen_bad_q <= '0;
    end else begin
      t1_valid_q <= op_br_valid_i;
      t2_valid_q <= t1_valid_q;
      t3_valid_q <= t2_valid_q;
      if (t2_valid_q) begin
        seen_q[t2_slot_q]     <= t2_seen || t2_exec_q != '0;
        seen_bad_q[t2_slot_q] <= t2_seen_bad || t2_bad != '0;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    t1_slot_q <= op_br_slot_i;
    t1_beat_q <= op_br_beat_i;
    for (int unsigned l = 0; l < LANES; l++) begin
      t1_base_q[l] <= {op_br_hi_i[l], op_br_lo_i[l]};
      t3_sum_q[l]  <= t2_sum_q[l][31:0];
    end
    t2_slot_q   <= t1_slot_q;
    t2_beat_q   <= t1_beat_q;
    t2_sum_q    <= t1_sum;
    t2_exec_q   <= LANES'(t1_exec >> (32'(t1_beat_q) * LANES));
    t3_slot_q   <= t2_slot_q;
    t3_beat_q   <= t2_beat_q;
    t3_exec_q   <= t2_exec_q;
    t3_bad_q    <= t2_bad;
    t3_target_q <= t2_target;
  end

endmodule

`default_nettype wire
