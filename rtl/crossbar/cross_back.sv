// SPDX-License-Identifier: Apache-2.0
// What the banks have for one SM: beats that were read, and answers, a turn for each bank. A bank
// shows an answer that ends a request only after its beats have been taken, so that none overtakes
// another here.
// Latency: combinational. A beat and an answer a cycle.
// Handshake: valid/ready towards the banks; to the SM beats are events, answers valid/ready. An
// answer that is offered stays until it is taken.
// It does not look at what it passes on but for whose it is.
`include "heddle_assert.svh"

module cross_back #(
  parameter  int unsigned N    = 1,                           // banks
  localparam int unsigned LD_W = $bits(line_pkg::bank_read_t),
  localparam int unsigned LA_W = $bits(line_pkg::bank_answer_t)
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  // from and to the banks: what is for this SM
  input  logic [N-1:0]            ld_valid_i,
  output logic [N-1:0]            ld_ready_o,
  input  logic [N-1:0][LD_W-1:0]  ld_i,           // line_pkg::bank_read_t each
  input  logic [N-1:0]            la_valid_i,
  output logic [N-1:0]            la_ready_o,
  input  logic [N-1:0][LA_W-1:0]  la_i,           // line_pkg::bank_answer_t each
  // to and from the SM
  output logic                    ld_valid_o,
  output line_pkg::read_t         ld_o,
  output logic                    la_valid_o,
  input  logic                    la_ready_i,
  output line_pkg::answer_t       la_o
);

  /* verilator lint_off UNUSEDSIGNAL */   // of their tags, what is the SM's
  line_pkg::bank_read_t   ld;
  line_pkg::bank_answer_t la;
  /* verilator lint_on UNUSEDSIGNAL */

  assign ld_valid_o = ld_valid_i != '0;
  assign la_valid_o = la_valid_i != '0;
  assign ld_o = '{tag: line_pkg::TAG_W'(ld.tag), beat: ld.beat, data: ld.data};
  assign la_o = '{tag: line_pkg::TAG_W'(la.tag), done: la.done, err: la.err, lane: la.lane, old: la.old};

  if (N == 1) begin : gen_wires
    assign ld         = ld_i[0];
    assign la         = la_i[0];
    assign ld_ready_o = 1'b1;
    assign la_ready_o = la_ready_i;
    logic unused;
    assign unused     = &{1'b0, clk_i, rst_ni};
  end else begin : gen_turns
    logic [N-1:0] ld_pick, la_ask, la_pick, la_held_q;

    arb_rr #(.N(N)) u_beat (
      .clk_i   (clk_i),
      .rst_ni  (rst_ni),
      .req_i   (ld_valid_i),
      .grant_o (ld_pick),
      .take_i  (ld_valid_o)
    );
    onehot_mux #(.N(N), .WIDTH(LD_W)) u_ld (
      .sel_i  (ld_pick),
      .data_i (ld_i),
      .data_o (ld)
    );
    assign ld_ready_o = ld_pick;

    assign la_ask = (la_held_q != '0) ? la_held_q : la_valid_i;
    arb_rr #(.N(N)) u_answer (
      .clk_i   (clk_i),
      .rst_ni  (rst_ni),
      .req_i   (la_ask),
      .grant_o (la_pick),
      .take_i  (la_valid_o && la_ready_i)
    );
    onehot_mux #(.N(N), .WIDTH(LA_W)) u_la (
      .sel_i  (la_pick),
      .data_i (la_i),
      .data_o (la)
    );
    assign la_ready_o = la_ready_i ? la_pick : '0;

    always_ff @(posedge clk_i) begin
      if (!rst_ni) la_held_q <= '0;
      else         la_held_q <= (la_valid_o && !la_ready_i) ? la_pick : '0;
    end

    // What is offered stays until it is taken.
    `ASSUME(a_held, (la_held_q & ~la_valid_i) == '0)
  end

endmodule
