// SPDX-License-Identifier: Apache-2.0
// Requests of an SM for global memory, as they pass to the point of order: for who follows the order in which warps meet
// there (lab/fpga/board/digest). Accesses to a line are performed as their requests came (README.md, "The request channel", 4).
// Latency: none; wires. Handshake: events.
// It does not show local memory, which is a thread's own, nor refills.
module gpu_request (
  input  logic                lq_valid_i,
  input  line_pkg::request_t  lq_i,
  output logic                rq_valid_o,
  output line_pkg::seen_t     rq_o
);

  logic load, writes;
  assign load   = lq_i.kind == line_pkg::LOAD;
  assign writes = lq_i.kind == line_pkg::STORE || lq_i.kind == line_pkg::ATOM;

  assign rq_valid_o = lq_valid_i && (load || writes) && !lq_i.is_local;
  assign rq_o       = '{slot: 8'(lq_i.id.slot), writes: writes, line: lq_i.line};

  // Fields that concern others.
  logic unused;
  assign unused = ^lq_i;

endmodule
