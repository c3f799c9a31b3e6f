// SPDX-License-Identifier: Apache-2.0
// Functions of single bits and bytes of a word, for the first stage of the ALU: any function of three, permutation, counts,
// order. Written for LUTs of four inputs: a choice of 2n words takes n of them a bit.
// Latency and handshake: none, functions only.
// It names no instructions (alu_decode.sv does); the prose of each is in isa/doc/02-instructions.md.
package alu_bits_pkg;

  // Which byte of which operand PRMT takes for byte i of the result: byte i + rest (mod 4) of a, or of c. Each bit of {c, rest} is,
  // modulo 2, the sum of products of b's lowest two bits.
  typedef struct packed {
    logic both, n1, n0, one;
  } place_bit_t;
  typedef struct packed {
    logic             named;           // or it is the number that b has for each byte, with a bit for its sign alone
    place_bit_t [3:0][2:0] of;         // of each byte of the result, each bit
  } place_t;

  // Does an operand, by its upper bits, give a count or a position above 31, which is clamped to 32? With `wrap` the lower
  // five bits alone count.
  function automatic logic over(logic wrap, logic [26:0] upper);
    over = !wrap && upper != '0;
  endfunction

  // The `by` lowest bits, or (not en) none: those of bytes below the one where it ends, and in that byte.
  function automatic logic [31:0] ones(logic en, logic [4:0] by);
    automatic logic [7:0] inner = ~(8'hff << by[2:0]);
    for (int i = 0; i < 4; i++) begin
      ones[8*i +: 8] = {8{en && by[4:3] > 2'(i)}} | ({8{en && by[4:3] == 2'(i)}} & inner);
    end
  endfunction

  // For byte i of the result (place_t): {its sign alone, of c, rest}. For byte 0 the bits that b names are n's own.
  function automatic logic [3:0] place(place_t where, logic [31:0] b, logic [1:0] i);
    automatic logic [3:0] name = 4'(b >> {i, 2'b00}) & {4{where.named}};
    automatic logic [2:0] rest = {name[2], (i == 2'd0) ? 2'd0 : {name[1] ^ (name[0] && i[0]), name[0]}};   // less i: see `of.one`
    for (int k = 0; k < 3; k++) begin
      place[k] = (b[0] && (where.of[i][k].n0 ^ (b[1] && where.of[i][k].both))) ^ (b[1] && where.of[i][k].n1)
                 ^ where.of[i][k].one ^ rest[k];
    end
    place[3] = name[3];
  endfunction

  // The highest of a's `by` lowest bits; none of no bits.
  function automatic logic top_of(logic wrap, logic [31:0] by, logic [31:0] a);
    automatic logic [31:0] below = {a[30:0], 1'b0};
    top_of = over(wrap, by[31:5]) ? a[31] : below[by[4:0]];
  endfunction

  // Three bits of one weight as two: a sum in two LUTs.
  function automatic logic [1:0] of_three(logic a, logic b, logic c);
    of_three = {(a && b) || (c && (a || b)), a ^ b ^ c};
  endfunction

  // The ones of seven bits, in four of these; and of sixteen, in fifteen. In LUTs: a carry chain costs more time than it saves.
  function automatic logic [2:0] of_seven(logic [6:0] b);
    automatic logic [1:0] s0 = of_three(b[0], b[1], b[2]);
    automatic logic [1:0] s1 = of_three(b[3], b[4], b[5]);
    automatic logic [1:0] s2 = of_three(s0[0], s1[0], b[6]);
    of_seven = {of_three(s0[1], s1[1], s2[1]), s2[0]};
  endfunction
  function automatic logic [4:0] ones_in(logic [15:0] b);
    automatic logic [2:0] x  = of_seven(b[6:0]);
    automatic logic [2:0] y  = of_seven(b[13:7]);
    automatic logic [1:0] s0 = of_three(x[0], y[0], b[14]);
    automatic logic [1:0] s1 = of_three(x[1], y[1], s0[1]);
    automatic logic [1:0] s2 = of_three(x[2], y[2], s1[1]);
    automatic logic [4:0] some = {1'b0, s2, s1[0], s0[0]};
    for (int i = 0; i < 5; i++) ones_in[i] = some[i] ^ (b[15] && (some & 5'((1 << i) - 1)) == 5'((1 << i) - 1));
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
