// SPDX-License-Identifier: Apache-2.0
// One lane of units alu and fma: an instruction word, operands, predicates in; results out.
// Combinational. Operands come raw; signs and absolute values are applied here.
module barrel_lane (
    input  wire [7:0]   bug,
    input  wire [127:0] w,
    input  wire [4:0]   signs,   // negate c, absolute b, negate b, absolute a, negate a
    input  wire [31:0]  a,
    input  wire [31:0]  b,
    input  wire [31:0]  c,
    input  wire [31:0]  ch,      // the second word of c
    input  wire [2:0]   ps,
    input  wire [6:0]   p,       // P6 to P0
    output reg  [31:0]  lo,
    output reg  [31:0]  hi,
    output reg          q0,
    output reg          q1
);
  wire [8:0] op = w[8:0];
  wire fadd = op == 9'h021;
  wire fmul = op == 9'h020;

  // Floating operands: absolute, then negated.
  wire [31:0] fa = {(a[31] && !signs[1]) ^ signs[0], a[30:0]};
  wire [31:0] fb = {(b[31] && !signs[3]) ^ signs[2], b[30:0]};
  wire [31:0] fc = {c[31] ^ signs[4], c[30:0]};
  wire [31:0] fr;
  barrel_fma fma (.bug(bug), .a(fa), .b(fadd ? 32'h3f800000 : fb), .c(fadd ? fb : fc),
      .mul(fmul), .rnd(w[79:78]), .ftz(w[80]), .sat(w[77]), .r(fr));

  // Flushed operands, compared.
  wire [31:0] xa = w[80] && fa[30:23] == 0 ? {fa[31], 31'd0} : fa;
  wire [31:0] xb = w[80] && fb[30:23] == 0 ? {fb[31], 31'd0} : fb;
  wire nana = xa[30:0] > 31'h7f800000;
  wire nanb = xb[30:0] > 31'h7f800000;
  wire un = nana || nanb;
  wire feq = !un && (xa == xb || (xa[30:0] == 0 && xb[30:0] == 0));
  wire below = xa[31] != xb[31] ? xa[31] : xa[31] ? xa[30:0] > xb[30:0] : xa[30:0] < xb[30:0];
  wire flt = !un && !feq && below;
  wire fgt = !un && !feq && !below;
  wire fcmp = (w[76] && flt) || (w[77] && feq) || (w[78] && fgt) || (w[79] && un);

  // Integers, compared.
  wire u32 = w[73];
  wire ieq = a == b;
  wire ilt = u32 ? a < b : $signed(a) < $signed(b);
  wire eq_r = w[91] ? (w[78:76] == 3'd7 || (w[78:76] != 0 && ps[2])) : w[77];
  wire icmp = ieq ? eq_r : ilt ? w[76] : w[78];

  // Products.
  wire sgn = !u32 && bug != 8'd25;
  wire signed [32:0] ma = {sgn && a[31], a};
  wire signed [32:0] mb = {sgn && b[31], b};
  wire signed [65:0] prod = ma * mb;
  wire [63:0] wide = prod[63:0] + {ch, bug == 8'd26 && op == 9'h027 ? 32'd0 : c};

  // Sums.
  wire ex = op == 9'h010 && w[74];
  wire [32:0] ia = signs[0] ? (ex ? {1'b0, ~a} : {1'b0, ~a} + 33'd1) : {1'b0, a};
  wire [32:0] ib = signs[2] ? (ex ? {1'b0, ~b} : {1'b0, ~b} + 33'd1) : {1'b0, b};
  wire [32:0] ic = signs[4] ? (ex ? {1'b0, ~c} : {1'b0, ~c} + 33'd1) : {1'b0, c};
  wire [32:0] ib2 = bug == 8'd23 && b == 0 ? 33'd0 : ib;
  wire [34:0] t = {2'd0, ia} + {2'd0, ib2} + {2'd0, ic} + {34'd0, ex && ps[0]}
      + {34'd0, ex && ps[1]};

  // Shifts and fields.
  wire [63:0] v = {c, a};
  wire is64 = !w[74];
  wire [31:0] smax = is64 ? 32'd64 : 32'd32;
  wire [31:0] swrap = bug == 8'd35 ? {27'd0, b[4:0]} : {26'd0, b[5] && is64, b[4:0]};
  wire [31:0] sclamp = b < smax ? b : smax;
  wire [31:0] shift = w[75] ? swrap : sclamp;
  wire [63:0] sleft = v << shift;
  wire [63:0] sright = !w[73] && v[63] ? ~(~v >> shift) : v >> shift;
  wire [63:0] shf = w[76] ? sright : sleft;
  wire [63:0] lshift = {w[73] ? {32{a[31]}} : c, a} << w[79:75];
  wire [31:0] lin = w[80] ? lshift[63:32] : a << w[79:75];
  wire [32:0] lea = {1'b0, lin} + {1'b0, b} + {32'd0, w[80] && w[74] && ps[0]};
  wire [31:0] fn = w[75] ? {27'd0, b[4:0]} : b < 32 ? b : 32'd32;
  wire [31:0] fs = w[75] ? {27'd0, a[4:0]} : a < 32 ? a : 32'd32;
  wire [31:0] low = ~(32'hffffffff << fn);
  wire [31:0] ext = fn != 0 && !u32 && a[fn[4:0] - 5'd1] ? ~low : 32'd0;
  wire [63:0] ones = {32'd0, low} << fs;
  wire [31:0] nb = signs[2] ? ~b : b;
  wire [31:0] fl = op == 9'h100 && !u32 && nb[31] ? ~nb : nb;
  wire [32:0] diff = u32 ? {1'b0, a} - {1'b0, b} : {a[31], a} - {b[31], b};
  wire less = u32 ? a < b : $signed(a) < $signed(b);

  wire [31:0] logic_r, perm, dot;
  reg [31:0] count, rev, top;
  integer i;
  always @* begin
    count = 0;
    top = 32'hffffffff;
    for (i = 0; i < 32; i = i + 1) begin
      rev[i] = nb[31-i];
      count = count + {31'd0, nb[i]};
      if (fl[i]) top = w[74] ? 31 - i : i;
    end
  end

  genvar g;
  generate
    for (g = 0; g < 32; g = g + 1) begin : gen_bit
      wire [2:0] k = {a[g], b[g], c[g]};
      assign logic_r[g] = w[72 + k];
    end
    for (g = 0; g < 4; g = g + 1) begin : gen_byte
      localparam [2:0] G = g;
      wire [1:0] s = b[1:0];
      wire [3:0] nib = b[4*g +: 4];
      wire [2:0] f4e = {1'b0, s} + G;
      wire [2:0] b4e = {1'b0, s} - G;
      wire [2:0] ecl = {1'b0, s > G[1:0] ? s : G[1:0]};
      wire [2:0] ecr = {1'b0, s < G[1:0] ? s : G[1:0]};
      wire [2:0] rc16 = {1'b0, s[0], G[0]};
      wire [2:0] pick = w[76:74] == 0 ? nib[2:0] : w[76:74] == 1 ? f4e : w[76:74] == 2 ? b4e
          : w[76:74] == 3 ? {1'b0, s} : w[76:74] == 4 ? ecl : w[76:74] == 5 ? ecr : rc16;
      wire [7:0] val = v[8*pick +: 8];
      assign perm[8*g +: 8] = w[76:74] == 0 && nib[3] ? {8{val[7]}} : val;
    end
  endgenerate

  function [31:0] product(input [7:0] m, input ms, input [7:0] n, input ns);
    product = {{24{m[7] && ms}}, m} * {{24{n[7] && ns}}, n};
  endfunction
  assign dot = product(a[7:0], w[74], b[7:0], w[73]) + product(a[15:8], w[74], b[15:8], w[73])
      + product(a[23:16], w[74], b[23:16], w[73]) + product(a[31:24], w[74], b[31:24], w[73]);

  function join2(input [1:0] how, input r, input s);
    join2 = how == 0 ? r && s : how == 1 ? r || s : r ^ s;
  endfunction

  wire fmin = nana ? 1'b0 : nanb ? 1'b1 : bug == 8'd34 ? flt || feq
      : flt || (feq && xa[31]);    // a comes before b
  wire [31:0] fsel = ps[0] ? xa : xb;
  wire [8:0] ea = {1'b0, fa[30:23]};
  wire [8:0] eb = {1'b0, fb[30:23]};
  wire fchk_ok = ea > 24 && ea < 255 && eb >= 2 && eb <= 252 && ea + 9'd100 >= eb
      && ea <= eb + 9'd125;
  wire [2:0] pidx = bug == 8'd10 ? {ps[0], ps[2], ps[1]} : {ps[0], ps[1], ps[2]};

  always @* begin
    lo = 0;
    hi = 0;
    q0 = 0;
    q1 = 0;
    case (op)
      9'h002, 9'h119: lo = b;                                      // MOV, S2R
      9'h005: {hi, lo} = {ch, b};                                  // CS2R
      9'h007: lo = ps[0] ? a : b;
      9'h003: lo = (bug == 8'd8 ? a : a & ~b) | ({25'd0, p} & b);  // P2R
      9'h010: begin                                                // IADD3
        lo = t[31:0];
        q0 = t[34:32] != 0;
        q1 = t[34:32] >= (bug == 8'd22 ? 3'd3 : 3'd2);
      end
      9'h024: lo = prod[31:0] + (signs[4] ? -c : c);
      9'h025: {hi, lo} = wide;
      9'h027: lo = wide[63:32];
      9'h026: lo = dot + c;
      9'h012: begin
        lo = logic_r;
        q0 = logic_r != 0;
      end
      9'h019: lo = w[80] ? shf[63:32] : shf[31:0];
      9'h011: {q0, lo} = lea;
      9'h017: lo = less == ps[0] ? a : b;
      9'h013: lo = b[31] ? -b : b;
      9'h014: lo = (less ? -diff[31:0] : diff[31:0]) + c;
      9'h016: lo = perm;
      9'h01a: lo = (a & low) | ext;
      9'h01b: lo = ones[31:0];
      9'h109: lo = count;
      9'h100: lo = top;
      9'h101: lo = rev;
      9'h00c: begin
        q0 = join2(w[75:74], icmp, ps[0]);
        q1 = join2(w[75:74], bug == 8'd5 ? icmp : !icmp, ps[0]);
      end
      9'h01c: begin
        q0 = w[16 + pidx];
        q1 = w[24 + pidx];
      end
      9'h020, 9'h021, 9'h023: lo = fr;
      9'h009: lo = (nana && nanb) || (un && w[81]) ? 32'h7fffffff : nana ? xb : nanb ? xa
          : fmin == ps[0] ? xa : xb;
      9'h008: lo = fsel;
      9'h00a: lo = join2(w[75:74], fcmp, ps[0]) ? (w[91] ? 32'h3f800000 : 32'hffffffff) : 32'd0;
      9'h00b: begin
        q0 = join2(w[75:74], fcmp, ps[0]);
        q1 = join2(w[75:74], !fcmp, ps[0]);
      end
      9'h102: q0 = !fchk_ok;
      default: lo = 0;
    endcase
  end
endmodule
