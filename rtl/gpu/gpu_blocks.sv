// SPDX-License-Identifier: Apache-2.0
// The blocks of a grid for all SMs: one walker, and its next block goes to an SM that has room for one,
// in turns. An SM has a block in hand until it takes it.
// Latency: with one SM none but the walker's. With several a block is in hand a cycle after it was
// asked for, and a block leaves the walker every two cycles at most.
// Handshake: ct_begin_i and ct_done_i are events, the former of all SMs in the same cycle; ct_ask_i is
// a level; a block valid/take. The grid is done when each SM has said so, once; an SM may as soon as
// none is left for it. After that all is as after a reset, and the next grid may begin.
// It does not count room. A launch that is impossible all SMs refuse together.
`include "heddle_assert.svh"

module gpu_blocks #(
  parameter int unsigned N = cfg_pkg::SMS
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,
  // from the host
  input  logic [2:0][31:0]            grid_i,      // x at index 0
  // from and to the SMs
  input  logic [N-1:0]                ct_begin_i,
  input  logic [N-1:0]                ct_ask_i,
  output logic [N-1:0]                gb_valid_o,
  output logic [N-1:0][2:0][31:0]     gb_ctaid_o,
  output logic [N-1:0]                gb_over_o,
  input  logic [N-1:0]                ct_take_i,
  input  logic [N-1:0]                ct_done_i,
  /* verilator lint_off UNUSEDSIGNAL */   // of several the first's
  input  logic [N-1:0][3:0]           ct_refuse_i,
  /* verilator lint_on UNUSEDSIGNAL */
  // to the host
  output logic                        grid_done_o,
  output logic [3:0]                  ct_refuse_o
);

  logic             walk_valid, walk_take, over;
  logic [2:0][31:0] ctaid;

  grid_walk u_walk (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .grid_i  (grid_i),
    .begin_i (ct_begin_i[0]),
    .valid_o (walk_valid),
    .ctaid_o (ctaid),
    .take_i  (walk_take),
    .over_o  (over)
  );

  assign ct_refuse_o = ct_refuse_i[0];   // that of all

  if (N == 1) begin : gen_wires
    assign gb_valid_o  = walk_valid;
    assign gb_ctaid_o  = ctaid;
    assign gb_over_o   = over;
    assign walk_take   = ct_take_i[0];
    assign grid_done_o = ct_done_i[0];
    logic unused;
    assign unused      = &{1'b0, ct_ask_i};
  end else begin : gen_turns
    logic [N-1:0]            want, give, valid_q, done_q;
    logic [N-1:0][2:0][31:0] ctaid_q;

    assign want = ct_ask_i & ~valid_q & {N{walk_valid}};

    arb_rr #(.N(N)) u_turn (
      .clk_i   (clk_i),
      .rst_ni  (rst_ni && !ct_begin_i[0]),   // each grid begins with SM 0
      .req_i   (want),
      .grant_o (give),
      .take_i  (want != '0)
    );
    assign walk_take = want != '0;

    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        valid_q <= '0;
        done_q  <= '0;
      end else begin
        valid_q <= (valid_q & ~ct_take_i) | give;
        done_q  <= grid_done_o ? '0 : done_q | ct_done_i;
      end
    end
    always_ff @(posedge clk_i) begin
      for (int unsigned s = 0; s < N; s++) if (give[s]) ctaid_q[s] <= ctaid;
    end

    assign gb_valid_o  = valid_q;
    assign gb_ctaid_o  = ctaid_q;
    assign gb_over_o   = {N{over}} & ~valid_q;
    assign grid_done_o = done_q == '1;

    // All begin together.
    `ASSERT(a_begin, ct_begin_i == '0 || ct_begin_i == '1)
    // Only a block in hand is taken.
    `ASSERT(a_take, (ct_take_i & ~valid_q) == '0)
  end

endmodule
