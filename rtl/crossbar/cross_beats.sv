// SPDX-License-Identifier: Apache-2.0
// Beats of an SM's requests that wait for their banks, in block RAM. Each request has a chain of chunks, so requests leave in any order;
// a chunk is free as soon as its beats have left.
// Latency: a beat is read a cycle after its address; its chunk can be written from then on. A beat in and one out a cycle.
// Handshake: events. A beat comes only where there is room: the queue gives credits by used_o.
// Requests are not held here, only the ends of chains.
`include "heddle_assert.svh"

module cross_beats #(
  parameter  int unsigned CHUNKS  = 64,
  parameter  int unsigned BEATS   = 8,                  // of a chunk; a power of two
  localparam int unsigned CHUNK_W = $clog2(CHUNKS),
  localparam int unsigned USED_W  = $clog2(CHUNKS + 1),
  localparam int unsigned BEAT_W  = $clog2(BEATS)
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  // from the SM
  input  logic                lw_valid_i,
  input  line_pkg::write_t    lw_i,
  input  logic                end_i,           // the chain ends, with the arriving beat or without
  output logic [CHUNK_W-1:0]  first_o,         // with end_i: its first chunk
  output logic [USED_W-1:0]   used_o,          // used chunks
  // from and to the queue: the first beat of a chain, or the next one; the beat a cycle later
  input  logic                read_i,
  input  logic                begin_i,
  input  logic [CHUNK_W-1:0]  chunk_i,         // with begin_i
  input  logic                last_i,          // it is the chain's last
  output line_pkg::write_t    lw_o
);

  // ---- in: a chain takes a chunk for each BEATS beats --------------------------------------------
  logic                begun_q, grows;
  logic [BEAT_W-1:0]   in_q;                   // place of the next beat in its chunk
  logic [CHUNK_W-1:0]  first_q, chunk_q, wr_chunk, fresh, back;
  logic [USED_W-1:0]   used_q, never_q;        // never_q: chunks used since reset
  logic                back_valid, frees;
  logic [CHUNK_W-1:0]  rd_chunk;

  assign grows    = lw_valid_i && in_q == '0;
  assign fresh    = back_valid ? back : CHUNK_W'(never_q);
  assign wr_chunk = grows ? fresh : chunk_q;
  assign first_o  = begun_q ? first_q : fresh;
  assign used_o   = used_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      begun_q <= 1'b0;
      in_q    <= '0;
      used_q  <= '0;
      never_q <= '0;
    end else begin
      begun_q <= !end_i && (begun_q || lw_valid_i);
      in_q    <= end_i ? '0 : in_q + BEAT_W'(lw_valid_i);
      used_q  <= used_q + USED_W'(grows) - USED_W'(frees);
      never_q <= never_q + USED_W'(grows && !back_valid);
    end
  end
  always_ff @(posedge clk_i) begin
    if (grows)              chunk_q <= fresh;
    if (grows && !begun_q)  first_q <= fresh;
  end

  // Freed chunks are taken before unused ones.
  fifo #(.WIDTH(CHUNK_W), .DEPTH(CHUNKS)) u_free (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .in_valid_i  (frees),
    .in_ready_o  (),
    .in_data_i   (rd_chunk),
    .out_valid_o (back_valid),
    .out_ready_i (grows),
    .out_data_o  (back),
    .count_o     ()
  );

  // ---- out ---------------------------------------------------------------------------------------
  logic [CHUNK_W-1:0] at_q, next;
  logic [BEAT_W-1:0]  out_q, rd_beat;
  logic               ends;                    // the chunk's last beat is read

  assign rd_chunk = begin_i ? chunk_i : at_q;
  assign rd_beat  = begin_i ? '0 : out_q;
  assign ends     = rd_beat == '1;
  assign frees    = read_i && (ends || last_i);

  always_ff @(posedge clk_i) begin
    if (read_i) begin
      at_q  <= ends ? next : rd_chunk;
      out_q <= rd_beat + BEAT_W'(1);
    end
  end

  // The next chunk of each chain.
  ram_async #(.WIDTH(CHUNK_W), .DEPTH(CHUNKS)) u_next (
    .clk_i     (clk_i),
    .wr_en_i   (grows && begun_q),
    .wr_addr_i (chunk_q),
    .wr_data_i (fresh),
    .rd_addr_i (rd_chunk),
    .rd_data_o (next)
  );

  ram_apart #(.WIDTH($bits(line_pkg::write_t)), .DEPTH(CHUNKS * BEATS)) u_beats (
    .clk_i     (clk_i),
    .rst_ni    (rst_ni),
    .wr_en_i   (lw_valid_i),
    .wr_addr_i ({wr_chunk, in_q}),
    .wr_data_i (lw_i),
    .rd_en_i   (read_i),
    .rd_addr_i ({rd_chunk, rd_beat}),
    .rd_data_o (lw_o)
  );

  // A chunk is taken only if one is free.
  `ASSERT(a_room, !grows || 32'(used_q) < CHUNKS)

endmodule
