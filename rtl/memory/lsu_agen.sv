// SPDX-License-Identifier: Apache-2.0
// First stage of the load/store unit: forms the addresses of a beat (operand a plus the offset).
// Data of stores and atomics do not pass here: they go to the memories of their space in the cycle
// in which the beat is taken.
// Latency: one cycle; a beat every cycle.
// Handshake: valid/ready on both sides; a beat waits until its space has room for it (global: the
// first one, for all; generic: both of its spaces; CCTL needs none). Global and generic: 64-bit sum. Others: 32-bit sum,
// upper half zero.
// It does not judge addresses.
module lsu_agen #(
  localparam int unsigned LANES = cfg_pkg::LSU_LANES
) (
  input  logic                                      clk_i,
  input  logic                                      rst_ni,
  // from operand
  input  logic                                      op_req_valid_i,
  output logic                                      op_req_ready_o,
  input  core_pkg::memop_t                          op_req_op_i,
  input  logic [4:0]                                op_req_row_i,
  input  logic [1:0][LANES-1:0][31:0]               op_req_addr_i,   // operand a
  // from and to the memories of the spaces: bit 0 global and local, 1 shared, 2 constant
  input  logic [2:0]                                room_i,
  input  logic [mem_pkg::GSLOT_W-1:0]               free_slot_i,     // gslot for a global instruction
  output logic [2:0]                                ag_take_o,       // event: a beat is taken
  output logic                                      ag_arrive_o,     // event: the first of an instruction is taken
  output logic                                      ag_first_o,      // it is the first of its instruction
  output logic                                      ag_last_o,
  output logic [mem_pkg::GSLOT_W-1:0]               ag_take_slot_o,
  // to the check
  output logic                                      ag_valid_o,
  input  logic                                      ag_ready_i,
  output core_pkg::memop_t                          ag_op_o,
  output logic [2:0]                                ag_space_o,
  output logic [4:0]                                ag_beat_o,
  output logic [mem_pkg::GSLOT_W-1:0]               ag_slot_o,
  output logic [LANES-1:0][63:0]                    ag_addr_o
);

  core_pkg::memop_t             op_q;
  logic                         valid_q, take, generic, far;
  logic [2:0]                   space, space_q;
  logic [4:0]                   beat_q;
  logic [mem_pkg::GSLOT_W-1:0]  slot_q;
  logic [LANES-1:0][63:0]       addr_q;
  logic [63:0]                  off;

  assign generic  = mem_pkg::is_generic(op_req_op_i.mem);
  assign far      = generic || mem_pkg::is_global(op_req_op_i.mem);
  assign space[0] = far || mem_pkg::is_local(op_req_op_i.mem);
  assign space[1] = generic || mem_pkg::is_shared(op_req_op_i.mem);
  assign space[2] = op_req_op_i.mem == isa_pkg::MEM_CONST_LOAD;
  assign off      = {{40{op_req_op_i.off[23]}}, op_req_op_i.off};

  assign ag_first_o     = op_req_row_i == '0;
  assign ag_last_o      = op_req_row_i == 5'(mem_pkg::BEATS - 1);
  assign op_req_ready_o = (!valid_q || ag_ready_i) && (space & ~{room_i[2:1], room_i[0] || !ag_first_o}) == '0;
  assign take           = op_req_valid_i && op_req_ready_o;
  assign ag_take_o      = take ? space : '0;
  assign ag_arrive_o    = take && ag_first_o;
  assign ag_take_slot_o = ag_first_o ? free_slot_i : slot_q;

  always_ff @(posedge clk_i) begin
    if (take) begin
      beat_q <= op_req_row_i;
      for (int unsigned l = 0; l < LANES; l++) begin
        if (far)      addr_q[l] <= {op_req_addr_i[1][l], op_req_addr_i[0][l]} + off;
        else          addr_q[l] <= {32'd0, op_req_addr_i[0][l] + off[31:0]};
      end
    end
    if (take && ag_first_o) begin
      op_q    <= op_req_op_i;
      space_q <= space;
      slot_q  <= free_slot_i;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni)                     valid_q <= 1'b0;
    else if (!valid_q || ag_ready_i) valid_q <= take;
  end

  assign ag_valid_o = valid_q;
  assign ag_op_o    = op_q;
  assign ag_space_o = space_q;
  assign ag_beat_o  = beat_q;
  assign ag_slot_o  = slot_q;
  assign ag_addr_o  = addr_q;

endmodule
