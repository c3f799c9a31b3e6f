// SPDX-License-Identifier: Apache-2.0
// Last steps of an FP64 lane: leading zeros and coarse shift, or saturation to an integer's range; then fine shift, rounding
// to the format of the result, and packing.
// Latency: two cycles, inputs to registers; en_i[0] enables the first rank, en_i[1] the second.
// No handshake.
// It does not look at how many words of the result count.
module fp64_close (
  input  logic                        clk_i,
  // from the unit
  input  logic [1:0]                  en_i,
  input  fp64_pkg::ctl_t [1:0]        ctl_i,
  // from the sum
  input  logic [fp64_pkg::WINDOW-1:0] sum_i,
  input  fp64_pkg::side_t             side_i,
  // to the unit
  output logic [63:0]                 result_o,
  output logic                        pd0_o,
  output logic                        pd1_o
);

  // ---- Saturation: of a magnitude and its sign -------------------------------------------------
  function automatic logic [63:0] saturated(fp64_pkg::convert_t how, logic sign, logic vast, logic [63:0] size);
    automatic logic [63:0] outer = (how.size == fp64_pkg::I64) ? {!how.uns, 63'b0} :
                                   (how.size == fp64_pkg::I32) ? {32'hffff_ffff, !how.uns, 31'b0} :
                                   (how.size == fp64_pkg::I16) ? {48'hffff_ffff_ffff, !how.uns, 15'b0} :
                                                                 {56'hff_ffff_ffff_ffff, !how.uns, 7'b0};
    // `outer` has the bits that a positive result has not, and is, signed, the lowest number.
    automatic logic        outside = vast || (size & outer) != '0;
    if (sign && how.uns) saturated = '0;
    else if (!sign)      saturated = outside ? ~outer : size;
    else                 saturated = outside ? outer : -size;
  endfunction

  // ---- Leading zeros: groups of 16 above the first one with a bit set, and zeros in that one ----
  function automatic logic [7:0] zeros_of(logic [fp64_pkg::WINDOW-1:0] window);
    automatic logic [175:0] all   = {window, 12'b0};
    automatic logic [3:0]   above = '0;
    automatic logic [15:0]  w4    = '0;
    for (int unsigned g = 11; g > 0; g--) begin
      if (all[191 - 16*g -: 16] != '0) begin
        above = 4'(g - 1);
        w4    = all[191 - 16*g -: 16];
      end
    end
    begin
      automatic logic       z3 = w4[15:8] == '0;
      automatic logic [7:0] w3 = z3 ? w4[7:0] : w4[15:8];
      automatic logic       z2 = w3[7:4] == '0;
      automatic logic [3:0] w2 = z2 ? w3[3:0] : w3[7:4];
      automatic logic       z1 = w2[3:2] == '0;
      zeros_of = {above, z3, z2, z1, !(z1 ? w2[1] : w2[3])};
    end
  endfunction

  fp64_pkg::normal_t normal_q;

  always_ff @(posedge clk_i) begin
    if (en_i[0]) begin
      automatic fp64_pkg::convert_t how    = fp64_pkg::convert_t'(ctl_i[0].arg);
      automatic logic               to_int = ctl_i[0].kind == fp64_pkg::TO_INT && !side_i.word;
      automatic logic               zero   = sum_i == '0;
      automatic logic [7:0]         zeros  = zeros_of(sum_i);
      // The shift stops where the exponent would fall below that of subnormals: the result then is subnormal, or zero. A
      // negative top says that it has no lower bound (F2F with FTZ), and what is too small is flushed afterwards.
      automatic logic signed [12:0] top    = side_i.top;
      automatic logic signed [12:0] exp    = top - 13'(zeros);
      automatic logic               bound  = !(ctl_i[0].kind == fp64_pkg::CONVERT && how.ftz && how.to == fp64_pkg::F32);
      automatic logic               stop   = exp[12] && bound;
      automatic logic [7:0]         shift  = side_i.word ? 8'd0 : stop ? top[7:0] : zeros;
      automatic logic [fp64_pkg::WINDOW-1:0] coarse = sum_i << {shift[7:4], 4'b0000};
      normal_q.word   <= side_i.word || to_int;
      normal_q.sign   <= (zero && side_i.sub) ? ctl_i[0].rnd == isa_pkg::RND_RM : side_i.sign;
      normal_q.zero   <= zero;
      normal_q.exp    <= stop ? 13'd0 : exp;
      normal_q.fine   <= to_int ? 4'd0 : shift[3:0];
      normal_q.sticky <= coarse[94:0] != '0;
      normal_q.bits   <= to_int ? {saturated(how, side_i.sign, side_i.vast, sum_i[fp64_pkg::WINDOW-1 -: 64]), 5'b0}
                                : coarse[fp64_pkg::WINDOW-1 -: 69];
      normal_q.pd0    <= side_i.pd0;
      normal_q.pd1    <= side_i.pd1;
    end
  end

  // ---- Result ----------------------------------------------------------------------------------
  logic [63:0] result_q;
  logic        pd0_q, pd1_q;

  always_ff @(posedge clk_i) begin
    if (en_i[1]) begin
      automatic fp64_pkg::ctl_t     ctl  = ctl_i[1];
      automatic logic               conv = ctl.kind == fp64_pkg::FROM_INT || ctl.kind == fp64_pkg::CONVERT;
      automatic fp64_pkg::convert_t how  = fp64_pkg::convert_t'(ctl.arg);
      automatic logic [1:0]  to     = conv ? how.to : fp64_pkg::F64;
      automatic logic        f64    = to == fp64_pkg::F64;
      automatic logic        f16    = to == fp64_pkg::F16;
      automatic logic        sat    = ctl.kind == fp64_pkg::CONVERT && how.sat;
      automatic logic        flush  = ctl.kind == fp64_pkg::CONVERT && how.ftz && how.to == fp64_pkg::F32;
      automatic logic        sign   = normal_q.sign;
      automatic logic [68:0] fine   = normal_q.bits << normal_q.fine;
      // 53, 24 or 11 bits are kept.
      automatic logic        odd    = f64 ? fine[16] : f16 ? fine[58] : fine[45];
      automatic logic        guard  = f64 ? fine[15] : f16 ? fine[57] : fine[44];
      automatic logic        sticky = normal_q.sticky || fine[14:0] != '0 || (!f64 && fine[43:15] != '0) ||
                                      (f16 && fine[56:44] != '0);
      automatic logic        up     = exec_pkg::round_up(ctl.rnd, sign, odd, guard, sticky);
      automatic logic [52:0] kept   = {fine[68:58], fine[57:45] & {13{!f16}}, fine[44:16] & {29{f64}}};
      automatic logic [42:0] one    = {up && f16, 12'b0, up && !f16 && !f64, 28'b0, up && f64};
      // The leading bit adds one to the exponent, and so does a carry out of the fraction: one addition for both.
      automatic logic [64:0] sum    = {normal_q.zero ? 13'd0 : normal_q.exp, 52'b0} + {12'b0, kept} + {22'b0, one};
      automatic logic signed [12:0] exp = sum[64:52];
      automatic logic        tiny   = exp <= 13'sd0;
      automatic logic signed [12:0] top = f64 ? 13'sd2047 : f16 ? 13'sd31 : 13'sd255;
      automatic logic        over   = exp >= top;
      automatic logic        to_max = ctl.rnd == isa_pkg::RND_RZ || (ctl.rnd == isa_pkg::RND_RM && !sign) ||
                                      (ctl.rnd == isa_pkg::RND_RP && sign);
      automatic logic [62:0] size   = (flush && tiny) ? 63'b0 :
                                      !over ? sum[62:0] : to_max ? {11'(top) - 11'd1, {52{1'b1}}} : {11'(top), 52'b0};
      automatic logic        clamp  = sat && (sign || size[62:52] >= fp64_pkg::bias(to));
      result_q <= normal_q.word ? normal_q.bits[68:5] :
                  clamp ? (sign ? 64'b0 : fp64_pkg::pack(to, 1'b0, fp64_pkg::bias(to), '0)) :
                          fp64_pkg::pack(to, sign, size[62:52], size[51:0]);
      pd0_q    <= normal_q.pd0;
      pd1_q    <= normal_q.pd1;
    end
  end

  assign result_o = result_q;
  assign pd0_o    = pd0_q;
  assign pd1_o    = pd1_q;

endmodule
