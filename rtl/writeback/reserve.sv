// SPDX-License-Identifier: Apache-2.0
// Reservation table: which register-file write ports are taken in each of the coming cycles, and the destinations of the
// beats on their way there.
// Latency: rs_ok_o combinational. A beat taken in cycle t (its last words are read) is on the dispatch bus in t+2 and at its port
// in t+1+LATENCY of its pipe. With two readers or row queues there are two lines of beats, of alu with cvt and of fma. One that
// leaves its queue in t comes to its pipe in t+1, and is at its port in t+LATENCY. Where two that are taken in one cycle want one
// port in one cycle, that of fma waits; and of two readers it waits, too, while a beat of the other one has been refused for long.
// No handshake: a beat that is taken owns its ports; one that is not ok waits, and all that is younger with it.
// It does not carry data, does not reserve the predicate port (alu and half write there, equally late and so in order),
// and has no late results: they use ports that are free in the same cycle.
`include "heddle_assert.svh"

module reserve #(
  localparam int unsigned BANKS = cfg_pkg::BANKS,
  localparam int unsigned PIPES = cfg_pkg::PIPES,
  localparam int unsigned LINES = core_pkg::LINES
) (
  input  logic                          clk_i,
  input  logic                          rst_ni,
  // to and from the operand stage: the next beat, and that it is taken
  input  logic [LINES-1:0][bus_pkg::CLAIM_W-1:0] op_claim_i,   // claim_t each
  input  logic [LINES-1:0]              op_take_i,
  output logic [LINES-1:0]              rs_ok_o,
  // from the dispatch bus, two cycles after the take, or from the queues, one cycle after it: with one line both are the same
  input  logic                          op_alu_valid_i,
  input  back_pkg::dest_t               op_alu_dest_i,
  input  logic                          op_fma_valid_i,
  input  back_pkg::dest_t               op_fma_dest_i,
  // from writeback: a late result has waited long for this bank, or for the predicate port: give it the next free cycle
  input  logic [cfg_pkg::BANKS-1:0]     wb_starved_i,
  input  logic                          wb_pred_starved_i,
  // to writeback: the banks whose ports fixed results have now; the beat whose results stand at the end of each pipe
  output logic [BANKS-1:0]              rs_taken_o,
  output logic [PIPES-1:0]              rs_valid_o,
  output logic [PIPES-1:0][back_pkg::DEST_W-1:0] rs_dest_o,  // dest_t each
  output logic                          rs_pred_o       // the one at alu's has its predicates now, alu's or half's
);

  localparam int unsigned LAT_MAX = cfg_pkg::LATENCY_MAX;
  localparam int unsigned LEAD    = core_pkg::QUEUED ? 0 : 1;   // cycles from a beat's take to the cycle before it is on the bus

  // taken_q[p]: ports taken in the cycle p from now.
  logic [LAT_MAX+LEAD:0][BANKS-1:0]  taken_q, taken_now;
  logic [PIPES-1:0][BANKS-1:0]       slot_taken;
  bus_pkg::claim_t                   claim [LINES];
  logic [LINES:0][PIPES-1:0][BANKS-1:0] below;   // ports at a pipe's latency that lines below want now, whether they have them or not

  for (genvar k = 0; k < LINES; k++) begin : gen_claim
    assign claim[k] = op_claim_i[k];
  end

  always_comb begin
    below = '0;
    for (int unsigned k = 0; k < LINES; k++) begin
      below[k+1] = below[k];
      for (int unsigned p = 0; p < PIPES; p++) begin
        for (int unsigned q = 0; q < PIPES; q++) begin
          if (LINES > 1 && cfg_pkg::PIPE_LATENCY[p] == cfg_pkg::PIPE_LATENCY[q] && claim[k].pipe[q]) below[k+1][p] |= claim[k].ports;
        end
      end
    end
  end

  // fma reserves longer ahead than alu does, and so could keep a port for itself without end: after eight refusals no more of it.
  logic [BANKS-1:0] kept;
  if (core_pkg::READERS > 1) begin : gen_kept
    logic [3:0] refused_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni || op_take_i[0])                                          refused_q <= '0;
      else if (claim[0].pipe != '0 && !rs_ok_o[0] && !refused_q[3]) refused_q <= refused_q + 4'd1;
    end
    assign kept = refused_q[3] ? claim[0].ports : '0;
  end else begin : gen_queued
    assign kept = '0;
  end

  always_comb begin
    for (int unsigned p = 0; p < PIPES; p++) slot_taken[p] = taken_q[cfg_pkg::PIPE_LATENCY[p]+LEAD] | wb_starved_i;
    for (int unsigned k = 0; k < LINES; k++) begin
      rs_ok_o[k] = !(claim[k].preds && wb_pred_starved_i);
      for (int unsigned p = 0; p < PIPES; p++) begin
        if (claim[k].pipe[p] && (claim[k].ports & (slot_taken[p] | below[k][p])) != '0) rs_ok_o[k] = 1'b0;
      end
      if (k > 0 && (claim[k].ports & kept) != '0) rs_ok_o[k] = 1'b0;
    end
  end

  always_comb begin
    taken_now = taken_q;
    for (int unsigned k = 0; k < LINES; k++) begin
      for (int unsigned p = 0; p < PIPES; p++) begin
        if (op_take_i[k] && claim[k].pipe[p]) taken_now[cfg_pkg::PIPE_LATENCY[p]+LEAD] |= claim[k].ports;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) taken_q <= '0;
    else         taken_q <= {BANKS'(0), taken_now[LAT_MAX+LEAD:1]};
  end

  assign rs_taken_o = taken_q[0];

  // The beats of each line on their way; with one line that of the bus.
  for (genvar k = 0; k < LINES; k++) begin : gen_line
    // stage s: the beat dispatched s cycles ago; stage 0 is the dispatch register itself.
    logic [LAT_MAX-1:0] valid;
    back_pkg::dest_t    dest [LAT_MAX];
    logic [LAT_MAX-1:1] valid_q;

    assign valid   = {valid_q, (k == 0) ? op_alu_valid_i : op_fma_valid_i};
    assign dest[0] = (k == 0) ? op_alu_dest_i : op_fma_dest_i;

    always_ff @(posedge clk_i) begin
      if (!rst_ni) valid_q <= '0;
      else         valid_q <= valid[LAT_MAX-2:0];
    end

    for (genvar s = 0; s < LAT_MAX - 1; s++) begin : gen_stage
      back_pkg::dest_t dest_q;
      always_ff @(posedge clk_i) begin
        if (valid[s]) dest_q <= dest[s];
      end
      assign dest[s+1] = dest_q;
    end

    for (genvar p = 0; p < PIPES; p++) begin : gen_pipe
      localparam int unsigned AT = cfg_pkg::PIPE_LATENCY[p] - 1;
      back_pkg::dest_t at_end;
      assign at_end = dest[AT];
      if (core_pkg::line_of(p) == k) begin : gen_here
        assign rs_valid_o[p] = valid[AT] && at_end.pipe[p];
        assign rs_dest_o[p]  = at_end;
      end
      logic unused;
      assign unused = ^at_end;
    end

    if (k == 0) begin : gen_pred
      localparam int unsigned PRED_AT = cfg_pkg::PIPE_LATENCY[cfg_pkg::PIPE_ALU] - 1;
      back_pkg::dest_t with_pred;
      assign with_pred = dest[PRED_AT];
      assign rs_pred_o = valid[PRED_AT] && (with_pred.pipe & back_pkg::PREDS) != '0;
      logic unused_pred;
      assign unused_pred = ^with_pred;
    end
  end

  // With one line that of fma is the same.
  logic unused_line;
  assign unused_line = ^{op_fma_valid_i, op_fma_dest_i};

  // Only a beat whose ports are free is taken.
  `ASSERT(a_take, (op_take_i & ~rs_ok_o) == '0)

endmodule
