// SPDX-License-Identifier: Apache-2.0
// The bytes of the cache: beats of refills and rows of stores are written as they come; loads are read beat by beat, or
// a line at once (line_pkg::WHOLE), and told to have ended.
// Latency: the first beat of a load two cycles after it may be read; its end a cycle after its last beat.
// Handshake: reads valid/ready (read_take_o); a beat is an event that gives way to one of memory's (hold_i: in the next
// cycle the way is taken); ends are valid/ready.
// A beat, or a line, a cycle, load after load. It does not look at tags: l1_waits says where a load lies.
`include "heddle_assert.svh"

module l1_read #(
  localparam int unsigned LOAD_W  = l1_pkg::LOAD_W,
  localparam int unsigned PLACE_W = l1_pkg::PLACE_W,
  localparam int unsigned SECTORS = l1_pkg::SECTORS,
  localparam int unsigned BITS    = line_pkg::BITS,
  localparam int unsigned BEATS   = line_pkg::BEATS,
  localparam int unsigned BEAT_W  = line_pkg::BEAT_W
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,
  // a beat of a refill, a row of a store: its bytes
  input  logic [line_pkg::BYTES-1:0]  beat_en_i,
  input  logic [PLACE_W-1:0]          beat_place_i,
  input  logic [BEAT_W-1:0]           beat_i,
  input  logic [BITS-1:0]             data_i,
  // from l1_waits: a load that may be read
  input  logic                        read_valid_i,
  output logic                        read_take_o,
  input  logic [LOAD_W-1:0]           read_tag_i,
  input  logic [PLACE_W-1:0]          read_place_i,
  input  logic [SECTORS-1:0]          read_sectors_i,
  input  logic                        read_err_i,
  output logic                        done_o,          // event: its last beat has been read, or there is none
  output logic [LOAD_W-1:0]           done_tag_o,
  // to the load/store unit
  input  logic                        hold_i,
  output logic                        ld_valid_o,      // event
  output line_pkg::back_t             ld_o,
  output logic                        end_valid_o,
  input  logic                        end_ready_i,
  output line_pkg::answer_t           end_o
);

  // All that is read in a cycle: SIDE beats, a row of PLACE's.
  localparam int unsigned SIDE  = line_pkg::SIDE;
  localparam int unsigned ROWS  = BEATS / SIDE;
  localparam int unsigned ROW_W = (ROWS > 1) ? $clog2(ROWS) : 1;
  localparam int unsigned ADDR_W = PLACE_W + ((ROWS > 1) ? ROW_W : 0);

  logic                       busy_q, step, last, ended_q;
  logic [LOAD_W-1:0]          tag_q;
  logic [PLACE_W-1:0]         place_q;
  logic                       err_q;
  logic [BEATS-1:0]           wanted;
  logic [SIDE-1:0]            side_q, there_q;
  logic [ROWS-1:0]            rows, left_q, hot;
  logic [ROW_W-1:0]           row, row_q;
  logic [LOAD_W-1:0]          ld_tag_q;
  logic [SIDE-1:0][BITS-1:0]  data;
  line_pkg::answer_t          ending;
  logic                       unused_end;
  logic [2:0]                 count;

  // Beats in which a sector lies, or of which several make one.
  always_comb begin
    for (int unsigned b = 0; b < BEATS; b++) begin
      wanted[b] = 1'b0;
      for (int unsigned s = 0; s < SECTORS; s++) begin
        if (read_sectors_i[s] && b * BITS < (s + 1) * 256 && (b + 1) * BITS > s * 256) wanted[b] = 1'b1;
      end
    end
    for (int unsigned r = 0; r < ROWS; r++) rows[r] = wanted[r*SIDE +: SIDE] != '0;
  end

  lowest_one #(.N(ROWS)) u_row (
    .in_i     (left_q),
    .onehot_o (hot),
    .index_o  (row),
    .any_o    ()
  );

  // There is a place for an end when its load begins.
  assign step        = busy_q && !err_q && !hold_i;
  assign last        = busy_q && (err_q || (step && (left_q & ~hot) == '0));
  assign read_take_o = read_valid_i && (!busy_q || last) && 3'(busy_q) + 3'(ended_q) + count < 3'd4;
  assign done_o      = last;
  assign done_tag_o  = tag_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni)           busy_q <= 1'b0;
    else if (read_take_o)  busy_q <= 1'b1;
    else if (last)         busy_q <= 1'b0;
  end
  always_ff @(posedge clk_i) begin
    if (read_take_o) begin
      tag_q   <= read_tag_i;
      place_q <= read_place_i;
      err_q   <= read_err_i;
      left_q  <= rows;
      side_q  <= (SIDE > 1) ? wanted[SIDE-1:0] : 1'b1;
    end else if (step) begin
      left_q  <= left_q & ~hot;
    end
  end

  for (genvar b = 0; b < SIDE; b++) begin : gen_side
    ram_apart #(.WIDTH(BITS), .DEPTH(l1_pkg::PLACES * ROWS), .PARTS(line_pkg::BYTES)) u_data (
      .clk_i     (clk_i),
      .rst_ni    (rst_ni),
      .wr_en_i   (beat_en_i & {line_pkg::BYTES{32'(beat_i) % SIDE == b}}),
      .wr_addr_i (ADDR_W'(32'(beat_place_i) * ROWS + 32'(beat_i) / SIDE)),
      .wr_data_i (data_i),
      .rd_en_i   (step && (ROWS > 1 || side_q[b])),   // beside it another sector may be on its way
      .rd_addr_i (ADDR_W'(32'(place_q) * ROWS + 32'(row))),
      .rd_data_o (data[b])
    );
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) ld_valid_o <= 1'b0;
    else         ld_valid_o <= step;
  end
  always_ff @(posedge clk_i) begin
    if (step) begin
      row_q    <= row;
      there_q  <= side_q;
      ld_tag_q <= tag_q;
    end
  end
  assign ld_o = '{tag: line_pkg::TAG_W'(ld_tag_q), beat: BEAT_W'((SIDE > 1) ? '0 : row_q), there: there_q, data: data};

  // ---- its end, after the last beat has been sent -------------------------------------------------------
  line_pkg::answer_t ended;

  assign ending = '{tag: line_pkg::TAG_W'(tag_q), done: 1'b1, err: err_q, lane: '0, old: '0};

  always_ff @(posedge clk_i) begin
    if (!rst_ni) ended_q <= 1'b0;
    else         ended_q <= last;
  end
  always_ff @(posedge clk_i) begin
    if (last) ended <= ending;
  end

  fifo #(.WIDTH($bits(line_pkg::answer_t)), .DEPTH(4)) u_ends (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .in_valid_i  (ended_q),
    .in_ready_o  (unused_end),
    .in_data_i   (ended),
    .out_valid_o (end_valid_o),
    .out_ready_i (end_ready_i),
    .out_data_o  (end_o),
    .count_o     (count)
  );

  `ASSERT(a_end, !ended_q || unused_end)

endmodule
