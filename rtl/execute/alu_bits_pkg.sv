// SPDX-License-Identifier: Apache-2.0
// Functions of single bits and bytes of a word, for the first stage of the ALU: any function of three, permutation, counts,
// order. Written for LUTs of four inputs: a choice of 2n words takes n of them a bit (see `permuted`).
// Latency and handshake: none, functions only.
// It does not know instructions (see alu_decode.sv); the prose of each is in isa/doc/02-instructions.md.
`default_nettype none

package alu_bits_pkg;

  // Any function of three bits as a sum modulo 2 of products (alu_decode's terms_of), bit by bit.
  function automatic logic [31:0] logic3(logic [7:0] terms, logic [31:0] a, logic [31:0] b, logic [31:0] c);
    automatic logic [31:0] t0   = b & ({32{terms[2]}} ^ (c & {32{terms[3]}}));
    automatic logic [31:0] t1   = b & ({32{terms[6]}} ^ (c & {32{terms[7]}}));
    automatic logic [31:0] none = {32{terms[0]}} ^ (c & {32{terms[1]}}) ^ t0;
    automatic logic [31:0] with_a = {32{terms[4]}} ^ (c & {32{terms[5]}}) ^ t1;
    logic3 = none ^ (a & with_a);
  endfunction

  // The n lowest bits; n of 32 and more: all.
  function automatic logic [31:0] ones(logic [5:0] n);
    ones = n[5] ? '1 : ~(32'hffff_ffff << n[4:0]);
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

  // Permuted bytes, or (not en) `fill` in every bit. A pair of bytes after the other passes on what came to it, or
  // takes one of its own two, as all zeros or all ones say that came to it.
  function automatic logic [31:0] permuted(logic en, logic fill, logic [2:0] mode, logic [31:0] a, logic [31:0] b,
                                           logic [31:0] c);
    automatic logic [7:0][7:0] from = {c, a};
    automatic logic [3:0]      take;
    automatic logic            plain, value;
    automatic logic [7:0]      part;
    for (int i = 0; i < 4; i++) begin
      take  = chosen(mode, b, 2'(i));
      plain = en && !take[3];
      value = !en ? fill : take[3] ? 1'(from[take[2:0]] >> 7) : take[0];
      part  = !(plain && take[2:1] == 2'd0) ? {8{value}} : value ? from[1] : from[0];
      for (int k = 1; k < 4; k++) begin
        part = !(plain && take[2:1] == 2'(k)) ? part : (part & from[2*k+1]) | (~part & from[2*k]);
      end
      permuted[8*i +: 8] = part;
    end
  endfunction

  // The highest of the n lowest bits; none of no bits.
  function automatic logic top_of(logic [5:0] n, logic [31:0] a);
    top_of = n != '0 && a[n[4:0] - 5'd1];
  endfunction

  function automatic logic [5:0] ones_in(logic [31:0] b);
    automatic logic [7:0][2:0] of4;
    automatic logic [3:0][3:0] of8;
    for (int i = 0; i < 8; i++) of4[i] = 3'(b[4*i]) + 3'(b[4*i+1]) + 3'(b[4*i+2]) + 3'(b[4*i+3]);
    for (int i = 0; i < 4; i++) of8[i] = 4'(of4[2*i]) + 4'(of4[2*i+1]);
    ones_in = (6'(of8[0]) + 6'(of8[1])) + (6'(of8[2]) + 6'(of8[3]));
  endfunction

  // Position of the highest one, by halves; `from_top`: counted from bit 31. Top bit of the result: there is none.
  function automatic logic [5:0] leading(logic from_top, logic [31:0] v);
    automatic logic        p4 = v[31:16] != '0;
    automatic logic [15:0] h4 = p4 ? v[31:16] : v[15:0];
    automatic logic        p3 = h4[15:8] != '0;
    automatic logic [7:0]  h3 = p3 ? h4[15:8] : h4[7:0];
    automatic logic        p2 = h3[7:4] != '0;
    automatic logic [3:0]  h2 = p2 ? h3[7:4] : h3[3:0];
    automatic logic        p1 = h2[3:2] != '0;
    automatic logic [1:0]  h1 = p1 ? h2[3:2] : h2[1:0];
    leading = {h1 == '0, {p4, p3, p2, p1, h1[1]} ^ {5{from_top}}};
  endfunction

  function automatic logic [31:0] reversed(logic [31:0] b);
    for (int i = 0; i < 32; i++) reversed[i] = b[31-i];
  endfunction

endpackage

`default_nettype wire
