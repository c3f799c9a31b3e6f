// SPDX-License-Identifier: Apache-2.0
// What a word says, and whether it is legal here. Combinational.
// Units: alu, fma, mem, br, warp; no uni (no uniform register may be named), no fatom.
// Every bit that the encoding does not own must be zero.
module barrel_decode (
    input  wire [7:0]   bug,
    input  wire [127:0] w,
    input  wire [8:0]   regs,      // registers of the kernel
    output reg          legal,
    output reg  [1:0]   na,        // words of operand a, from ra
    output reg  [2:0]   nb,        // words of operand b
    output reg  [1:0]   nc,        // words of operand c
    output reg  [2:0]   bsel,      // where an operand lies: see below
    output reg  [2:0]   csel,
    output reg  [2:0]   nd,        // words of the destination
    output reg  [4:0]   signs,     // negate c, absolute b, negate b, absolute a, negate a
    output reg          p0,        // predicate destinations and sources that the encoding has
    output reg          p1,
    output reg  [2:0]   ps,
    output reg  [2:0]   unit
);
  localparam [2:0] NONE = 0, RB = 1, RC = 2, IMM = 3, CONST = 4, SHB = 5, SHC = 6, SREG = 7;
  localparam [2:0] LANE = 0, MEM = 1, BRANCH = 2, WARP = 3;
  wire [8:0] op = w[8:0];
  wire [2:0] form = w[11:9];

  // Families: three, two or one general operands (no form with a uniform register).
  localparam [2:0] T3 = 0, T2 = 1, T1 = 2, OTHER = 3;
  reg [2:0] family;
  reg [7:1] forms;                 // forms that the instruction has
  reg dst, neg_a, neg_b, neg_c, abs_ab, reuse, bad;
  reg [127:0] own, more;

  function [127:0] bits(input [6:0] hi, input [6:0] lo);
    bits = ~(128'd0) >> (127 - hi + lo) << lo;
  endfunction

  // Registers that a size fills; 0: no such size.
  function [2:0] words(input [2:0] size);
    words = size == 7 ? 3'd0 : size == 6 ? 3'd4 : size == 5 ? 3'd2 : 3'd1;
  endfunction
  function [2:0] atom_words(input [5:0] aop, input red);
    case (aop)
      6'd0, 6'd8, 6'd9, 6'd12, 6'd13, 6'd16, 6'd17, 6'd20, 6'd22, 6'd24: atom_words = 3'd1;
      6'd1, 6'd10, 6'd11, 6'd14, 6'd15, 6'd21, 6'd23, 6'd25: atom_words = 3'd2;
      6'd26: atom_words = red ? 3'd0 : 3'd1;
      6'd27: atom_words = red ? 3'd0 : 3'd2;
      default: atom_words = 3'd0;
    endcase
  endfunction
  // A register operand of n words fits.
  function fits(input [7:0] r, input [2:0] n, input [8:0] count);
    fits = r == 8'hff || n == 0
        || ({1'b0, r} + {6'd0, n} <= count && (r[1:0] & (n[1:0] - 2'd1)) == 0 && n != 4)
        || ({1'b0, r} + 9'd4 <= count && r[1:0] == 0 && n == 4);
  endfunction

  always @* begin
    family = OTHER;
    forms = 7'b0000000;
    {na, nb, nc, nd} = 0;
    bsel = NONE;
    csel = NONE;
    {dst, neg_a, neg_b, neg_c, abs_ab, reuse, bad, p0, p1} = 0;
    ps = 0;
    more = 0;
    unit = LANE;
    case (op)
      9'h002: begin family = T1; dst = 1; end
      9'h007: begin family = T2; dst = 1; ps[0] = 1; end
      9'h119: begin dst = 1; forms = 7'b0001000; more = bits(79, 72); bsel = SREG; end
      9'h005: begin
        dst = 1; forms = 7'b0001000; nd = 2; more = bits(79, 72); bsel = SREG;
        bad = w[79:72] != 80 && w[79:72] != 255;
      end
      9'h003: begin family = T2; dst = 1; end
      9'h004: family = T2;
      9'h010: begin
        family = T3; dst = 1; p0 = 1; p1 = 1; {neg_a, neg_b, neg_c} = 3'b111;
        more = bits(74, 74);
        ps = w[74] ? 3'b011 : 3'b000;
      end
      9'h024: begin family = T3; dst = 1; neg_c = 1; more = bits(73, 73); end
      9'h025, 9'h027: begin
        family = T3; dst = 1; more = bits(73, 73);
        nd = op == 9'h025 ? 3'd2 : 3'd1; nc = 2;
      end
      9'h026: begin family = T3; dst = 1; more = bits(74, 73); end
      9'h012: begin family = T3; dst = 1; p0 = 1; more = bits(79, 72); end
      9'h019: begin family = T3; dst = 1; more = bits(76, 73) | bits(80, 80); end
      9'h011: begin
        family = w[80] ? T3 : T2; dst = 1; p0 = 1; ps[0] = w[80] && w[74];
        more = bits(80, 75) | (w[80] ? bits(74, 73) : 128'd0);
      end
      9'h017: begin family = T2; dst = 1; ps[0] = 1; more = bits(73, 73); end
      9'h013: begin family = T1; dst = 1; end
      9'h014: begin family = T3; dst = 1; more = bits(73, 73); end
      9'h016: begin family = T3; dst = 1; more = bits(76, 74); bad = w[76:74] == 7; end
      9'h01a: begin family = T2; dst = 1; more = bits(75, 75) | bits(73, 73); end
      9'h01b: begin family = T2; dst = 1; more = bits(75, 75); end
      9'h109, 9'h101: begin family = T1; dst = 1; neg_b = 1; end
      9'h100: begin family = T1; dst = 1; neg_b = 1; more = bits(74, 73); end
      9'h00c: begin
        family = T2; p0 = 1; p1 = 1; ps = w[91] ? 3'b101 : 3'b001;
        more = bits(78, 73) | bits(91, 91); bad = w[75:74] == 3;
      end
      9'h01c: begin
        forms = 7'b0001000; p0 = 1; p1 = 1; ps = 3'b111; more = bits(31, 16);
      end
      9'h020, 9'h021: begin
        family = T2; dst = 1; more = bits(80, 77); {neg_a, neg_b, abs_ab} = 3'b111;
      end
      9'h023: begin
        family = T3; dst = 1; more = bits(80, 77); {neg_a, neg_b, neg_c} = 3'b111;
      end
      9'h009: begin
        family = T2; dst = 1; ps[0] = 1; more = bits(81, 80); {neg_a, neg_b, abs_ab} = 3'b111;
      end
      9'h008: begin
        family = T2; dst = 1; ps[0] = 1; more = bits(80, 80); {neg_a, neg_b, abs_ab} = 3'b111;
      end
      9'h00a: begin
        family = T2; dst = 1; ps[0] = 1; more = bits(80, 74) & ~bits(73, 73) | bits(91, 91);
        {neg_a, neg_b, abs_ab} = 3'b111; bad = w[75:74] == 3;
      end
      9'h00b: begin
        family = T2; p0 = 1; p1 = 1; ps[0] = 1; more = bits(80, 74);
        {neg_a, neg_b, abs_ab} = 3'b111; bad = w[75:74] == 3;
      end
      9'h102: begin family = T2; p0 = 1; {neg_a, neg_b, abs_ab} = 3'b111; end
      // What lanes say to each other.
      9'h189: begin
        unit = WARP; dst = 1; p0 = 1; na = 1; forms = 7'b1001011; more = bits(59, 58);
        bsel = form == 1 || form == 2 ? RB : SHB;
        csel = form == 1 || form == 4 ? RC : SHC;
      end
      9'h006: begin
        unit = WARP; dst = 1; p0 = 1; ps[0] = 1; forms = 7'b0001000; more = bits(73, 72);
        bad = w[73:72] == 3;
      end
      9'h01e: begin unit = WARP; dst = 1; forms = 7'b0001000; end
      9'h1a1: begin
        unit = WARP; dst = 1; p0 = 1; forms = 7'b0000001; reuse = 1;
        na = w[73] ? 2'd2 : 2'd1; more = bits(79, 79) | bits(73, 73);
      end
      // Memory: a 64-bit address has bit 72 set.
      9'h181, 9'h180, 9'h184, 9'h183: begin
        unit = MEM; dst = 1; forms = 7'b0000001; nd = words(w[75:73]); bad = nd == 0;
        na = op == 9'h181 || op == 9'h180 ? 2'd2 : 2'd1;
        more = bits(63, 40) | bits(75, 73) | (na[1] ? bits(78, 77) | bits(72, 72) : 128'd0);
      end
      9'h186, 9'h185, 9'h188, 9'h187: begin
        unit = MEM; forms = 7'b0000001; nb = words(w[75:73]); bad = nb == 0; bsel = RB;
        na = op == 9'h186 || op == 9'h185 ? 2'd2 : 2'd1;
        more = bits(63, 40) | bits(75, 73) | (na[1] ? bits(78, 77) | bits(72, 72) : 128'd0);
      end
      9'h182: begin
        unit = MEM; dst = 1; forms = 7'b0010000; na = 1; nd = words(w[75:73]); bad = nd == 0;
        more = bits(58, 38) | bits(75, 73);
      end
      9'h1a8, 9'h18a, 9'h18c, 9'h18e: begin
        unit = MEM; dst = op != 9'h18e; forms = 7'b0000001; bsel = RB;
        na = op != 9'h18c ? 2'd2 : 2'd1;
        nb = atom_words(w[92:87], op == 9'h18e); bad = nb == 0;
        nd = dst ? nb : 3'd0;
        more = bits(63, 40) | bits(92, 87) | (na[1] ? bits(78, 77) | bits(72, 72) : 128'd0);
      end
      9'h18b, 9'h1a9, 9'h18d: begin
        unit = MEM; dst = 1; forms = 7'b0000001; bsel = RB; csel = RC;
        na = op != 9'h18d ? 2'd2 : 2'd1;
        nb = w[73] ? 3'd2 : 3'd1;
        nd = nb;
        nc = nb[1:0];
        more = bits(63, 40) | bits(73, 73) | (na[1] ? bits(78, 77) | bits(72, 72) : 128'd0);
      end
      9'h03b: begin
        unit = MEM; dst = 1; forms = 7'b0000001; na = 1; bad = w[73:72] == 3;
        nd = 3'd1 << w[73:72]; more = bits(63, 40) | bits(78, 78) | bits(73, 72);
      end
      9'h198: begin
        unit = MEM; forms = 7'b0000001; na = 2; bad = w[74:73] == 3;
        more = bits(63, 40) | bits(74, 72);
      end
      // Control.
      9'h192: begin unit = BRANCH; forms = 7'b0001000; more = bits(77, 76); bad = w[77:76] == 3; end
      9'h118, 9'h146, 9'h14d, 9'h15b, 9'h15c: begin unit = BRANCH; forms = 7'b0001000; end
      9'h147, 9'h144, 9'h14a: begin unit = BRANCH; forms = 7'b0001000; more = bits(63, 32); end
      9'h149, 9'h143, 9'h150: begin
        unit = BRANCH; forms = 7'b0000001; na = 2; more = bits(63, 32);
      end
      9'h145: begin unit = BRANCH; forms = 7'b0001000; more = bits(63, 32) | bits(19, 16); end
      9'h141, 9'h142: begin unit = BRANCH; forms = 7'b0001000; more = bits(19, 16); end
      9'h155: begin
        unit = BRANCH; dst = 1; forms = 7'b0001000; more = bits(27, 24) | bits(84, 84);
      end
      9'h156, 9'h148, 9'h15d: begin
        unit = BRANCH; forms = 7'b0001001; bsel = form == 1 ? RB : IMM; reuse = form == 1;
        more = (op == 9'h156 ? bits(19, 16) : 128'd0) | (form == 1 ? 128'd0 : bits(63, 32));
      end
      9'h11d, 9'h11e: begin unit = BRANCH; forms = 7'b0001000; more = bits(57, 42); end
      9'h11f: begin
        unit = BRANCH; dst = 1; ps[0] = 1; forms = 7'b0001000; more = bits(57, 42);
      end
      9'h120: begin
        unit = BRANCH; p0 = 1; ps[0] = 1; forms = 7'b0001000; more = bits(57, 42) | bits(74, 74);
      end
      9'h11a: begin
        unit = BRANCH; forms = 7'b0001000; more = bits(46, 38); bad = w[46:44] > 5;
      end
      default: bad = 1;
    endcase

    // The operands of the general families.
    if (family != OTHER) begin
      forms = family == T3 ? 7'b0011111 : 7'b0011001;
      if (op == 9'h025 || op == 9'h027 || op == 9'h026 || op == 9'h019 || op == 9'h011
          || op == 9'h014) forms = 7'b0011001;
      if (op == 9'h025) forms = 7'b0011101;
      if (op == 9'h016) forms = 7'b0011011;
      na = family == T1 ? 2'd0 : 2'd1;
      nb = 1;
      bsel = form == 1 ? RB : form == 4 ? IMM : form == 5 ? CONST : RC;
      if (family == T3) begin
        csel = form == 2 ? IMM : form == 3 ? CONST : RC;
        if (nc == 0) nc = 1;
      end
      reuse = family != T1 || form == 1;
    end
    if (bsel != NONE && nb == 0) nb = bsel == SREG && op == 9'h005 ? 3'd2 : 3'd1;
    if (csel != NONE && nc == 0) nc = 1;
    if (dst && nd == 0) nd = 1;

    // Every bit that is owned.
    own = bits(15, 0) | bits(121, 105) | more;
    if (dst) own = own | bits(23, 16);
    if (na != 0) own = own | bits(31, 24);
    if (bsel == RB) own = own | bits(39, 32);
    if (bsel == SHB) own = own | bits(57, 53);
    if (csel == SHC) own = own | bits(52, 40);
    if (bsel == RC || csel == RC) own = own | bits(71, 64);
    if (bsel == IMM || csel == IMM) own = own | bits(63, 32);
    if (bsel == CONST || csel == CONST) begin
      own = own | bits(58, 38);
      if (w[39:38] != 0 || (csel == CONST && nc == 2 && w[40])) bad = 1;
    end
    if (neg_a) own[72] = 1;
    if (abs_ab) own[73] = 1;
    if (neg_b && bsel == RC) own[75] = 1;
    if (neg_b && (bsel == RB || bsel == CONST)) own[63] = 1;
    if (abs_ab && (bsel == RB || bsel == CONST)) own[62] = 1;
    if (neg_c && csel == RC) own[75] = 1;
    if (neg_c && csel == CONST) own[63] = 1;
    if (p0) own = own | bits(83, 81);
    if (p1) own = own | bits(86, 84);
    if (ps[0]) own = own | bits(90, 87);
    if (ps[1]) own = own | bits(80, 77);
    if (ps[2]) own = own | bits(71, 68);
    if (reuse) own = own | bits(124, 122);
    signs[0] = neg_a && w[72];
    signs[1] = abs_ab && w[73];
    signs[2] = neg_b && (bsel == RC ? w[75] : bsel != IMM && w[63]);
    signs[3] = abs_ab && bsel != IMM && w[62];
    signs[4] = neg_c && (csel == RC ? w[75] : csel == CONST && w[63]);

    // Values that mean nothing.
    if ((op == 9'h181 || op == 9'h180 || op == 9'h186 || op == 9'h185 || op == 9'h1a8
        || op == 9'h18a || op == 9'h18e || op == 9'h18b || op == 9'h1a9 || op == 9'h198) && !w[72])
      bad = 1;
    if (op == 9'h119)
      case (w[79:72])
        8'd0, 8'd2, 8'd3, 8'd4, 8'd5, 8'd33, 8'd34, 8'd35, 8'd37, 8'd38, 8'd39, 8'd56, 8'd57,
        8'd58, 8'd59, 8'd60, 8'd80, 8'd81, 8'd255: ;
        default: bad = 1;
      endcase
    if ((w[112:110] == 6 && bug != 8'd50) || w[115:113] == 6) bad = 1;
    if (dst && !fits(w[23:16], nd, regs)) bad = 1;
    if (na != 0 && !fits(w[31:24], {1'b0, na}, regs)) bad = 1;
    if (bsel == RB && !fits(w[39:32], nb, regs)) bad = 1;
    if (bsel == RC && !fits(w[71:64], nb, regs)) bad = 1;
    if (csel == RC && !fits(w[71:64], {1'b0, nc}, regs)) bad = 1;
    legal = !bad && form != 0 && forms[form] && (w & ~own) == 0;
  end
endmodule
