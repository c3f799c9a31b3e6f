// SPDX-License-Identifier: Apache-2.0
// Rows at the write ports of the register file: a queue for each port, all in one block RAM that takes a row a cycle. In front
// of it ports wait in a few places of LUT memory each, since several may write at once, though not for long.
// Latency: a row can be taken two cycles after push_i, or later where others come before it; a taken row comes one cycle
// after take_i, until the next one. Throughput: a row a cycle of all ports together.
// Handshake: push_i only while not full_o of that port, take_i one port that is not empty_o. deep_o: LIMIT or more rows of it.
// Rows have no meaning here.
`include "heddle_assert.svh"

module stream_writes #(
  parameter int unsigned  DEPTH  = 512,   // rows in block RAM, of all ports; a power of two
  parameter int unsigned  LIMIT  = 64,
  localparam int unsigned N      = stream_pkg::WRITERS,
  localparam int unsigned PORT_W = (N > 1) ? $clog2(N) : 1,
  localparam int unsigned ADDR_W = $clog2(DEPTH) - $clog2(N)
) (
  input  logic                            clk_i,
  input  logic                            rst_ni,
  input  logic [N-1:0]                    push_i,
  input  stream_pkg::kept_write_t [N-1:0] data_i,
  input  logic [N-1:0]                    take_i,
  output stream_pkg::kept_write_t         data_o,
  output logic [N-1:0]                    empty_o,
  output logic [N-1:0]                    full_o,
  output logic [N-1:0]                    deep_o
);

  localparam int unsigned WIDTH = $bits(stream_pkg::kept_write_t);
  localparam int unsigned FEW   = 16;   // places in front

  logic [N-1:0]                    waiting, room, go, free;
  stream_pkg::kept_write_t [N-1:0] first;
  stream_pkg::kept_write_t         in;
  logic [N-1:0][ADDR_W:0]          head_q, tail_q;
  logic [N-1:0][ADDR_W:0]          held_q;          // rows of a port, in front too
  logic [PORT_W-1:0]               wr_port, rd_port;
  logic [WIDTH-1:0]                out;

  for (genvar k = 0; k < N; k++) begin : gen_port
    logic [$clog2(FEW+1)-1:0] unused_count;
    fifo #(.WIDTH(WIDTH), .DEPTH(FEW)) u_front (
      .clk_i       (clk_i),
      .rst_ni      (rst_ni),
      .in_valid_i  (push_i[k]),
      .in_ready_o  (free[k]),
      .in_data_i   (data_i[k]),
      .out_valid_o (waiting[k]),
      .out_ready_i (go[k]),
      .out_data_o  (first[k]),
      .count_o     (unused_count)
    );
    logic [ADDR_W:0] count;
    assign count      = tail_q[k] - head_q[k];
    assign room[k]    = !count[ADDR_W];
    assign empty_o[k] = count == '0;
    assign full_o[k]  = !free[k];
    assign deep_o[k]  = held_q[k] >= (ADDR_W + 1)'(LIMIT);

    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        head_q[k] <= '0;
        tail_q[k] <= '0;
        held_q[k] <= '0;
      end else begin
        if (go[k])                      tail_q[k] <= tail_q[k] + 1'b1;
        if (take_i[k])                  head_q[k] <= head_q[k] + 1'b1;
        if (push_i[k] && !take_i[k])    held_q[k] <= held_q[k] + 1'b1;
        else if (take_i[k] && !push_i[k]) held_q[k] <= held_q[k] - 1'b1;
      end
    end

    // Nothing is pushed into a full queue, or taken from an empty one.
    `ASSERT(a_push, !(push_i[k] && full_o[k]))
    `ASSERT(a_take, !(take_i[k] && empty_o[k]))
  end

  arb_rr #(.N(N)) u_turn (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .req_i   (waiting & room),
    .grant_o (go),
    .take_i  (1'b1)
  );

  onehot_mux #(.WIDTH(WIDTH), .N(N)) u_in (
    .sel_i  (go),
    .data_i (first),
    .data_o (in)
  );

  logic [ADDR_W-1:0] wr_place, rd_place;
  always_comb begin
    wr_port  = '0;
    rd_port  = '0;
    wr_place = '0;
    rd_place = '0;
    for (int unsigned k = 0; k < N; k++) begin
      if (go[k])     wr_port  |= PORT_W'(k);
      if (take_i[k]) rd_port  |= PORT_W'(k);
      if (go[k])     wr_place |= tail_q[k][ADDR_W-1:0];
      if (take_i[k]) rd_place |= head_q[k][ADDR_W-1:0];
    end
  end

  // A taken row has been written before: no address is read and written at once.
  ram_1r1w #(.WIDTH(WIDTH), .DEPTH(N << ADDR_W), .RACE(1'b1)) u_ram (
    .clk_i     (clk_i),
    .wr_en_i   (go != '0),
    .wr_addr_i (($clog2(N) + ADDR_W)'({wr_port, wr_place})),
    .wr_data_i (in),
    .rd_en_i   (take_i != '0),
    .rd_addr_i (($clog2(N) + ADDR_W)'({rd_port, rd_place})),
    .rd_data_o (out)
  );
  assign data_o = out;

endmodule
