// SPDX-License-Identifier: Apache-2.0
// Whose records they are: the number of the SM, put into those that its partitions and its memory show.
// Latency: none. Handshake: none; whether a record is valid stands beside it and passes elsewhere.
// It does not touch anything else of them. Below here nobody knows which SM it is part of (core_pkg::who says 0), so that all SMs
// are one text, and of a constant number wires are left.
`default_nettype none

module retire_sm #(
  localparam int unsigned PARTS = cfg_pkg::PARTITIONS,
  localparam int unsigned PORTS = retire_pkg::PORTS
) (
  input  logic [7:0]                                     sm_i,
  // from the partitions and memory
  input  retire_pkg::write_t [PARTS-1:0][PORTS-1:0]      write_i,
  input  retire_pkg::predicate_t [PARTS-1:0]             predicate_i,
  input  retire_pkg::operands_t [PARTS-1:0]              operands_i,
  input  retire_pkg::operands_t [PARTS-1:0]              operands_memory_i,
  input  retire_pkg::issue_t [PARTS-1:0]                 issue_i,
  input  retire_pkg::uniform_read_t [PARTS-1:0]          uniform_read_i,
  input  retire_pkg::uniform_write_t [PARTS-1:0]         uniform_write_i,
  input  retire_pkg::shared_t                            shared_i,
  // retire port
  output retire_pkg::write_t [PARTS-1:0][PORTS-1:0]      write_o,
  output retire_pkg::predicate_t [PARTS-1:0]             predicate_o,
  output retire_pkg::operands_t [PARTS-1:0]              operands_o,
  output retire_pkg::operands_t [PARTS-1:0]              operands_memory_o,
  output retire_pkg::issue_t [PARTS-1:0]                 issue_o,
  output retire_pkg::uniform_read_t [PARTS-1:0]          uniform_read_o,
  output retire_pkg::uniform_write_t [PARTS-1:0]         uniform_write_o,
  output retire_pkg::shared_t                            shared_o
);

  always_comb begin
    write_o           = write_i;
    predicate_o       = predicate_i;
    operands_o        = operands_i;
    operands_memory_o = operands_memory_i;
    issue_o           = issue_i;
    uniform_read_o    = uniform_read_i;
    uniform_write_o   = uniform_write_i;
    shared_o          = shared_i;
    shared_o.id.sm    = sm_i;
    for (int p = 0; p < int'(PARTS); p++) begin
      for (int k = 0; k < int'(PORTS); k++) write_o[p][k].id.sm = sm_i;
      predicate_o[p].id.sm       = sm_i;
      operands_o[p].id.sm        = sm_i;
      operands_memory_o[p].id.sm = sm_i;
      issue_o[p].id.sm           = sm_i;
      uniform_read_o[p].id.sm    = sm_i;
      uniform_write_o[p].id.sm   = sm_i;
    end
  end

endmodule

`default_nettype wire
