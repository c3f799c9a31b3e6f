// SPDX-License-Identifier: Apache-2.0
// Return path of one SM: beats and answers of the banks, a turn for each bank. A bank offers the end of a request only after its beats
// have been taken, so none overtakes another.
// Latency: combinational. A beat and an answer a cycle.
// Handshake: valid/ready towards the banks; to the SM beats are events, answers valid/ready. An offered answer is held until taken.
// It does not look at data.

module cross_back #(
  parameter int unsigned N = 1   // banks
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  // from and to the banks: for this SM
  input  logic [N-1:0]            ld_valid_i,
  output logic [N-1:0]            ld_ready_o,
  input  line_pkg::bank_read_t [N-1:0]   ld_i,
  input  logic [N-1:0]            la_valid_i,
  output logic [N-1:0]            la_ready_o,
  input  line_pkg::bank_answer_t [N-1:0] la_i,
  // to and from the SM
  output logic                    ld_valid_o,
  output line_pkg::read_t         ld_o,
  output logic                    la_valid_o,
  input  logic                    la_ready_i,
  output line_pkg::answer_t       la_o
);

  line_pkg::bank_read_t   ld;
  line_pkg::bank_answer_t la;

  stream_arb #(.N(N), .WIDTH($bits(line_pkg::bank_read_t))) u_beat (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .valid_i (ld_valid_i),
    .ready_o (ld_ready_o),
    .data_i  (ld_i),
    .valid_o (ld_valid_o),
    .ready_i (1'b1),
    .last_i  (1'b1),
    .data_o  (ld),
    .sel_o   ()
  );
  stream_arb #(.N(N), .WIDTH($bits(line_pkg::bank_answer_t))) u_answer (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .valid_i (la_valid_i),
    .ready_o (la_ready_o),
    .data_i  (la_i),
    .valid_o (la_valid_o),
    .ready_i (la_ready_i),
    .last_i  (1'b1),
    .data_o  (la),
    .sel_o   ()
  );
  assign ld_o = '{tag: line_pkg::TAG_W'(ld.tag), beat: ld.beat, data: ld.data};
  assign la_o = '{tag: line_pkg::TAG_W'(la.tag), done: la.done, err: la.err, lane: la.lane, old: la.old};

endmodule
