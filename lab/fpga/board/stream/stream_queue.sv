// SPDX-License-Identifier: Apache-2.0
// A queue of records, in block RAM or LUT memory. Bits of a record that may be set (LIVE) are kept; the others are zero.
// Latency: a taken record comes one cycle after take_i, until the next one.
// Handshake: push_i only while not full_o, take_i only while not empty_o; deep_o: LIMIT or more are in it.
// Its records have no meaning here.
`include "heddle_assert.svh"
`include "heddle_idle.svh"

module stream_queue #(
  parameter int unsigned         WIDTH = 32,
  parameter int unsigned         DEPTH = 512,     // a power of two
  parameter int unsigned         LIMIT = 64,
  parameter bit                  LUT   = 1'b0,    // LUT memory, which has room for one record less
  parameter logic [WIDTH-1:0]    LIVE  = '1,
  localparam int unsigned        ADDR_W = $clog2(DEPTH)
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  logic              push_i,
  input  logic [WIDTH-1:0]  data_i,
  input  logic              take_i,
  input  logic              look_i,    // data_o matters
  output logic [WIDTH-1:0]  data_o,
  output logic              empty_o,
  output logic              full_o,
  output logic              deep_o
);

  // The place of each bit among those that are kept; behind the last one, how many these are.
  typedef logic [WIDTH:0][15:0] places_t;
  function automatic places_t places();
    automatic logic [15:0] n = '0;
    for (int unsigned b = 0; b < WIDTH; b++) begin
      places[b] = n;
      if (LIVE[b]) n++;
    end
    places[WIDTH] = n;
  endfunction
  localparam places_t     PLACE = places();
  localparam int unsigned KEPT  = int'(PLACE[WIDTH]);

  // Packed where something is pushed, unpacked where it is read: a simulator leaves the rest out.
  logic [KEPT-1:0]  in, out;
  always_comb begin
    in = '0;
    `HEDDLE_ONLY(push_i) begin
      for (int unsigned b = 0; b < WIDTH; b++) if (LIVE[b]) in[int'(PLACE[b])] = data_i[b];
    end
  end
  always_comb begin
    data_o = '0;
    `HEDDLE_ONLY(look_i) begin
      for (int unsigned b = 0; b < WIDTH; b++) if (LIVE[b]) data_o[b] = out[int'(PLACE[b])];
    end
  end

  logic [ADDR_W:0] head_q, tail_q, count;
  assign count   = tail_q - head_q;
  assign empty_o = count == '0;
  assign full_o  = LUT ? count >= (ADDR_W + 1)'(DEPTH - 1) : count[ADDR_W];
  assign deep_o  = count >= (ADDR_W + 1)'(LIMIT);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      head_q <= '0;
      tail_q <= '0;
    end else begin
      if (push_i) tail_q <= tail_q + 1'b1;
      if (take_i) head_q <= head_q + 1'b1;
    end
  end

  // A taken record has been written before: no address is read and written at once.
  if (LUT) begin : gen_lut
    logic [ADDR_W-1:0] taken_q;   // its place is not written before the next one is taken
    always_ff @(posedge clk_i) if (take_i) taken_q <= head_q[ADDR_W-1:0];
    // Said, since with a register before its address it could be block RAM, too.
    (* ram_style = "distributed" *) logic [KEPT-1:0] mem_q [DEPTH];
    always_ff @(posedge clk_i) if (push_i) mem_q[tail_q[ADDR_W-1:0]] <= in;
    assign out = mem_q[taken_q];
  end else begin : gen_block
    ram_1r1w #(.WIDTH(KEPT), .DEPTH(DEPTH), .RACE(1'b1)) u_ram (
      .clk_i     (clk_i),
      .wr_en_i   (push_i),
      .wr_addr_i (tail_q[ADDR_W-1:0]),
      .wr_data_i (in),
      .rd_en_i   (take_i),
      .rd_addr_i (head_q[ADDR_W-1:0]),
      .rd_data_o (out)
    );
  end

  logic unused;
  assign unused = ^data_i ^ look_i;

  // Nothing is pushed into a full queue, or taken from an empty one.
  `ASSERT(a_push, !(push_i && full_o))
  `ASSERT(a_take, !(take_i && empty_o))

endmodule
