// SPDX-License-Identifier: Apache-2.0
// From the decoded instruction to the control of the uniform pipe: that of the instruction of the same name without U for an
// ALU lane, or what the multiplier does.
// Latency: combinational.
// No handshake.
// It does not look at operands, and it gives zeros where en_i is low.
module uni_decode (
  // from issue
  input  logic               en_i,
  input  isa_pkg::dec_t      dec_i,
  input  logic [127:0]       word_i,
  // to the pipe
  output exec_pkg::uni_ctl_t      ctl_o
);

  typedef struct packed {
    isa_pkg::op_e      alu;      // what the ALU's decoder shall see
    exec_pkg::uni_mul_ctl_t mul;
    logic              is_mul;
    logic              known;    // there is a case for the instruction
  } plan_t;

  // A function, which decode_cases calls for each instruction.
  function automatic plan_t plan(isa_pkg::dec_t dec, logic [127:0] word);
    automatic plan_t p = '0;
    p.known   = 1'b1;
    p.alu     = isa_pkg::OP_MOV;
    p.mul.uns = isa_pkg::f_sign(word) == isa_pkg::SIGN_U32;
    case (dec.op)
      isa_pkg::OP_UMOV, isa_pkg::OP_S2UR: p.alu = isa_pkg::OP_MOV;
      isa_pkg::OP_USEL:       p.alu = isa_pkg::OP_SEL;
      isa_pkg::OP_UP2UR:      p.alu = isa_pkg::OP_P2R;
      isa_pkg::OP_UR2UP:      p.alu = isa_pkg::OP_R2P;
      isa_pkg::OP_UIADD3:     p.alu = isa_pkg::OP_IADD3;
      isa_pkg::OP_UIADD3_X:   p.alu = isa_pkg::OP_IADD3_X;
      isa_pkg::OP_ULOP3_LUT:  p.alu = isa_pkg::OP_LOP3_LUT;
      isa_pkg::OP_USHF:       p.alu = isa_pkg::OP_SHF;
      isa_pkg::OP_ULEA:       p.alu = isa_pkg::OP_LEA;
      isa_pkg::OP_ULEA_HI:    p.alu = isa_pkg::OP_LEA_HI;
      isa_pkg::OP_ULEA_HI_X:  p.alu = isa_pkg::OP_LEA_HI_X;
      isa_pkg::OP_UIMNMX:     p.alu = isa_pkg::OP_IMNMX;
      isa_pkg::OP_UIABS:      p.alu = isa_pkg::OP_IABS;
      isa_pkg::OP_UPRMT:      p.alu = isa_pkg::OP_PRMT;
      isa_pkg::OP_USGXT:      p.alu = isa_pkg::OP_SGXT;
      isa_pkg::OP_UBMSK:      p.alu = isa_pkg::OP_BMSK;
      isa_pkg::OP_UPOPC:      p.alu = isa_pkg::OP_POPC;
      isa_pkg::OP_UFLO:       p.alu = isa_pkg::OP_FLO;
      isa_pkg::OP_UBREV:      p.alu = isa_pkg::OP_BREV;
      isa_pkg::OP_UISETP:     p.alu = isa_pkg::OP_ISETP;
      isa_pkg::OP_UISETP_EX:  p.alu = isa_pkg::OP_ISETP_EX;
      isa_pkg::OP_UPLOP3_LUT: p.alu = isa_pkg::OP_PLOP3_LUT;
      isa_pkg::OP_UIMAD, isa_pkg::OP_UIMAD_WIDE, isa_pkg::OP_UIMAD_HI: begin
        p.is_mul   = 1'b1;
        p.mul.neg  = dec.op == isa_pkg::OP_UIMAD && dec.c_neg;
        p.mul.wide = dec.op == isa_pkg::OP_UIMAD_WIDE;
        p.mul.high = dec.op == isa_pkg::OP_UIMAD_HI;
      end
      isa_pkg::OP_ULDC: ;   // the load/store unit's (predecode)
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

  decode_cases #(.UNIT(isa_pkg::UNIT_UNI), .KNOWN(known_ops())) u_cases ();

  plan_t         now;
  isa_pkg::dec_t as_alu;

  always_comb begin
    now = '0;   // decoded only where an instruction of this unit arrives: simulation pays for it
    if (en_i) now = plan(dec_i, word_i);
    as_alu    = dec_i;
    as_alu.op = now.alu;
  end

  alu_decode u_alu (
    .en_i    (en_i),
    .dec_i   (as_alu),
    .word_i  (word_i),
    .ctl1_o  (ctl_o.alu.one),
    .ctl2_o  (ctl_o.alu.two)
  );

  assign ctl_o.mul    = now.mul;
  assign ctl_o.is_mul = now.is_mul;

  // It is for decode_cases.
  logic unused;
  assign unused = now.known;

endmodule
