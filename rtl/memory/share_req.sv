// SPDX-License-Identifier: Apache-2.0
// One request port for the N partitions of an SM, with answers in the order of the requests: a turn for each, and a list of who
// asked.
// Latency: none either way. A request and an answer a cycle; whoever asks is taken after all others at the latest.
// Handshake: requests valid/ready, held until taken on both sides; answers are events. OWED answers at the most are awaited.
// It does not look at requests or answers. With one partition it is wires.
`default_nettype none
`include "heddle_assert.svh"

module share_req #(
  parameter int unsigned N     = 2,
  parameter int unsigned WIDTH = 32,
  parameter int unsigned OWED  = 8
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  // from the partitions
  input  logic [N-1:0]            req_valid_i,
  output logic [N-1:0]            req_ready_o,
  input  logic [N-1:0][WIDTH-1:0] req_i,
  // to whom they share
  output logic                    valid_o,
  input  logic                    ready_i,
  output logic [WIDTH-1:0]        req_o,
  // from there, and to who asked
  input  logic                    rsp_valid_i,
  output logic [N-1:0]            rsp_valid_o
);

  if (N == 1) begin : gen_wires
    assign valid_o     = req_valid_i[0];
    assign req_ready_o = ready_i;
    assign req_o       = req_i[0];
    assign rsp_valid_o = rsp_valid_i;
    logic unused;
    assign unused      = &{1'b0, clk_i, rst_ni};
  end else begin : gen_share
    logic [N-1:0]              pick, ask, held_q, who;
    logic                      room, any;
    logic [$clog2(OWED+1)-1:0] unused_count;

    arb_rr #(.N(N)) u_turn (
      .clk_i   (clk_i),
      .rst_ni  (rst_ni),
      .req_i   (ask),
      .grant_o (pick),
      .take_i  (valid_o && ready_i)
    );

    // Who was offered stays until taken, and only then has had his turn.
    assign ask     = (held_q != '0) ? held_q : req_valid_i;
    assign valid_o = pick != '0 && room;

    always_ff @(posedge clk_i) begin
      if (!rst_ni) held_q <= '0;
      else         held_q <= (valid_o && !ready_i) ? pick : '0;
    end

    onehot_mux #(.N(N), .WIDTH(WIDTH)) u_req (
      .sel_i  (pick),
      .data_i (req_i),
      .data_o (req_o)
    );
    assign req_ready_o = (valid_o && ready_i) ? pick : '0;

    fifo #(.WIDTH(N), .DEPTH(OWED)) u_owed (
      .clk_i       (clk_i),
      .rst_ni      (rst_ni),
      .in_valid_i  (valid_o && ready_i),
      .in_ready_o  (room),
      .in_data_i   (pick),
      .out_valid_o (any),
      .out_ready_i (rsp_valid_i),
      .out_data_o  (who),
      .count_o     (unused_count)
    );
    assign rsp_valid_o = rsp_valid_i ? who : '0;

    // An answer belongs to a request.
    `ASSERT(a_owed, !rsp_valid_i || any)

    // Turns are fair: while one waits, nobody else is served twice.
    logic [N-1:0][N-1:0] before_q;   // of each who waits: who has been served since
    logic [N-1:0]        unfair;
    always_comb begin
      unfair = '0;
      for (int unsigned p = 0; p < N; p++) unfair[p] = req_valid_i[p] && (req_ready_o & before_q[p]) != '0;
    end
    always_ff @(posedge clk_i) begin
      for (int unsigned p = 0; p < N; p++) begin
        if (!rst_ni || !req_valid_i[p] || req_ready_o[p]) before_q[p] <= '0;
        else                                              before_q[p] <= before_q[p] | req_ready_o;
      end
    end
    `ASSERT(a_fair, unfair == '0)
  end

endmodule

`default_nettype wire
