// SPDX-License-Identifier: Apache-2.0
// Register targets of BRX, CALL.ABS and RET: from the operand beats to the target of the lowest executing lane, the lanes
// that share it, and the lanes whose target is bad (high word, no multiple of ISA_STEP, outside the code segment).
// A beat is BR_LANES lanes here: a pass of those of the machine.
// Latency: done_valid_o one cycle after the last beat, results from the cycle after it on. One beat a cycle, warps may be interleaved.
// Handshake: events. Beats of one warp ascend, so the lowest executing lane is known before any later one is compared.
// It does not judge lanes outside exec, and does not decide what happens: its results stand for `slot_i` until the next beats.
// The address of the lowest bad lane, for a trap alone, lies in block RAM, from two cycles after the last beat on: it stands in the
// cycle after it is asked for, and is zero in every other.
// `same_o` compares low words alone: it counts only when no lane is bad.
`include "heddle_idle.svh"

module divergence_target (
  input  logic                                clk_i,
  input  logic                                rst_ni,
  // from the host
  input  logic [31:0]                         code_bytes_i,
  // from issue (write port of exec and offset, before the first beat)
  input  logic                                set_valid_i,
  input  logic [cfg_pkg::WARP_W-1:0]          set_slot_i,
  input  logic [31:0]                         set_exec_i,
  input  logic                                set_adds_i,    // 0: there is no offset
  input  logic [31:0]                         set_off_i,
  // from operand
  input  logic                                op_br_valid_i,
  input  logic [cfg_pkg::WARP_W-1:0]          op_br_slot_i,
  input  logic [4:0]                          op_br_beat_i,
  input  logic [core_pkg::BR_LANES-1:0][31:0] op_br_lo_i,
  input  logic [core_pkg::BR_LANES-1:0][31:0] op_br_hi_i,
  // to the control unit
  output logic                                done_valid_o,
  output logic [cfg_pkg::WARP_W-1:0]          done_slot_o,
  input  logic [cfg_pkg::WARP_W-1:0]          slot_i,
  output logic [31:0]                         target_o,
  output logic [31:0]                         same_o,
  output logic                                any_bad_o,
  output logic [31:0]                         bad_o,
  input  logic                                addr_en_i,     // the address of addr_slot_i is asked for
  input  logic [cfg_pkg::WARP_W-1:0]          addr_slot_i,
  output logic [63:0]                         bad_addr_o
);

  localparam int unsigned LANES  = core_pkg::BR_LANES;
  localparam int unsigned WARPS  = cfg_pkg::WARPS;
  localparam int unsigned WARP_W = cfg_pkg::WARP_W;
  localparam int unsigned BEATS  = 32 / LANES;

  // ---- the beat ---------------------------------------------------------------------------------------------------------
  logic                   valid_q;
  logic [WARP_W-1:0]      slot_q;
  logic [4:0]             beat_q;
  logic [LANES-1:0][31:0] lo_q, hi_q;
  logic [31:0]            all_exec, off, kept_off;
  logic                   adds;

  always_ff @(posedge clk_i) begin
    valid_q <= rst_ni && op_br_valid_i;
    if (op_br_valid_i) begin
      slot_q <= op_br_slot_i;
      beat_q <= op_br_beat_i;
      lo_q   <= op_br_lo_i;
      hi_q   <= op_br_hi_i;
    end
  end

  // Lanes are written well before the first beat.
  ram_async #(.WIDTH(65), .DEPTH(WARPS)) u_set (
    .clk_i     (clk_i),
    .wr_en_i   (set_valid_i),
    .wr_addr_i (set_slot_i),
    .wr_data_i ({set_exec_i, set_adds_i, set_off_i}),
    .rd_addr_i (slot_q),
    .rd_data_o ({all_exec, adds, kept_off})
  );
  assign off = adds ? kept_off : '0;

  // ---- executing lanes, bad ones among them -----------------------------------------------------------------------------
  logic [LANES-1:0] exec, bad, same, first, first_bad;
  logic [32:0]      sum;
  logic [LANES-1:0][32:0] target;   // of each lane, with its carry
  logic             high;

  assign exec = valid_q ? LANES'(all_exec >> (32'(beat_q) * LANES)) : '0;

  // The high word of base + offset is zero in few cases: the offset's is 0 or -1, and there is a carry or none.
  always_comb begin
    bad    = '0;
    sum    = '0;
    high   = 1'b0;
    target = 'x;   // counts of executing lanes
    if (`HEDDLE_LIVE(valid_q)) for (int unsigned l = 0; l < LANES; l++) begin
      if (`HEDDLE_LIVE(exec[l])) begin
        sum       = {1'b0, lo_q[l]} + {1'b0, off};
        target[l] = sum;
        case ({off[31], sum[32]})
          2'b00:   high = hi_q[l] != '0;
          2'b01:   high = hi_q[l] != '1;
          2'b10:   high = hi_q[l] != 32'd1;
          default: high = hi_q[l] != '0;
        endcase
        bad[l] = exec[l] && (high || sum[core_pkg::PC_LOW-1:0] != '0 || sum[31:0] >= code_bytes_i);
      end
    end
  end

  arb_fixed #(.N(LANES)) u_first (
    .req_i   (exec),
    .grant_o (first)
  );
  arb_fixed #(.N(LANES)) u_first_bad (
    .req_i   (bad),
    .grant_o (first_bad)
  );

  // ---- the lowest executing lane's target, the lowest bad lane's address ------------------------------------------------------
  logic [WARPS-1:0] seen_q, seen_bad_q;
  logic             seen, seen_bad;
  logic [31:0]      own_lo, kept_lo, the_lo;
  logic [31:0]      own_high;
  logic [32:0]      own_low;    // with its carry

  assign seen     = beat_q != '0 && seen_q[slot_q];
  assign seen_bad = beat_q != '0 && seen_bad_q[slot_q];
  assign the_lo   = seen ? kept_lo : own_lo;

  always_comb begin
    own_lo   = '0;
    own_low  = '0;
    own_high = '0;
    if (`HEDDLE_LIVE(valid_q)) for (int unsigned l = 0; l < LANES; l++) begin
      if (first[l]) own_lo |= target[l][31:0];
      if (first_bad[l]) begin
        own_low  |= target[l];
        own_high |= hi_q[l];
      end
    end
  end
  always_comb begin
    same = '0;
    if (`HEDDLE_LIVE(valid_q)) for (int unsigned l = 0; l < LANES; l++) begin
      if (exec[l]) same[l] = target[l][31:0] == the_lo;
    end
  end

  ram_async #(.WIDTH(32), .DEPTH(WARPS)) u_lo (
    .clk_i     (clk_i),
    .wr_en_i   (valid_q && !seen),
    .wr_addr_i (slot_q),
    .wr_data_i (own_lo),
    .rd_addr_i (slot_q),
    .rd_data_o (kept_lo)
  );
  ram_async #(.WIDTH(32), .DEPTH(WARPS)) u_lo_result (
    .clk_i     (clk_i),
    .wr_en_i   (valid_q && !seen),
    .wr_addr_i (slot_q),
    .wr_data_i (own_lo),
    .rd_addr_i (slot_i),
    .rd_data_o (target_o)
  );
  // The bad address is for a trap, which comes later: which lane's it is, is known late, so it stands in a register first. An
  // instruction is taken when all of its beats have come.
  logic                       bad_valid_q, bad_minus_q;
  logic [cfg_pkg::WARP_W-1:0] bad_slot_q;
  logic [31:0]                bad_high_q;
  logic [32:0]                bad_low_q;

  always_ff @(posedge clk_i) begin
    bad_valid_q <= rst_ni && valid_q && !seen_bad;
    if (valid_q) begin
      bad_slot_q  <= slot_q;
      bad_minus_q <= off[31];
      bad_high_q  <= own_high;
      bad_low_q   <= own_low;
    end
  end

  ram_1r1w #(.WIDTH(64), .DEPTH(WARPS), .RACE(1'b1), .ZERO(1'b1)) u_bad_result (
    .clk_i     (clk_i),
    .wr_en_i   (bad_valid_q),
    .wr_addr_i (bad_slot_q),
    .wr_data_i ({bad_high_q + {32{bad_minus_q}} + 32'(bad_low_q[32]), bad_low_q[31:0]}),
    .rd_en_i   (addr_en_i),
    .rd_addr_i (addr_slot_i),
    .rd_data_o (bad_addr_o)
  );

  for (genvar b = 0; b < BEATS; b++) begin : gen_beat
    ram_async #(.WIDTH(2 * LANES), .DEPTH(WARPS)) u_masks (
      .clk_i     (clk_i),
      .wr_en_i   (valid_q && beat_q == 5'(b)),
      .wr_addr_i (slot_q),
      .wr_data_i ({bad, same}),
      .rd_addr_i (slot_i),
      .rd_data_o ({bad_o[b*LANES +: LANES], same_o[b*LANES +: LANES]})
    );
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      seen_q     <= '0;
      seen_bad_q <= '0;
    end else if (valid_q) begin
      seen_q[slot_q]     <= seen || exec != '0;
      seen_bad_q[slot_q] <= seen_bad || bad != '0;
    end
  end

  assign done_valid_o = valid_q && beat_q == 5'(BEATS - 1);
  assign done_slot_o  = slot_q;
  assign any_bad_o    = seen_bad_q[slot_i];

endmodule
