// SPDX-License-Identifier: Apache-2.0
// Nothing in hardware: stops the build where a unit's decoder has no case for an instruction that the ISA file gives
// to the unit, and names the instruction. KNOWN holds a bit for each instruction that has a case.
// Latency and handshake: none, it has no ports.
// It does not look at what a case says.
module decode_cases #(
  parameter isa_pkg::unit_e                UNIT  = isa_pkg::UNIT_ALU,
  parameter logic [isa_pkg::OP_COUNT-1:0]  KNOWN = '1
) ();

  for (genvar i = 0; i < int'(isa_pkg::OP_COUNT); i++) begin : gen_op
    localparam isa_pkg::op_e OP = isa_pkg::op_e'(8'(i));
    if (isa_pkg::op_is_for(OP, UNIT) && !KNOWN[i]) begin : gen_missing
      $error("instruction %0s: its decoder has no case for it; add one, or mark it only=model in the ISA file",
             isa_pkg::op_name(OP));
    end
  end

endmodule
