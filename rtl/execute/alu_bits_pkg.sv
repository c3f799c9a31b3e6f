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

  // Does an operand, by its upper bits, give a count or a position above 31, which is clamped to 32? With `wrap` the lower
  // five bits alone count.
  function automatic logic over(logic wrap, logic [26:0] upper);
    over = !wrap && upper != '0;
  endfunction

  // The `by` lowest bits.
  function automatic logic [31:0] ones(logic wrap, logic [31:0] by);
    ones = ~(32'hffff_ffff << by[4:0]) | {32{over(wrap, by[31:5])}};
  endfunction

  // Byte i of the result: which byte of {c, a}, and (top bit) whether only its sign.
  function automatic logic [3:0] chosen(logic [2:0] mode, logic [31:0] b, logic [1:0] i);
    automatic logic [1:0] n = b[1:0];
    automatic logic       carry = n[0] && i[0], borrow = !n[0] && i[0];   // i is a constant
    case (mode)
      isa_pkg::PRMT_F4E:  chosen = {1'b0, (n[1] && i[1]) || (carry && (n[1] || i[1])), n[1] ^ i[1] ^ carry, n[0] ^ i[0]};
      isa_pkg::PRMT_B4E:  chosen = {1'b0, (!n[1] && i[1]) || (borrow && (!n[1] || i[1])), n[1] ^ i[1] ^ borrow, n[0] ^ i[0]};
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

  // The highest of a's `by` lowest bits; none of no bits.
  function automatic logic top_of(logic wrap, logic [31:0] by, logic [31:0] a);
    automatic logic [31:0] below = {a[30:0], 1'b0};
    top_of = over(wrap, by[31:5]) ? a[31] : below[by[4:0]];
  endfunction

  // Small sums in LUTs: a carry chain costs more time than it saves.
  function automatic logic [2:0] of_four(logic [3:0] b);
    automatic logic both_lo = b[0] && b[1];
    automatic logic both_hi = b[2] && b[3];
    of_four = {both_lo && both_hi, both_lo ^ both_hi ^ ((b[0] ^ b[1]) && (b[2] ^ b[3])), ^b};
  endfunction
  function automatic logic [5:0] sum_of(logic [5:0] x, logic [5:0] y);
    automatic logic carry = 1'b0;
    for (int i = 0; i < 6; i++) begin
      sum_of[i] = x[i] ^ y[i] ^ carry;
      carry     = (x[i] && y[i]) || (carry && (x[i] || y[i]));
    end
  endfunction

  function automatic logic [5:0] ones_in(logic [31:0] b);
    automatic logic [7:0] w1, w2, w4;   // of each four bits the count, by weight
    automatic logic [2:0] a1, b1, a2, b2, a4, b4;
    for (int i = 0; i < 8; i++) {w4[i], w2[i], w1[i]} = of_four(b[4*i +: 4]);
    a1 = of_four(w1[3:0]);
    b1 = of_four(w1[7:4]);
    a2 = of_four(w2[3:0]);
    b2 = of_four(w2[7:4]);
    a4 = of_four(w4[3:0]);
    b4 = of_four(w4[7:4]);
    ones_in = sum_of(sum_of(sum_of({3'b0, a1}, {3'b0, b1}), sum_of({2'b0, a2, 1'b0}, {2'b0, b2, 1'b0})),
                     sum_of({1'b0, a4, 2'b0}, {1'b0, b4, 2'b0}));
  endfunction

  // Position of the highest one, by groups of four and then by halves; `from_top`: counted from bit 31. Top bit of the
  // result: there is none.
  function automatic logic [5:0] leading(logic from_top, logic [31:0] v);
    automatic logic [7:0] some, odd, high;   // of each group: any, and the two bits of the highest one's place
    automatic logic       p4, p3, p2;
    automatic logic [3:1] s4;
    automatic logic [3:0] o4, h4;
    automatic logic [1:0] o3, h3;
    for (int i = 0; i < 8; i++) begin
      some[i] = v[4*i +: 4] != '0;
      high[i] = v[4*i+3] || v[4*i+2];
      odd[i]  = v[4*i+3] || (v[4*i+1] && !v[4*i+2]);
    end
    p4 = some[7:4] != '0;
    s4 = p4 ? some[7:5] : some[3:1];
    o4 = p4 ? odd[7:4] : odd[3:0];
    h4 = p4 ? high[7:4] : high[3:0];
    p3 = s4[3:2] != '0;
    o3 = p3 ? o4[3:2] : o4[1:0];
    h3 = p3 ? h4[3:2] : h4[1:0];
    p2 = p3 ? s4[3] : s4[1];
    leading = {some == '0, {p4, p3, p2, p2 ? h3[1] : h3[0], p2 ? o3[1] : o3[0]} ^ {5{from_top}}};
  endfunction

  function automatic logic [31:0] reversed(logic [31:0] b);
    for (int i = 0; i < 32; i++) reversed[i] = b[31-i];
  endfunction

endpackage

`default_nettype wire
