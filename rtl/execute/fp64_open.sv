// SPDX-License-Identifier: Apache-2.0
// First step of an FP64 lane: operands apart, what the multiplier and the sum shall do with them; comparisons, minimum and
// maximum, NaNs and infinities are decided here and go on as a finished word.
// Latency: one cycle, operands to registers; en_i enables them.
// No handshake.
// It does not multiply, align or round.
module fp64_open (
  input  logic              clk_i,
  // from the unit
  input  logic              en_i,
  input  fp64_pkg::ctl_t    ctl_i,
  input  logic [63:0]       a_i,
  input  logic [63:0]       b_i,
  input  logic [63:0]       c_i,
  input  logic              ps0_i,
  // to the product and the sum
  output fp64_pkg::opened_t opened_o
);

  localparam logic [63:0] ONE     = 64'h3ff0_0000_0000_0000;
  localparam logic [63:0] NEW_NAN = 64'hfff8_0000_0000_0000;

  function automatic fp64_pkg::number_t signed_as(fp64_pkg::number_t n, logic neg, logic abs);
    signed_as      = n;
    signed_as.sign = (n.sign && !abs) ^ neg;
  endfunction

  function automatic logic [63:0] quiet(logic [63:0] raw);
    quiet = {raw[63:52], 1'b1, raw[50:0]};
  endfunction

  // ---- a * b + c: FADD is a * 1 + b, DMUL a * b + 0 --------------------------------------------
  function automatic fp64_pkg::opened_t arithmetic(fp64_pkg::ctl_t ctl, logic [63:0] a, logic [63:0] b, logic [63:0] c);
    automatic logic add = ctl.kind == fp64_pkg::ADD;
    automatic logic fma = ctl.kind == fp64_pkg::FMA;
    automatic fp64_pkg::number_t x = signed_as(fp64_pkg::unpack(a), ctl.neg_a, ctl.abs_a);
    automatic fp64_pkg::number_t u = signed_as(fp64_pkg::unpack(b), ctl.neg_b, ctl.abs_b);
    automatic fp64_pkg::number_t v = signed_as(fp64_pkg::unpack(c), ctl.neg_c, 1'b0);
    automatic fp64_pkg::number_t y = add ? fp64_pkg::unpack(ONE) : u;
    automatic fp64_pkg::number_t z = add ? u : fma ? v : fp64_pkg::unpack('0);
    // The first NaN of b, c, a, with the sign it had in the register.
    automatic logic        c_nan   = fma && v.nan;
    automatic logic        any     = u.nan || c_nan || x.nan;
    automatic logic [63:0] nan     = quiet(u.nan ? b : c_nan ? c : a);
    automatic logic        sign    = x.sign ^ y.sign;
    automatic logic        sub     = (sign ^ z.sign) && (add || fma);
    automatic logic        inf     = x.inf || y.inf;
    automatic logic        invalid = (x.inf && y.zero) || (x.zero && y.inf) || (inf && z.inf && sub);
    automatic logic [63:0] special = any ? nan : invalid ? NEW_NAN : {z.inf ? z.sign : sign, 11'h7ff, 52'b0};
    automatic logic        word    = any || invalid || inf || z.inf;
    // Weight of the product's bit 0: exp_x + exp_y - 2150; of z's: exp_z - 1075. Unshifted, z's bit 0 stands 108 above.
    // Where z's exponent is so large that it would have to be shifted left, the product's distance does not matter: it is
    // below the bit after z's last in any case.
    automatic logic signed [12:0] top   = 13'(x.exp) + 13'(y.exp) - 13'd968;
    automatic logic signed [12:0] shift = top - 13'(z.exp) + 13'd1;
    automatic logic        leads   = x.zero || y.zero || shift[12];
    automatic logic        far     = shift > 13'sd163;
    arithmetic             = '0;
    arithmetic.word        = word ? special : {z.mant, 11'b0};
    arithmetic.x           = word ? '0 : x.mant;
    arithmetic.y           = y.mant;
    arithmetic.shift       = (word || leads) ? 8'd0 : far ? fp64_pkg::FURTHEST : shift[7:0];
    arithmetic.side.word   = word;
    arithmetic.side.sub    = sub && !word;
    arithmetic.side.sign   = sign;
    arithmetic.side.sign_c = z.sign;
    arithmetic.side.top    = leads ? 13'(z.exp) - 13'd1 : top;
  endfunction

  // ---- Comparisons -----------------------------------------------------------------------------
  function automatic fp64_pkg::opened_t compare(fp64_pkg::ctl_t ctl, logic [63:0] a, logic [63:0] b, logic ps0);
    automatic fp64_pkg::compare_t    how     = fp64_pkg::compare_t'(ctl.arg);
    automatic fp64_pkg::number_t     x       = signed_as(fp64_pkg::unpack(a), ctl.neg_a, ctl.abs_a);
    automatic fp64_pkg::number_t     y       = signed_as(fp64_pkg::unpack(b), ctl.neg_b, ctl.abs_b);
    automatic logic [63:0]           a_word  = {x.sign, a[62:0]};
    automatic logic [63:0]           b_word  = {y.sign, b[62:0]};
    automatic logic                  smaller = a[62:0] < b[62:0];
    automatic logic                  same    = a[62:0] == b[62:0];
    automatic logic                  unord   = x.nan || y.nan;
    // In the order of numbers with -0 below +0; as numbers the zeros are equal.
    automatic logic                  below   = (x.sign != y.sign) ? x.sign : x.sign ? !smaller && !same : smaller;
    automatic logic                  eq      = !unord && ((same && x.sign == y.sign) || (x.zero && y.zero));
    automatic logic                  lt      = !unord && !eq && below;
    automatic logic                  gt      = !unord && !eq && !below;
    automatic logic                  holds   = |(how.accept & {unord, gt, eq, lt});
    automatic logic                  use_a   = y.nan ? !x.nan : !x.nan && (below == ps0);
    compare          = '0;
    compare.word     = (x.nan && y.nan) ? quiet(b) : use_a ? a_word : b_word;
    compare.side.word = 1'b1;
    case (how.join_op)
      isa_pkg::BOOL_OR:  {compare.side.pd1, compare.side.pd0} = {!holds || ps0, holds || ps0};
      isa_pkg::BOOL_XOR: {compare.side.pd1, compare.side.pd0} = {!holds ^ ps0, holds ^ ps0};
      default:           {compare.side.pd1, compare.side.pd0} = {!holds && ps0, holds && ps0};
    endcase
  endfunction

  // ---- Integers to numbers: the magnitude fills the addend -------------------------------------
  function automatic fp64_pkg::opened_t from_int(fp64_pkg::ctl_t ctl, logic [63:0] b);
    automatic fp64_pkg::convert_t how  = fp64_pkg::convert_t'(ctl.arg);
    automatic logic               top  = !how.uns && ((how.size == fp64_pkg::I64) ? b[63] : (how.size == fp64_pkg::I32) ? b[31] :
                                                      (how.size == fp64_pkg::I16) ? b[15] : b[7]);
    automatic logic [63:0]        full = (how.size == fp64_pkg::I64) ? b : (how.size == fp64_pkg::I32) ? {{32{top}}, b[31:0]} :
                                         (how.size == fp64_pkg::I16) ? {{48{top}}, b[15:0]} : {{56{top}}, b[7:0]};
    from_int           = '0;
    from_int.word      = (full ^ {64{top}}) + 64'(top);
    from_int.side.sign = top;
    from_int.side.top  = 13'(fp64_pkg::bias(how.to)) + 13'd62;
  endfunction

  // ---- Numbers to integers, to integral numbers, to other formats ------------------------------
  function automatic fp64_pkg::number_t source(fp64_pkg::convert_t how, logic [63:0] b);
    source = (how.from == fp64_pkg::F64) ? fp64_pkg::unpack(b) :
             (how.from == fp64_pkg::F16) ? fp64_pkg::unpack_f16(how.half1 ? b[31:16] : b[15:0]) :
                                           fp64_pkg::unpack_f32(b[31:0], how.ftz);
  endfunction

  // The units come to stand at UNITS of the window.
  function automatic fp64_pkg::opened_t to_int(fp64_pkg::ctl_t ctl, logic [63:0] b);
    automatic fp64_pkg::convert_t how      = fp64_pkg::convert_t'(ctl.arg);
    automatic fp64_pkg::number_t  n        = source(how, b);
    automatic logic               integral = ctl.kind == fp64_pkg::INTEGRAL;
    automatic logic               sign     = (n.sign && !ctl.abs_b) ^ ctl.neg_b;
    automatic logic [11:0]        shift    = 12'd1086 - 12'(n.exp);
    automatic logic               far      = n.exp < 11'd923;
    // FRND leaves 2^52 and above, which are integral, as they are.
    automatic logic               keep     = integral && n.exp >= 11'd1075;
    automatic logic [63:0]        nan      = integral ? {n.sign, 12'hfff, n.mant[50:0]} :
                                             (how.size == fp64_pkg::I64) ? {1'b1, 63'b0} :
                                             (how.size == fp64_pkg::I32) ? {32'b0, 1'b1, 31'b0} :
                                             (how.size == fp64_pkg::I16) ? {{48{!how.uns}}, 1'b1, 15'b0} :
                                                                           {{56{!how.uns}}, 1'b1, 7'b0};
    to_int           = '0;
    to_int.word      = n.nan ? nan : keep ? {sign, b[62:0]} : {n.mant, 11'b0};
    to_int.shift     = (n.nan || keep || shift[11]) ? 8'd0 : far ? fp64_pkg::FURTHEST : shift[7:0];
    to_int.side.word = n.nan || keep;
    to_int.side.sign = sign;
    to_int.side.vast = n.inf || shift[11];
    to_int.side.top  = 13'd1085;
  endfunction

  // A number that is subnormal in the new format is shifted right, so that the window's top is that format's smallest
  // exponent; with FTZ the exponent just falls.
  function automatic fp64_pkg::opened_t convert(fp64_pkg::ctl_t ctl, logic [63:0] b);
    automatic fp64_pkg::convert_t how      = fp64_pkg::convert_t'(ctl.arg);
    automatic fp64_pkg::number_t  n        = source(how, b);
    automatic logic               sign     = (n.sign && !ctl.abs_b) ^ ctl.neg_b;
    automatic logic signed [12:0] top      = 13'(n.exp) - 13'd1024 + 13'(fp64_pkg::bias(how.to));
    automatic logic               flush    = how.ftz && how.to == fp64_pkg::F32;
    automatic logic signed [12:0] below    = -top;
    automatic logic               low      = top[12] && !flush;
    automatic logic [63:0]        inf      = !how.sat ? fp64_pkg::pack(how.to, sign, '1, '0) :
                                             sign ? 64'b0 : fp64_pkg::pack(how.to, 1'b0, fp64_pkg::bias(how.to), '0);
    automatic logic [63:0]        nan      = how.sat ? 64'b0 : fp64_pkg::pack(how.to, n.sign, '1, {1'b1, n.mant[50:0]});
    convert           = '0;
    convert.word      = n.nan ? nan : n.inf ? inf : {n.mant, 11'b0};
    convert.shift     = (n.nan || n.inf || !low) ? 8'd0 : (below > 13'sd163) ? fp64_pkg::FURTHEST : below[7:0];
    convert.side.word = n.nan || n.inf;
    convert.side.sign = sign;
    convert.side.top  = low ? 13'd0 : top;
  endfunction

  fp64_pkg::opened_t opened_q;

  always_ff @(posedge clk_i) begin
    if (en_i) begin
      case (ctl_i.kind)
        fp64_pkg::MINMAX, fp64_pkg::COMPARE:  opened_q <= compare(ctl_i, a_i, b_i, ps0_i);
        fp64_pkg::FROM_INT:                   opened_q <= from_int(ctl_i, b_i);
        fp64_pkg::TO_INT, fp64_pkg::INTEGRAL: opened_q <= to_int(ctl_i, b_i);
        fp64_pkg::CONVERT:                    opened_q <= convert(ctl_i, b_i);
        default:                              opened_q <= arithmetic(ctl_i, a_i, b_i, c_i);
      endcase
    end
  end

  assign opened_o = opened_q;

endmodule
