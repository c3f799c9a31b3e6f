// SPDX-License-Identifier: Apache-2.0
// Which sources showed something, cycle by cycle: so all that is kept of them can be taken in its order.
// Latency: as digest_queue. Throughput: an entry a cycle.
// Handshake: events in; tag_ valid until take_i. A cycle for which there is no room is lost as a whole, and so is all
// that comes after it: lost_o holds until the next start.
// It does not hold records: push_o says that those of this cycle are kept.
module digest_capture #(
  parameter int unsigned DEPTH = 512,
  parameter int unsigned LIMIT = 64
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  input  logic                    start_i,    // of a launch
  input  logic                    stop_i,     // of its stream: nothing is kept until the next start
  input  logic                    over_i,     // nothing of the launch before is left
  input  digest_pkg::sources_t    valid_i,
  input  logic                    full_i,     // of a source
  output logic                    push_o,
  output logic                    lost_o,
  output logic [63:0]             cycle_o,    // of this launch
  output logic [63:0]             lost_at_o,  // the cycle before that of the loss
  // to the steps
  output logic                    tag_valid_o,
  output digest_pkg::sources_t    tag_o,
  input  logic                    take_i,
  output logic                    empty_o,
  output logic                    deep_o
);

  logic        on_q, full, fails;
  logic [63:0] cycle_q, last_q, lost_at_q;   // last_q: one less

  assign push_o = on_q && valid_i != '0 && !full && !full_i;
  assign fails  = on_q && valid_i != '0 && (full || full_i);

  // A launch that begins while the one before is still being sent is not sent.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      on_q   <= 1'b0;
      lost_o <= 1'b0;
    end else if (start_i) begin
      on_q   <= over_i;
      lost_o <= !over_i;
    end else if (stop_i) begin
      on_q   <= 1'b0;
    end else if (fails) begin
      on_q   <= 1'b0;
      lost_o <= 1'b1;
    end
    cycle_q <= start_i ? 64'd0 : cycle_q + 64'd1;
    last_q  <= start_i ? '1 : cycle_q;
    if (start_i)    lost_at_q <= '0;
    else if (fails) lost_at_q <= last_q;
  end

  digest_queue #(.WIDTH($bits(digest_pkg::sources_t)), .DEPTH(DEPTH), .LIMIT(LIMIT)) u_tags (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .push_i  (push_o),
    .data_i  (valid_i),
    .valid_o (tag_valid_o),
    .take_i  (take_i),
    .data_o  (tag_o),
    .full_o  (full),
    .deep_o  (deep_o),
    .empty_o (empty_o)
  );

  assign cycle_o   = cycle_q;
  assign lost_at_o = lost_at_q;

endmodule
