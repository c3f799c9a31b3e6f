// SPDX-License-Identifier: Apache-2.0
// Requests of an SM on their way to the banks of memory, each with its beats, in the order in which
// they came. A request is offered once it is whole: piece by piece, a beat at a time, the last of
// them with the request itself; one without beats is a piece.
// Latency: a request is offered in the cycle after it came. A piece a cycle.
// Handshake: towards the SM the request channel's rules (rtl/README.md): its credits are places of
// this queue, told one a cycle; a place is free again when its request has gone. Towards the banks
// valid and go; what is offered stays until it has gone.
// It knows nothing of answers: how much is in flight is bounded by the SM's tags.
`default_nettype none
`include "heddle_assert.svh"

module cross_queue #(
  parameter  int unsigned PLACES = (line_pkg::TAGS < 4) ? line_pkg::TAGS : 4,
  parameter  int unsigned BEATS  = line_pkg::MOST_BEATS,       // of a request at most
  localparam int unsigned ATOMS  = (line_pkg::ATOMS < PLACES) ? line_pkg::ATOMS : PLACES
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  // from and to the SM
  input  logic                    lw_valid_i,
  input  line_pkg::write_t        lw_i,
  input  logic                    lq_valid_i,
  input  line_pkg::request_t      lq_i,
  output logic                    lc_valid_o,
  output logic                    lc_atom_o,
  // to the banks
  output logic                    valid_o,
  output logic                    last_o,        // this piece ends it
  output line_pkg::request_t      lq_o,
  output logic                    lw_valid_o,    // this piece has a beat
  output line_pkg::write_t        lw_o,
  input  logic                    go_i
);

  localparam int unsigned COUNT_W = $clog2(BEATS + 1);
  localparam int unsigned OWED_W  = $clog2(PLACES + 1);
  localparam int unsigned ATOM_W  = $clog2(ATOMS + 1);
  localparam int unsigned RQ_W    = $bits(line_pkg::request_t);

  // ---- in: a request has the beats since the one before ----------------------------------------
  logic [COUNT_W-1:0] open_q, came;
  logic               room_beat, room, unused_has;
  logic [$clog2(PLACES*BEATS+1)-1:0] unused_beats;
  logic [OWED_W-1:0]                 unused_count;

  assign came = open_q + COUNT_W'(lw_valid_i);

  always_ff @(posedge clk_i) begin
    if (!rst_ni || lq_valid_i) open_q <= '0;
    else                       open_q <= came;
  end

  fifo #(.WIDTH($bits(line_pkg::write_t)), .DEPTH(PLACES * BEATS)) u_beats (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .in_valid_i  (lw_valid_i),
    .in_ready_o  (room_beat),
    .in_data_i   (lw_i),
    .out_valid_o (unused_has),
    .out_ready_i (go_i && lw_valid_o),
    .out_data_o  (lw_o),
    .count_o     (unused_beats)
  );

  // ---- the oldest stands apart from those behind it --------------------------------------------
  typedef struct packed {
    logic [COUNT_W-1:0] beats;
    line_pkg::request_t rq;
  } waits_t;

  waits_t             head_q, next;
  logic               head_valid_q, next_valid, gone, pull, past;
  logic [COUNT_W-1:0] sent_q;

  fifo #(.WIDTH(COUNT_W + RQ_W), .DEPTH(PLACES)) u_requests (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .in_valid_i  (lq_valid_i && !past),
    .in_ready_o  (room),
    .in_data_i   ({came, lq_i}),
    .out_valid_o (next_valid),
    .out_ready_i (pull),
    .out_data_o  (next),
    .count_o     (unused_count)
  );

  assign valid_o    = head_valid_q;
  assign lq_o       = head_q.rq;
  assign lw_valid_o = head_q.beats != '0;
  assign last_o     = head_q.beats <= sent_q + COUNT_W'(1);
  assign gone       = go_i && last_o;
  assign pull       = next_valid && (gone || !head_valid_q);
  assign past       = !next_valid && (gone || !head_valid_q);   // what comes now need not wait

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      head_valid_q <= 1'b0;
      sent_q       <= '0;
    end else begin
      if (gone || !head_valid_q) head_valid_q <= next_valid || lq_valid_i;
      if (go_i)                  sent_q <= last_o ? '0 : sent_q + COUNT_W'(1);
    end
  end
  always_ff @(posedge clk_i) begin
    if (pull)                    head_q <= next;
    else if (past && lq_valid_i) head_q <= '{beats: came, rq: lq_i};
  end

  // ---- credits: all places after reset, then those that have been left ---------------------------
  logic [OWED_W-1:0] owed_q;
  logic [ATOM_W-1:0] atoms_q;
  logic              gone_atom;

  assign gone_atom  = gone && lq_o.kind == line_pkg::ATOM;
  assign lc_atom_o  = atoms_q != '0;
  assign lc_valid_o = lc_atom_o || owed_q != '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      owed_q  <= OWED_W'(PLACES);
      atoms_q <= ATOM_W'(ATOMS);
    end else begin
      owed_q  <= owed_q + OWED_W'(gone) - OWED_W'(lc_valid_o && !lc_atom_o);
      atoms_q <= atoms_q + ATOM_W'(gone_atom) - ATOM_W'(lc_atom_o);
    end
  end

  // There is a place for each request and for each of its beats.
  `ASSERT(a_room, (!lq_valid_i || room) && (!lw_valid_i || room_beat))
  // No request has more beats than a place has room for.
  `ASSERT(a_beats, !lw_valid_i || 32'(open_q) < BEATS)
  // Only what is offered goes.
  `ASSERT(a_go, !go_i || valid_o)

endmodule

`default_nettype wire
