// SPDX-License-Identifier: Apache-2.0
// From the decoded instruction to the control of the unit of warp-wide instructions.
// Latency: combinational.
// No handshake.
// It does not look at operands, and it gives zeros where en_i is low.
module warp_decode (
  // from issue
  input  logic                           en_i,
  input  isa_pkg::dec_t                  dec_i,
  input  logic [127:0]                   word_i,
  // to the unit
  output logic [core_pkg::VAR_CTL_W-1:0] ctl_o
);

  typedef struct packed {
    warp_pkg::ctl_t ctl;
    logic           known;   // there is a case for the instruction
  } plan_t;

  // A function, which decode_cases calls for each instruction.
  function automatic plan_t plan(isa_pkg::dec_t dec, logic [127:0] word);
    automatic plan_t p = '0;
    p.known = 1'b1;
    case (dec.op)
      isa_pkg::OP_SHFL: begin
        p.ctl.job  = warp_pkg::SHUFFLE;
        p.ctl.mode = 3'(isa_pkg::f_shfl(word));
      end
      isa_pkg::OP_VOTE, isa_pkg::OP_VOTEU: begin
        p.ctl.job  = warp_pkg::VOTE;
        p.ctl.mode = 3'(isa_pkg::f_vote(word));
      end
      isa_pkg::OP_ACTIVEMASK: p.ctl.job = warp_pkg::ACTIVE;
      isa_pkg::OP_MATCH: begin
        p.ctl.job   = warp_pkg::MATCH;
        p.ctl.mode  = 3'(isa_pkg::f_match(word));
        p.ctl.pairs = isa_pkg::f_m64(word) == isa_pkg::M64_U64;
      end
      isa_pkg::OP_REDUX, isa_pkg::OP_R2UR: begin
        p.ctl.job   = warp_pkg::FOLD;
        p.ctl.mode  = isa_pkg::f_redux(word);
        p.ctl.first = dec.op == isa_pkg::OP_R2UR;
        p.ctl.uns   = isa_pkg::f_sign(word) == isa_pkg::SIGN_U32;
      end
      default: p.known = 1'b0;
    endcase
    plan = p;
  endfunction

  function automatic logic [isa_pkg::OP_COUNT-1:0] known_ops();
    automatic isa_pkg::dec_t dec = '0;
    for (int i = 0; i < int'(isa_pkg::OP_COUNT); i++) begin
      dec.op       = isa_pkg::op_e'(8'(i));
      known_ops[i] = 1'(plan(dec, '0));   // its lowest bit: known
    end
  endfunction

  decode_cases #(.UNIT(isa_pkg::UNIT_WARP), .KNOWN(known_ops())) u_cases ();

  plan_t now;
  always_comb begin
    now = '0;   // decoded only where an instruction of this unit arrives: simulation pays for it
    if (en_i) now = plan(dec_i, word_i);
    ctl_o = core_pkg::VAR_CTL_W'(now.ctl);
  end

  // It is for decode_cases.
  logic unused;
  assign unused = now.known;

endmodule
