// SPDX-License-Identifier: Apache-2.0
// Queue of tasks: of parked requests and of the tags, in turns.
// Latency: a cycle. A task a cycle.
// Handshake: valid/ready.
// It does not order tasks of one line: only one of the two has tasks of it at a time.
module l2_tasks (
  input  logic             clk_i,
  input  logic             rst_ni,
  // from l2_park
  input  logic             park_valid_i,
  output logic             park_ready_o,
  input  l2_pkg::task_t    park_i,
  // from the tags
  input  logic             tag_valid_i,
  output logic             tag_ready_o,
  input  l2_pkg::task_t    tag_i,
  // to l2_steps
  output logic             task_valid_o,
  input  logic             task_ready_i,
  output l2_pkg::task_t    task_o
);

  logic       ready, of_park, park_last_q;
  logic [2:0] count;

  // A free place is counted, not offered: the requester may change while the queue is full.
  assign ready        = count != 3'd4;
  assign of_park      = park_valid_i && !(tag_valid_i && park_last_q);
  assign park_ready_o = ready && of_park;
  assign tag_ready_o  = ready && !of_park;

  always_ff @(posedge clk_i) begin
    if (!rst_ni)                                         park_last_q <= 1'b0;
    else if (ready && (park_valid_i || tag_valid_i))     park_last_q <= of_park;
  end

  fifo #(.WIDTH($bits(l2_pkg::task_t)), .DEPTH(4)) u_row (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .in_valid_i  (ready && (park_valid_i || tag_valid_i)),
    .in_ready_o  (),
    .in_data_i   (of_park ? park_i : tag_i),
    .out_valid_o (task_valid_o),
    .out_ready_i (task_ready_i),
    .out_data_o  (task_o),
    .count_o     (count)
  );

endmodule
