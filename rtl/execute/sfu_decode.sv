// SPDX-License-Identifier: Apache-2.0
// From the decoded instruction to the control of the special-function unit.
// Latency: combinational.
// No handshake.
// It does not look at operands, and it gives zeros where en_i is low.
module sfu_decode (
  // from issue
  input  logic                           en_i,
  input  isa_pkg::dec_t                  dec_i,
  input  logic [127:0]                   word_i,
  // to the unit
  output logic [core_pkg::VAR_CTL_W-1:0] ctl_o   // a exec_pkg::sfu_ctl_t in the low bits
);

  function automatic exec_pkg::sfu_fn_e fn_of(logic [3:0] f);
    case (f)
      isa_pkg::MUFU_RSQ, isa_pkg::MUFU_RSQ64H:                              fn_of = exec_pkg::FN_RSQ;
      isa_pkg::MUFU_SQRT:                                                   fn_of = exec_pkg::FN_SQRT;
      isa_pkg::MUFU_EX2, isa_pkg::MUFU_EX2_F16, isa_pkg::MUFU_EX2_BF16:     fn_of = exec_pkg::FN_EX2;
      isa_pkg::MUFU_LG2:                                                    fn_of = exec_pkg::FN_LG2;
      isa_pkg::MUFU_SIN:                                                    fn_of = exec_pkg::FN_SIN;
      isa_pkg::MUFU_COS:                                                    fn_of = exec_pkg::FN_COS;
      isa_pkg::MUFU_TANH, isa_pkg::MUFU_TANH_F16, isa_pkg::MUFU_TANH_BF16:  fn_of = exec_pkg::FN_TANH;
      default:                                                              fn_of = exec_pkg::FN_RCP;
    endcase
  endfunction

  function automatic exec_pkg::sfu_fmt_e fmt_of(logic [3:0] f);
    case (f)
      isa_pkg::MUFU_RCP64H, isa_pkg::MUFU_RSQ64H:      fmt_of = exec_pkg::FMT_F64;
      isa_pkg::MUFU_EX2_F16, isa_pkg::MUFU_TANH_F16:   fmt_of = exec_pkg::FMT_F16;
      isa_pkg::MUFU_EX2_BF16, isa_pkg::MUFU_TANH_BF16: fmt_of = exec_pkg::FMT_BF16;
      default:                                         fmt_of = exec_pkg::FMT_F32;
    endcase
  endfunction

  typedef struct packed {
    exec_pkg::sfu_ctl_t ctl;
    logic          known;   // there is a case for the instruction
  } plan_t;

  // A function, which decode_cases calls for each instruction.
  function automatic plan_t plan(isa_pkg::dec_t dec, logic [127:0] word);
    automatic plan_t p = '0;
    automatic logic  half;
    p.known   = dec.op == isa_pkg::OP_MUFU;
    p.ctl.fn  = fn_of(isa_pkg::f_mufu(word));
    p.ctl.fmt = fmt_of(isa_pkg::f_mufu(word));
    // They act on bit 31: of a half, on nothing.
    half      = p.ctl.fmt == exec_pkg::FMT_F16 || p.ctl.fmt == exec_pkg::FMT_BF16;
    p.ctl.neg = dec.b_neg && !half;
    p.ctl.abs = dec.b_abs && !half;
    plan = p;
  endfunction

  function automatic logic [isa_pkg::OP_COUNT-1:0] known_ops();
    automatic isa_pkg::dec_t dec = '0;
    for (int i = 0; i < int'(isa_pkg::OP_COUNT); i++) begin
      dec.op       = isa_pkg::op_e'(8'(i));
      known_ops[i] = 1'(plan(dec, '0));   // its lowest bit: known
    end
  endfunction

  decode_cases #(.UNIT(isa_pkg::UNIT_SFU), .KNOWN(known_ops())) u_cases ();

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
