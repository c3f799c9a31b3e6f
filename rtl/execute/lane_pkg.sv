// SPDX-License-Identifier: Apache-2.0
// Word-level parts of the lanes, as functions: what a stage computes stands inside the clocked process that registers
// it, under the stage's enable, so that an idle lane costs a simulator nothing.
// Latency and handshake: none, functions only.
// It does not hold state, and knows no instruction.
`default_nettype none

package lane_pkg;

  // Any function of three bits, given as a truth table (index a<<2 | b<<1 | c), bit by bit.
  function automatic logic [31:0] logic3(logic [7:0] lut, logic [31:0] a, logic [31:0] b, logic [31:0] c);
    logic [31:0] a0, a1, b00, b01, b10, b11;
    b11 = (c & {32{lut[7]}}) | (~c & {32{lut[6]}});
    b10 = (c & {32{lut[5]}}) | (~c & {32{lut[4]}});
    b01 = (c & {32{lut[3]}}) | (~c & {32{lut[2]}});
    b00 = (c & {32{lut[1]}}) | (~c & {32{lut[0]}});
    a1  = (b & b11) | (~b & b10);
    a0  = (b & b01) | (~b & b00);
    logic3 = (a & a1) | (~a & a0);
  endfunction

  // A choice among {hi, lo, all zeros, all ones}; see `shift`.
  localparam logic [1:0] PICK_ZERO = 2'b00, PICK_LO = 2'b01, PICK_HI = 2'b10;
  function automatic logic [31:0] pick(logic [1:0] what, logic [31:0] hi, logic [31:0] lo);
    pick = (hi & {32{what[1]}}) | (lo & {32{what[0]}}) | {32{what == 2'b11}};
  endfunction

  // The one shifter of a lane: SHF, and the shifts of LEA. One word of {hi, lo} shifted left or right by 0 to 64. Whole
  // words are moved by choosing the two words of a funnel, which then shifts right by 0 to 31; a left shift by n is a right
  // shift by 32 - n of the words above.
  function automatic logic [31:0] shift(exec_pkg::shift_ctl_t ctl, logic [31:0] hi, logic [31:0] lo, logic [31:0] by);
    logic        over;
    logic [1:0]  words, up, high, low, fill, hi_word;
    logic [4:0]  bits, right;
    logic [62:0] funnel;
    logic [46:0] by_16;
    logic [38:0] by_8;
    logic [34:0] by_4;
    logic [32:0] by_2;

    // The amount: wrapped or clamped to its range, in whole words and bits.
    over  = !ctl.wrap && (by[31:6] != '0 || (by[5] && !ctl.range64));
    words = {over && ctl.range64, (over && !ctl.range64) || (!over && by[5] && ctl.range64)};
    bits  = over ? 5'd0 : by[4:0];
    if (ctl.fixed) begin
      words = 2'd0;
      bits  = ctl.amount;
    end

    fill    = {2{ctl.arith && hi[31]}};
    hi_word = ctl.sext ? {2{lo[31]}} : PICK_HI;
    if (ctl.left) begin
      // {hi, lo, 0, 0}
      up    = words + {1'b0, !ctl.hi};
      high  = (up == 2'd0) ? hi_word : (up == 2'd1) ? PICK_LO : PICK_ZERO;
      low   = (up == 2'd0) ? PICK_LO : PICK_ZERO;
      if (bits == 5'd0) low = high;
      right = -bits;
    end else begin
      // {fill, fill, hi, lo}
      up    = words + {1'b0, ctl.hi};
      high  = (up == 2'd0) ? hi_word : fill;
      low   = (up == 2'd0) ? PICK_LO : (up == 2'd1) ? hi_word : fill;
      right = bits;
    end
    funnel = 63'({pick(high, hi, lo), pick(low, hi, lo)});

    by_16 = right[4] ? funnel[62:16] : funnel[46:0];
    by_8  = right[3] ? by_16[46:8]   : by_16[38:0];
    by_4  = right[2] ? by_8[38:4]    : by_8[34:0];
    by_2  = right[1] ? by_4[34:2]    : by_4[32:0];
    shift = right[0] ? by_2[32:1]    : by_2[31:0];
  endfunction

  // Zeros above the highest set bit; 32 and above (bit 5) for zero.
  function automatic logic [5:0] zeros(logic [31:0] word);
    logic [15:0] w16;
    logic [7:0]  w8;
    logic [3:0]  w4;
    logic [1:0]  w2;
    logic        z16, z8, z4, z2;
    z16   = word[31:16] == '0;
    w16   = z16 ? word[15:0] : word[31:16];
    z8    = w16[15:8] == '0;
    w8    = z8 ? w16[7:0] : w16[15:8];
    z4    = w8[7:4] == '0;
    w4    = z4 ? w8[3:0] : w8[7:4];
    z2    = w4[3:2] == '0;
    w2    = z2 ? w4[1:0] : w4[3:2];
    zeros = {w2 == '0, z16, z8, z4, z2, !w2[1]};
  endfunction

  function automatic logic [31:0] rotate_left(logic [31:0] word, logic [4:0] by);
    logic [31:0] w;
    w = by[4] ? {word[15:0], word[31:16]} : word;
    w = by[3] ? {w[23:0], w[31:24]} : w;
    w = by[2] ? {w[27:0], w[31:28]} : w;
    w = by[1] ? {w[29:0], w[31:30]} : w;
    rotate_left = by[0] ? {w[30:0], w[31]} : w;
  endfunction

endpackage

`default_nettype wire
