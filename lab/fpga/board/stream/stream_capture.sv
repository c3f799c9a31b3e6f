// SPDX-License-Identifier: Apache-2.0
// Which sources showed something, and when: an entry for each cycle that did, or after very many that did not.
// Latency: a taken entry comes one cycle after take_i. Throughput: an entry a cycle.
// Handshake: events in; take_i only while not empty_o. A cycle for which there is no room is lost as a whole: lost_o
// holds from then on, and nothing is kept until resume_i.
// It does not hold records: push_o says that those of this cycle are kept.
module stream_capture #(
  parameter int unsigned DEPTH = 512,
  parameter int unsigned LIMIT = 64
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  input  logic                    start_i,    // of a launch: cycle 0
  input  logic                    resume_i,   // from this cycle on everything is kept again
  input  logic                    stop_i,     // nothing is kept until the next start
  input  stream_pkg::sources_t    valid_i,
  input  logic                    full_i,     // of a source
  output logic                    push_o,
  output logic                    lost_o,
  output logic [63:0]             cycle_o,    // of this launch
  // to the encoder
  input  logic                    take_i,
  output stream_pkg::tag_t        tag_o,
  output logic                    empty_o,
  output logic                    deep_o
);

  localparam int unsigned TAG_W = 8 * (($bits(stream_pkg::tag_t) + 7) / 8);

  logic                          on_q, lost_q, full, wanted, room;
  logic [63:0]                   cycle_q;
  logic [stream_pkg::GAP_W-1:0]  gap_q;
  logic [TAG_W-1:0]              tag;

  // A gap that its bits cannot hold gets an entry without a source.
  assign wanted = valid_i != '0 || gap_q == '1;
  assign room   = !full && !full_i;
  assign push_o = on_q && wanted && room;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      on_q   <= 1'b0;
      lost_q <= 1'b0;
    end else begin
      if (start_i || resume_i)            on_q <= 1'b1;
      else if (stop_i)                    on_q <= 1'b0;
      else if (on_q && wanted && !room)   on_q <= 1'b0;
      if (start_i || resume_i)            lost_q <= 1'b0;
      else if (on_q && wanted && !room)   lost_q <= 1'b1;
    end
    cycle_q <= start_i ? 64'd0 : cycle_q + 64'd1;
    gap_q   <= (start_i || resume_i) ? '0 : push_o ? stream_pkg::GAP_W'(1) : gap_q + 1'b1;
  end

  stream_queue #(.WIDTH(TAG_W), .DEPTH(DEPTH), .LIMIT(LIMIT)) u_tags (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .push_i  (push_o),
    .data_i  (TAG_W'({valid_i, gap_q})),
    .take_i  (take_i),
    .look_i  (1'b1),
    .data_o  (tag),
    .empty_o (empty_o),
    .full_o  (full),
    .deep_o  (deep_o)
  );

  assign tag_o   = stream_pkg::tag_t'(tag[$bits(stream_pkg::tag_t)-1:0]);
  assign cycle_o = cycle_q;
  assign lost_o  = lost_q;

  logic unused;
  assign unused = ^tag;

endmodule
