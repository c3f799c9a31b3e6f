// SPDX-License-Identifier: Apache-2.0
// What one block of memory of an ECP5 does (DP16KD.v has its pins): 512 rows of 36 bits behind two ports.
//
// A row is four bytes of nine bits. A port of 9, 18 or 36 bits sees whole bytes; one of 1, 2 or 4 bits sees the
// lower eight bits of each. Both ports are taken in one block of code, so that what happens on one edge of two clocks
// happens in no order. Where Lattice's guides say nothing the value is a wrong one (`spoilt`): README.md lists where.
module ecp5_ebr #(
  parameter int       WIDTH_A = 18,  // 36: port A writes {di_b, di_a}, and what port B reads at 36 is {do_b, do_a}
  parameter int       WIDTH_B = 18,
  parameter bit       REG_A = 1'b0,  // one more register behind the port's latches, enabled by oce
  parameter bit       REG_B = 1'b0,
  parameter bit [1:0] MODE_A = '0,   // what a write shows at its own port: 0 nothing, 1 what it writes, 2 what was there, 3 anything
  parameter bit [1:0] MODE_B = '0,
  parameter bit       ASYNC = 1'b0,  // resets act without a clock
  parameter bit       LATE = 1'b0,   // and end at a clock edge
  parameter bit [64*320-1:0] INITVAL = '0
) (
  input  wire        clk_a, ce_a, oce_a, we_a, rst_a,
  input  wire [13:0] ad_a,
  input  wire [17:0] di_a,
  output wire [17:0] do_a,
  input  wire        clk_b, ce_b, oce_b, we_b, rst_b,
  input  wire [13:0] ad_b,
  input  wire [17:0] di_b,
  output wire [17:0] do_b
);
  localparam bit PAIR = WIDTH_A == 36;

  // The bits of a row that an access of a port lies in.
  function automatic [35:0] reach(input int width, input [4:0] ad);
    case (width)
      1:       reach = 36'h1 << (9 * ad[4:3] + 32'(ad[2:0]));
      2:       reach = 36'h3 << (9 * ad[4:3] + 32'({ad[2:1], 1'b0}));
      4:       reach = 36'hF << (9 * ad[4:3] + 32'({ad[2], 2'b0}));
      9:       reach = 36'h1FF << (9 * ad[4:3]);
      18:      reach = ad[4] ? {18'h3FFFF, 18'h0} : {18'h0, 18'h3FFFF};
      default: reach = '1;
    endcase
  endfunction

  // Those of them that a write changes: the lowest bits of the address enable the bytes of wide ports.
  function automatic [35:0] enabled(input int width, input [4:0] ad);
    case (width)
      18:      enabled = reach(width, ad) & {2{{9{ad[1]}}, {9{ad[0]}}}};
      36:      enabled = {{9{ad[3]}}, {9{ad[2]}}, {9{ad[1]}}, {9{ad[0]}}};
      default: enabled = reach(width, ad);
    endcase
  endfunction

  // The data of a write at every place of a row where it could go.
  function automatic [35:0] spread(input int width, input [35:0] data);
    case (width)
      1:       spread = {4{1'b0, {8{data[0]}}}};
      2:       spread = {4{1'b0, {4{data[1:0]}}}};
      4:       spread = {4{1'b0, {2{data[3:0]}}}};
      9:       spread = {4{data[8:0]}};
      18:      spread = {2{data[17:0]}};
      default: spread = data;
    endcase
  endfunction

  // What was reached in a row, at the lowest pins.
  function automatic [35:0] gathered(input int width, input [4:0] ad, input [35:0] row);
    case (width)
      1:       gathered = 36'((row & reach(1, ad)) >> (9 * ad[4:3] + 32'(ad[2:0])));
      2:       gathered = 36'((row & reach(2, ad)) >> (9 * ad[4:3] + 32'({ad[2:1], 1'b0})));
      4:       gathered = 36'((row & reach(4, ad)) >> (9 * ad[4:3] + 32'({ad[2], 2'b0})));
      9:       gathered = 36'((row & reach(9, ad)) >> (9 * ad[4:3]));
      18:      gathered = ad[4] ? {18'h0, row[35:18]} : {18'h0, row[17:0]};
      default: gathered = row;
    endcase
  endfunction

  // Bits that nobody may rely on: neither of two values where these agree, one of them by chance where not.
  function automatic [35:0] spoilt(input [35:0] one, input [35:0] other);
    automatic bit [63:0] chance = {$urandom, $urandom};
    spoilt = ((one ^ other) & chance[35:0]) | (~one & ~other);
  endfunction

  // ---- which of the clocks rose: one that is high, and was not before
  reg was_a, was_b;
  initial begin
    was_a = clk_a;
    was_b = clk_b;
  end
  always @(posedge clk_a or negedge clk_a) was_a <= clk_a;
  always @(posedge clk_b or negedge clk_b) was_b <= clk_b;

  wire arst_a = ASYNC & rst_a;
  wire arst_b = ASYNC & rst_b;
  reg  held_a = 1'b0;  // an asynchronous reset that ends with the clock
  reg  held_b = 1'b0;

  reg [35:0] row_q [0:511];
  reg [35:0] latch_a = '0;  // as configuration and the global reset leave them
  reg [35:0] latch_b = '0;
  reg [35:0] out_a   = '0;
  reg [35:0] out_b   = '0;

  // Configuration writes INITVAL_00 to INITVAL_3F: sixteen words of 18 bits in each, on 20.
  initial begin
    for (int w = 0; w < 512; w++) row_q[w] = {INITVAL[40*w+20 +: 18], INITVAL[40*w +: 18]};
  end

  always @(posedge clk_a or posedge clk_b or posedge arst_a or posedge arst_b) begin : ports
    automatic bit        up_a = clk_a & ~was_a;
    automatic bit        up_b = clk_b & ~was_b;
    automatic bit [35:0] data_a = spread(WIDTH_A, {di_b, di_a});
    automatic bit [35:0] data_b = spread(WIDTH_B, {18'h0, di_b});
    automatic bit [35:0] put_a = up_a && ce_a && we_a ? enabled(WIDTH_A, ad_a[4:0]) : '0;
    automatic bit [35:0] put_b = up_b && ce_b && we_b ? enabled(WIDTH_B, ad_b[4:0]) : '0;
    automatic bit [35:0] old_a = row_q[ad_a[13:5]];
    automatic bit [35:0] old_b = row_q[ad_b[13:5]];
    automatic bit [35:0] both = ad_a[13:5] == ad_b[13:5] ? '1 : '0;
    automatic bit [35:0] new_a = (old_a & ~put_a) | (data_a & put_a);
    automatic bit [35:0] new_b = (old_b & ~put_b) | (data_b & put_b);
    automatic bit [35:0] get;

    // Nothing says whether a port writes while it is reset.
    if (put_a != '0 && rst_a) new_a = (new_a & ~put_a) | (spoilt(old_a, data_a) & put_a);
    if (put_b != '0 && rst_b) new_b = (new_b & ~put_b) | (spoilt(old_b, data_b) & put_b);

    // What the ports read: of what the other one writes at this edge nobody knows anything.
    if (up_a && ce_a && (!we_a || MODE_A != '0)) begin
      get = we_a && MODE_A == 2'd1 ? new_a : we_a && MODE_A == 2'd3 ? spoilt(old_a, data_a) : old_a;
      if (we_a && MODE_A == 2'd1 && put_a != reach(WIDTH_A, ad_a[4:0])) get = (get & put_a) | (spoilt(old_a, data_a) & ~put_a);
      if ((put_b & both) != '0) get = (get & ~(put_b & both)) | (spoilt(old_a, data_b) & put_b & both);
      latch_a <= gathered(WIDTH_A, ad_a[4:0], held_a ? spoilt('0, get) : get);
    end
    if (up_b && ce_b && (!we_b || MODE_B != '0)) begin
      get = we_b && MODE_B == 2'd1 ? new_b : we_b && MODE_B == 2'd3 ? spoilt(old_b, data_b) : old_b;
      if (we_b && MODE_B == 2'd1 && put_b != reach(WIDTH_B, ad_b[4:0])) get = (get & put_b) | (spoilt(old_b, data_b) & ~put_b);
      if ((put_a & both) != '0) get = (get & ~(put_a & both)) | (spoilt(old_b, data_a) & put_a & both);
      latch_b <= gathered(WIDTH_B, ad_b[4:0], held_b ? spoilt('0, get) : get);
    end

    // What is stored. Two writes to one bit leave anything there.
    if ((put_a & put_b & both) != '0) begin
      get   = spoilt(data_a, data_b);
      new_a = (new_a & ~(put_a & put_b)) | (get & put_a & put_b);
      new_b = (new_b & ~(put_a & put_b)) | (get & put_a & put_b);
    end
    if (put_a != '0) row_q[ad_a[13:5]] = new_a;
    if (put_b != '0) row_q[ad_b[13:5]] = (new_b & put_b) | (row_q[ad_b[13:5]] & ~put_b);

    // The registers behind the latches.
    if (REG_A && up_a && oce_a) out_a <= latch_a;
    if (REG_B && up_b && oce_b) out_b <= latch_b;

    // Resets clear what is seen; with a register, what the latches hold then is not known, nor whether oce matters.
    if (arst_a || (up_a && rst_a)) begin
      latch_a <= REG_A ? spoilt(latch_a, '0) : '0;
      out_a   <= !ASYNC && !oce_a ? spoilt(out_a, '0) : '0;
    end
    if (arst_b || (up_b && rst_b)) begin
      latch_b <= REG_B ? spoilt(latch_b, '0) : '0;
      out_b   <= !ASYNC && !oce_b ? spoilt(out_b, '0) : '0;
    end
    held_a <= LATE && (arst_a || (held_a && !up_a));
    held_b <= LATE && (arst_b || (held_b && !up_b));

    // Lattice forbids these; what comes of them is not modelled.
    if (ASYNC && ((up_a && ce_a && rst_a) || (up_b && ce_b && rst_b)))
      $fatal(1, "%m: a port is enabled while it is reset asynchronously");
    if (PAIR && up_b && ce_b && we_b) $fatal(1, "%m: port B writes where port A writes 36 bits");
  end

  // ---- pins; those that a narrow port leaves unused are no zeros to be relied on
  wire [35:0] seen_a = REG_A ? out_a : latch_a;
  wire [35:0] seen_b = REG_B ? out_b : latch_b;
  wire [17:0] any    = 'x;

  function automatic [17:0] pins(input int width, input [17:0] value, input [17:0] junk);
    pins = width >= 18 ? value : (value & 18'((19'h1 << width) - 19'h1)) | (junk << width);
  endfunction
  assign do_b = WIDTH_B == 36 ? seen_b[35:18] : pins(WIDTH_B, seen_b[17:0], any);
  assign do_a = WIDTH_B == 36 ? seen_b[17:0] : PAIR ? any : pins(WIDTH_A, seen_a[17:0], any);
endmodule
