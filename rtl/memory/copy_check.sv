// SPDX-License-Identifier: Apache-2.0
// Shared addresses of asynchronous copies, beside those of global memory: in the register of address generation, then judged in
// the two stages of lsu_check, each beat in its cycle. Which of an instruction's lanes are at fault, and of the lowest the cause
// and the address, is there for a report, which counts where no global address is at fault.
// Latency: as lsu_check's. Handshake: its events (move_i, fire_i).
// It does not perform anything, nor decide: lsu_check does. Without asynchronous copies in the machine nothing of it is left.
`include "heddle_idle.svh"

module copy_check #(
  localparam int unsigned LANES = cfg_pkg::LSU_LANES,
  localparam int unsigned BEATS = cfg_pkg::LSU_BEATS
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  // from the host
  input  logic [23:0]             shared_bytes_i,
  // from operand: the first word of b of a row that is taken
  input  logic                    take_i,         // event
  input  logic [LANES-1:0][31:0]  word_i,
  // from address generation: the row that stands there
  input  logic                    ag_copy_i,      // it is a copy's
  input  logic [4:0]              ag_beat_i,
  input  logic [31:0]             ag_exec_i,
  input  logic [2:0]              ag_size_i,
  output logic [LANES-1:0][31:0]  ag_far_o,       // its shared addresses
  // from the check: it goes to the second stage, and leaves it
  input  logic                    move_i,
  input  logic                    fire_i,
  input  logic [4:0]              ck_beat_i,
  // to the check
  output logic                    cc_bad_o,     // in this beat, or in those before
  output logic [31:0]             cc_lanes_o,     // for the report, from the cycle after the last beat on
  output logic [3:0]              cc_cause_o,
  output logic [31:0]             cc_addr_o
);

  localparam int unsigned BEAT_W = mem_pkg::BEAT_W;

  logic [LANES-1:0][31:0]       far_q, addr_q;
  logic [LANES-1:0]             active, misaligned, beyond, bad_q, misaligned_q, lead;
  logic [BEATS-1:0][LANES-1:0]  lanes_q;
  logic                         fault_q, found;
  logic [3:0]                   smask;

  always_ff @(posedge clk_i) begin
    if (take_i) far_q <= word_i;
  end
  assign ag_far_o = far_q;

  // ---- first stage: each lane by itself. An aligned access ends at its address | smask. -------------
  assign smask  = mem_pkg::size_mask(ag_size_i);
  assign active = ag_copy_i ? LANES'(ag_exec_i >> (32'(ag_beat_i) * LANES)) : '0;

  always_comb begin
    misaligned = '0;
    beyond     = '0;
    `HEDDLE_ONLY(ag_copy_i) begin
      for (int unsigned l = 0; l < LANES; l++) begin
        misaligned[l] = (far_q[l][3:0] & smask) != '0;
        beyond[l]     = {far_q[l][31:4], far_q[l][3:0] | smask} >= {8'd0, shared_bytes_i};
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (move_i) begin
      bad_q        <= active & (misaligned | beyond);
      misaligned_q <= misaligned;
      addr_q       <= far_q;
    end
  end

  // ---- second stage: the first beat with a lane at fault gives kind and address -----------------------
  assign found      = fire_i && bad_q != '0 && (!fault_q || ck_beat_i == '0);
  assign lead       = bad_q & (~bad_q + LANES'(1));
  assign cc_bad_o   = cfg_pkg::HAS_ASYNC && (bad_q != '0 || (fault_q && ck_beat_i != '0));

  chosen #(.WIDTH(32), .N(LANES)) u_addr (
    .clk_i  (clk_i),
    .take_i (found),
    .sel_i  (lead),
    .data_i (addr_q),
    .data_o (cc_addr_o)
  );

  always_ff @(posedge clk_i) begin
    if (found)  cc_cause_o <= ((lead & misaligned_q) != '0) ? core_pkg::TRAP_MISALIGNED : core_pkg::TRAP_OUT_OF_RANGE;
    if (fire_i) lanes_q[BEAT_W'(ck_beat_i)] <= bad_q;
  end
  assign cc_lanes_o = lanes_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni)     fault_q <= 1'b0;
    else if (fire_i) fault_q <= cc_bad_o;
  end

endmodule
