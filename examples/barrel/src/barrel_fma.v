// SPDX-License-Identifier: Apache-2.0
// One lane's FP32 multiply-add, exact and rounded once. Combinational.
// FADD comes as a*1+b, FMUL with mul set: then c is a zero with the product's sign.
// a, b, c have had their absolute values and signs applied.
module barrel_fma (
    input  wire [7:0]  bug,
    input  wire [31:0] a,
    input  wire [31:0] b,
    input  wire [31:0] c,
    input  wire        mul,
    input  wire [1:0]  rnd,   // 0 nearest even, 1 down, 2 up, 3 to zero
    input  wire        ftz,
    input  wire        sat,
    output reg  [31:0] r
);
  reg [31:0] x, y, z;
  reg sp, sz, s, nan, inf, pinf, xz, yz;
  reg [23:0] mx, my, mz, mant;
  reg [47:0] mp;
  reg [103:0] p, q, sum, n;
  integer ex, ey, ez, d, base, l, e, rs, i;
  reg dropped, guard, sticky, inc, carry;
  reg [25:0] m;
  reg [31:0] packed_r;

  // Rounds up? g: the first bit dropped, t: any other, o: the last bit kept.
  function up(input [1:0] mode, input neg, input g, input t, input o, input [7:0] bg);
    case (mode)
      2'd0: up = g && (t || o || bg == 8'd27);
      2'd1: up = neg && (g || t) && bg != 8'd28;
      2'd2: up = !neg && (g || t);
      default: up = 1'b0;
    endcase
  endfunction

  always @* begin
    // Inputs, flushed where asked.
    x = ftz && a[30:23] == 0 ? {a[31], 31'd0} : a;
    y = ftz && b[30:23] == 0 ? {b[31], 31'd0} : b;
    sp = x[31] ^ y[31];
    z = mul ? {sp, 31'd0} : ftz && c[30:23] == 0 ? {c[31], 31'd0} : c;
    sz = z[31];
    xz = x[30:0] == 0;
    yz = y[30:0] == 0;
    pinf = x[30:0] == 31'h7f800000 || y[30:0] == 31'h7f800000;
    inf = pinf || z[30:0] == 31'h7f800000;
    nan = x[30:0] > 31'h7f800000 || y[30:0] > 31'h7f800000 || z[30:0] > 31'h7f800000
        || (pinf && (xz || yz)) || (pinf && z[30:0] == 31'h7f800000 && sp != sz);
    mx = {x[30:23] != 0, x[22:0]};
    my = {y[30:23] != 0, y[22:0]};
    mz = {z[30:23] != 0, z[22:0]};
    ex = x[30:23] == 0 ? 1 : {24'd0, x[30:23]};
    ey = y[30:23] == 0 ? 1 : {24'd0, y[30:23]};
    ez = z[30:23] == 0 ? 1 : {24'd0, z[30:23]};
    mp = mx * my;
    // Align: the product stands at bit 28, c's lowest bit d above the product's lowest.
    d = ez - ex - ey + 150;
    if (mz == 0) d = 0;
    if (mp == 0) d = 51;                           // nothing is shifted out for a product of zero
    base = ex + ey - 328;
    p = {28'd0, mp, 28'd0};
    dropped = 1'b0;
    if (d > 50) begin
      base = ez - 228;
      p = {103'd0, mp != 0};
      q = {80'd0, mz} << 78;
    end else if (d >= -28) q = {80'd0, mz} << (28 + d);
    else begin
      q = d < -60 ? 104'd0 : {80'd0, mz} >> (-28 - d);
      dropped = d < -60 ? mz != 0 : (q << (-28 - d)) != {80'd0, mz};
      q[0] = q[0] | (dropped && bug != 8'd29);
    end
    // Add.
    s = sp;
    if (sp == sz) sum = p + q;
    else if (p >= q) sum = p - q;
    else begin
      sum = q - p;
      s = sz;
    end
    // Normalise: the leading one at bit 103.
    l = 0;
    for (i = 0; i < 104; i = i + 1) if (sum[i]) l = i;
    n = sum << (103 - l);
    e = base + l + 127;
    mant = n[103:80];
    guard = n[79];
    sticky = n[78:0] != 0;
    inc = up(rnd, s, guard, sticky, mant[0], bug);
    carry = inc && mant == 24'hffffff;
    // Round where the number has its place.
    rs = e < 1 ? (e < -26 ? 27 : 1 - e) : 0;
    m = {mant, guard, sticky} >> rs;
    sticky = m[0] || (m << rs) != {mant, guard, sticky};
    inc = up(rnd, s, m[1], sticky, m[2], bug);
    packed_r = {s, 31'd0};
    packed_r[30:0] = (e < 1 ? 31'd0 : {e[7:0] - 8'd1, 23'd0}) + {7'd0, m[25:2]} + {30'd0, inc};
    if (e > 254 || packed_r[30:23] == 8'hff)
      packed_r = {s, rnd == 0 || rnd == (s ? 2'd1 : 2'd2) ? 31'h7f800000 : 31'h7f7fffff};
    if (ftz && bug != 8'd31 && (e < 0 || (e == 0 && !carry)))
      packed_r = {s && bug != 8'd32, 31'd0};
    // What has no digits.
    if (sum == 0) packed_r = {sp == sz ? sp : rnd == 2'd1, 31'd0};
    if (inf) packed_r = pinf ? {sp, 31'h7f800000} : z;
    if (nan) packed_r = bug == 8'd30 && x[30:0] <= 31'h7f800000 ? 32'h7fc00000 : 32'h7fffffff;
    r = packed_r;
    if (sat) begin
      if (nan) r = 32'd0;
      else if (packed_r[31]) r = 32'd0;
      else if (packed_r[30:0] > 31'h3f800000) r = 32'h3f800000;
    end
  end
endmodule
