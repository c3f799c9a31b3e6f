// SPDX-License-Identifier: Apache-2.0
// Arbiter of N streams: joins them into one, in turns. A turn is one transfer, or several: all up to the one with last_i.
// Latency: none. A transfer a cycle; a valid stream has its turn at the latest after all others.
// Handshake: valid/ready on both sides. With HOLD a choice stays until its turn ends, even while its stream is not valid. Without
// it, a valid stream nearer to the turn replaces a choice that has not been taken.
// It does not look at the payload, nor keep any. With one stream it is wires.
`include "heddle_assert.svh"

module stream_arb #(
  parameter int unsigned N     = 2,
  parameter int unsigned WIDTH = 32,
  parameter bit          HOLD  = 1'b1
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  // from the streams
  input  logic [N-1:0]            valid_i,
  output logic [N-1:0]            ready_o,
  input  logic [N-1:0][WIDTH-1:0] data_i,
  // to the one
  output logic                    valid_o,
  input  logic                    ready_i,
  input  logic                    last_i,      // the offered transfer ends the turn
  output logic [WIDTH-1:0]        data_o,
  output logic [N-1:0]            sel_o        // the stream that has the turn, one-hot; 0: none
);

  if (N == 1) begin : gen_wires
    assign valid_o = valid_i;
    assign ready_o = ready_i;
    assign data_o  = data_i;
    assign sel_o   = valid_i;
    logic unused;
    assign unused  = &{1'b0, clk_i, rst_ni, last_i};
  end else begin : gen_turns
    logic [N-1:0] held_q, pick;
    logic         done;

    arb_rr #(.N(N)) u_turn (
      .clk_i   (clk_i),
      .rst_ni  (rst_ni),
      .req_i   ((held_q != '0) ? held_q : valid_i),
      .grant_o (pick),
      .take_i  (done)
    );
    onehot_mux #(.N(N), .WIDTH(WIDTH)) u_data (
      .sel_i  (pick),
      .data_i (data_i),
      .data_o (data_o)
    );
    assign valid_o = (pick & valid_i) != '0;
    assign ready_o = ready_i ? pick : '0;
    assign sel_o   = pick;
    assign done    = valid_o && ready_i && last_i;

    always_ff @(posedge clk_i) begin
      if (!rst_ni) held_q <= '0;
      else         held_q <= (HOLD && !done) ? pick : '0;
    end

    // A stream that is offered and not taken stays valid.
    logic [N-1:0] offered_q;
    always_ff @(posedge clk_i) offered_q <= (rst_ni && HOLD && valid_o && !ready_i) ? pick : '0;
    `ASSUME(a_held, (offered_q & ~valid_i) == '0)

    // Turns are fair: while one is valid, no other has two.
    logic [N-1:0][N-1:0] before_q;   // of each valid stream: those with a turn since
    logic [N-1:0]        unfair, ends;
    assign ends = done ? pick : '0;
    always_comb begin
      for (int unsigned n = 0; n < N; n++) unfair[n] = valid_i[n] && (ends & before_q[n]) != '0;
    end
    always_ff @(posedge clk_i) begin
      for (int unsigned n = 0; n < N; n++) begin
        if (!rst_ni || !valid_i[n] || ends[n]) before_q[n] <= '0;
        else                                   before_q[n] <= before_q[n] | ends;
      end
    end
    `ASSERT(a_fair, unfair == '0)
  end

endmodule
