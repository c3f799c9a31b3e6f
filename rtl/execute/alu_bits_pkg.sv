// SPDX-License-Identifier: Apache-2.0
// Functions of single bits and bytes of a word, for the first stage of the ALU: permutation, fields, counts, order.
// Latency and handshake: none, functions only.
// It does not know instructions (see alu_decode.sv); the prose of each is in isa/doc/02-instructions.md.
`default_nettype none

package alu_bits_pkg;

  // The n lowest bits; n of 32 and more: all.
  function automatic logic [31:0] ones(logic [6:0] n);
    ones = n[6:5] != '0 ? '1 : ~(32'hffff_ffff << n[4:0]);
  endfunction

  // A count or a position as an operand gives it: up to 32, or (wrap) its lowest five bits.
  function automatic logic [5:0] span(logic wrap, logic [31:0] by);
    span = wrap ? {1'b0, by[4:0]} : by[31:5] != '0 ? 6'd32 : {1'b0, by[4:0]};
  endfunction

  // Byte i of the result: which byte of {c, a}, and (top bit) whether only its sign.
  function automatic logic [3:0] chosen(logic [2:0] mode, logic [31:0] b, logic [1:0] i);
    automatic logic [1:0] n = b[1:0];
    case (mode)
      isa_pkg::PRMT_F4E:  chosen = {1'b0, 3'(n) + 3'(i)};
      isa_pkg::PRMT_B4E:  chosen = {1'b0, 3'(n) - 3'(i)};
      isa_pkg::PRMT_RC8:  chosen = {2'b0, n};
      isa_pkg::PRMT_ECL:  chosen = {2'b0, n > i ? n : i};
      isa_pkg::PRMT_ECR:  chosen = {2'b0, n < i ? n : i};
      isa_pkg::PRMT_RC16: chosen = {2'b0, b[0], i[0]};
      default:            chosen = 4'(b >> {i, 2'b00});
    endcase
  endfunction

  function automatic logic [31:0] permuted(logic [2:0] mode, logic [31:0] a, logic [31:0] b, logic [31:0] c);
    automatic logic [3:0] take;
    automatic logic [7:0] part;
    permuted = '0;
    for (int i = 0; i < 4; i++) begin
      take = chosen(mode, b, 2'(i));
      part = 8'({c, a} >> {take[2:0], 3'b000});
      permuted[8*i +: 8] = take[3] ? {8{part[7]}} : part;
    end
  endfunction

  function automatic logic [31:0] extended(logic wrap, logic uns, logic [31:0] a, logic [31:0] b);
    automatic logic [31:0] low  = ones(7'(span(wrap, b)));
    automatic logic        sign = !uns && (a & low & ~(low >> 1)) != '0;
    extended = (a & low) | (~low & {32{sign}});
  endfunction

  function automatic logic [31:0] mask(logic wrap, logic [31:0] a, logic [31:0] b);
    automatic logic [5:0] from = span(wrap, a);
    mask = ones(7'(from) + 7'(span(wrap, b))) & ~ones(7'(from));
  endfunction

  function automatic logic [31:0] ones_in(logic [31:0] b);
    automatic logic [7:0][2:0] of4;
    automatic logic [3:0][3:0] of8;
    automatic logic [5:0]      of32;
    for (int i = 0; i < 8; i++) of4[i] = 3'(b[4*i]) + 3'(b[4*i+1]) + 3'(b[4*i+2]) + 3'(b[4*i+3]);
    for (int i = 0; i < 4; i++) of8[i] = 4'(of4[2*i]) + 4'(of4[2*i+1]);
    of32 = (6'(of8[0]) + 6'(of8[1])) + (6'(of8[2]) + 6'(of8[3]));
    ones_in = {26'b0, of32};
  endfunction

  // Position of the highest one, by halves; `from_top`: counted from bit 31. None: all ones.
  function automatic logic [31:0] leading(logic uns, logic from_top, logic [31:0] b);
    automatic logic [31:0] v  = b ^ {32{!uns && b[31]}};
    automatic logic        p4 = v[31:16] != '0;
    automatic logic [15:0] h4 = p4 ? v[31:16] : v[15:0];
    automatic logic        p3 = h4[15:8] != '0;
    automatic logic [7:0]  h3 = p3 ? h4[15:8] : h4[7:0];
    automatic logic        p2 = h3[7:4] != '0;
    automatic logic [3:0]  h2 = p2 ? h3[7:4] : h3[3:0];
    automatic logic        p1 = h2[3:2] != '0;
    automatic logic [1:0]  h1 = p1 ? h2[3:2] : h2[1:0];
    leading = h1 == '0 ? '1 : {27'b0, {p4, p3, p2, p1, h1[1]} ^ {5{from_top}}};
  endfunction

  function automatic logic [31:0] reversed(logic [31:0] b);
    for (int i = 0; i < 32; i++) reversed[i] = b[31-i];
  endfunction

endpackage

`default_nettype wire
