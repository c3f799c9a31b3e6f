// SPDX-License-Identifier: Apache-2.0
// From the decoded instruction to the control of the matrix unit: formats, how many passes, what
// is added at the end.
// Latency: combinational.
// No handshake.
// It does not look at operands, and it gives zeros where en_i is low.
module mma_decode (
  // from issue
  input  logic                           en_i,
  input  isa_pkg::dec_t                  dec_i,
  input  logic [127:0]                   word_i,
  // to the unit
  output logic [core_pkg::VAR_CTL_W-1:0] ctl_o
);

  typedef struct packed {
    mma_pkg::ctl_t ctl;
    logic          known;   // there is a case for the instruction
  } plan_t;

  function automatic mma_pkg::ctl_t hmma(mma_pkg::format_e format, logic acc16, logic deep);
    hmma       = '0;
    hmma.kind  = mma_pkg::SUM;
    hmma.fa    = format;
    hmma.fb    = format;
    hmma.acc16 = acc16;
    hmma.deep  = deep;
  endfunction

  function automatic mma_pkg::ctl_t imma(logic [127:0] word, logic all);
    imma        = '0;
    imma.kind   = mma_pkg::ADD_INT;
    imma.fa     = (isa_pkg::f_i8a(word) == isa_pkg::BYTE8_U8) ? mma_pkg::U8 : mma_pkg::S8;
    imma.fb     = (isa_pkg::f_i8b(word) == isa_pkg::BYTE8_U8) ? mma_pkg::U8 : mma_pkg::S8;
    imma.deep   = all;
    imma.narrow = !all;
    imma.sat    = isa_pkg::f_sat(word) == isa_pkg::SAT_SAT;
    imma.passes = 2'(all);
  endfunction

  function automatic mma_pkg::ctl_t qmma(logic [127:0] word);
    qmma        = '0;
    qmma.kind   = mma_pkg::ADD_F32;
    qmma.fa     = (isa_pkg::f_fp8a(word) == isa_pkg::FP8_E5M2) ? mma_pkg::E5M2 : mma_pkg::E4M3;
    qmma.fb     = (isa_pkg::f_fp8b(word) == isa_pkg::FP8_E5M2) ? mma_pkg::E5M2 : mma_pkg::E4M3;
    qmma.deep   = 1'b1;
    qmma.passes = 2'd1;
  endfunction

  function automatic mma_pkg::ctl_t dmma();
    dmma        = '0;
    dmma.kind   = mma_pkg::FP64;
    dmma.passes = 2'd3;
  endfunction

  // A function, which decode_cases calls for each instruction.
  function automatic plan_t plan(isa_pkg::dec_t dec, logic [127:0] word);
    automatic plan_t p = '0;
    automatic mma_pkg::format_e half = (isa_pkg::f_hmma(word) == isa_pkg::HMMA_BF16) ? mma_pkg::BF16 : mma_pkg::F16;
    p.known = 1'b1;
    case (dec.op)
      isa_pkg::OP_HMMA_16816_F32:     p.ctl = hmma(half, 1'b0, 1'b1);
      isa_pkg::OP_HMMA_1688_F32:      p.ctl = hmma(half, 1'b0, 1'b0);
      isa_pkg::OP_HMMA_16816_F16:     p.ctl = hmma(mma_pkg::F16, 1'b1, 1'b1);
      isa_pkg::OP_HMMA_1688_F16:      p.ctl = hmma(mma_pkg::F16, 1'b1, 1'b0);
      isa_pkg::OP_HMMA_1688_F32_TF32: p.ctl = hmma(mma_pkg::TF32, 1'b0, 1'b1);
      isa_pkg::OP_HMMA_1684_F32_TF32: p.ctl = hmma(mma_pkg::TF32, 1'b0, 1'b0);
      isa_pkg::OP_IMMA_16832:         p.ctl = imma(word, 1'b1);
      isa_pkg::OP_IMMA_16816:         p.ctl = imma(word, 1'b0);
      isa_pkg::OP_QMMA_16832_F32:     p.ctl = qmma(word);
      isa_pkg::OP_DMMA_884:           p.ctl = dmma();
      default:                        p.known = 1'b0;
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

  decode_cases #(.UNIT(isa_pkg::UNIT_TENSOR), .KNOWN(known_ops())) u_cases ();

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
