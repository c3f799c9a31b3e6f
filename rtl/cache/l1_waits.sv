// SPDX-License-Identifier: Apache-2.0
// Loads for which the cache answers, by tag: from their pass until they have been read. Which sectors each still waits
// for; which may be read.
// Latency: a load that waits for nothing may be read in the cycle after it passed, one that waited in the cycle after
// its last refill ended.
// Handshake: pass_i and fill_i are events, never together; a load is taken with take_i, in turns among those that may be.
// It does not see what lies where: a place and sectors name what is awaited, and no two refills of one are under way.
`include "heddle_assert.svh"

module l1_waits #(
  localparam int unsigned LOADS   = l1_pkg::LOADS,
  localparam int unsigned LOAD_W  = l1_pkg::LOAD_W,
  localparam int unsigned PLACE_W = l1_pkg::PLACE_W,
  localparam int unsigned SECTORS = l1_pkg::SECTORS,
  localparam int unsigned WAYS    = l1_pkg::WAYS
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,
  // a load stays
  input  logic                        pass_valid_i,
  input  logic [LOAD_W-1:0]           pass_tag_i,
  input  logic [PLACE_W-1:0]          pass_place_i,
  input  logic [SECTORS-1:0]          pass_sectors_i,  // that it wants,
  input  logic [SECTORS-1:0]          pass_waits_i,    // that are not there yet,
  input  logic [SECTORS-1:0]          pass_asked_i,    // for which it has asked
  // a refill: its tag, and what it is; it has ended
  input  logic [LOAD_W-1:0]           of_i,
  output logic [PLACE_W-1:0]          of_place_o,
  output logic [SECTORS-1:0]          of_sectors_o,
  input  l1_pkg::filled_t             fill_i,
  // to l1_lines: ways of a set that a load is to read
  input  logic [l1_pkg::SET_W-1:0]    set_i,
  output logic [WAYS-1:0]             pins_o,
  // to l1_read: the next one
  output logic                        read_valid_o,
  input  logic                        take_i,
  output logic [LOAD_W-1:0]           read_tag_o,
  output logic [PLACE_W-1:0]          read_place_o,
  output logic [SECTORS-1:0]          read_sectors_o,
  output logic                        read_err_o,
  // it has been read
  input  logic                        done_i,
  input  logic [LOAD_W-1:0]           done_tag_i
);

  typedef struct packed {
    logic [PLACE_W-1:0] place;
    logic [SECTORS-1:0] sectors;
    logic [SECTORS-1:0] asked;
  } load_t;

  logic [LOADS-1:0]                valid_q, taken_q, err_q, ready, grant;
  logic [LOADS-1:0][SECTORS-1:0]   waits_q;
  logic [LOADS-1:0][PLACE_W-1:0]   place_q;
  logic [LOAD_W-1:0]               pick;
  load_t                           pass, of, read;

  assign pass = '{place: pass_place_i, sectors: pass_sectors_i, asked: pass_asked_i};

  ram_async #(.WIDTH($bits(load_t)), .DEPTH(LOADS)) u_of (
    .clk_i     (clk_i),
    .wr_en_i   (pass_valid_i),
    .wr_addr_i (pass_tag_i),
    .wr_data_i (pass),
    .rd_addr_i (of_i),
    .rd_data_o (of)
  );
  ram_async #(.WIDTH($bits(load_t)), .DEPTH(LOADS)) u_read (
    .clk_i     (clk_i),
    .wr_en_i   (pass_valid_i),
    .wr_addr_i (pass_tag_i),
    .wr_data_i (pass),
    .rd_addr_i (pick),
    .rd_data_o (read)
  );
  assign of_place_o   = of.place;
  assign of_sectors_o = of.asked;

  for (genvar t = 0; t < LOADS; t++) begin : gen_load
    logic mine, met;
    assign mine     = pass_valid_i && 32'(pass_tag_i) == t;
    assign met      = fill_i.valid && valid_q[t] && place_q[t] == fill_i.place && (waits_q[t] & fill_i.sectors) != '0;
    assign ready[t] = valid_q[t] && !taken_q[t] && waits_q[t] == '0;

    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        valid_q[t] <= 1'b0;
        taken_q[t] <= 1'b0;
      end else if (mine) begin
        valid_q[t] <= 1'b1;
        taken_q[t] <= 1'b0;
      end else begin
        if (done_i && 32'(done_tag_i) == t) valid_q[t] <= 1'b0;
        if (take_i && grant[t])             taken_q[t] <= 1'b1;
      end
    end
    always_ff @(posedge clk_i) begin
      if (mine) begin
        place_q[t] <= pass_place_i;
        waits_q[t] <= pass_waits_i;
        err_q[t]   <= 1'b0;
      end else if (met) begin
        waits_q[t] <= waits_q[t] & ~fill_i.sectors;
        err_q[t]   <= err_q[t] || fill_i.err;
      end
    end
  end

  always_comb begin
    pins_o = '0;
    for (int unsigned t = 0; t < LOADS; t++) begin
      if (valid_q[t] && l1_pkg::set_of(place_q[t]) == set_i) pins_o[l1_pkg::way_of(place_q[t])] = 1'b1;
    end
  end

  arb_rr #(.N(LOADS)) u_turns (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .req_i   (ready),
    .grant_o (grant),
    .take_i  (take_i)
  );
  onehot_index #(.N(LOADS)) u_pick (
    .onehot_i (grant),
    .index_o  (pick)
  );

  assign read_valid_o   = ready != '0;
  assign read_tag_o     = pick;
  assign read_place_o   = read.place;
  assign read_sectors_o = read.sectors;
  assign read_err_o     = (err_q & grant) != '0;

  // A tag is used once at a time, and what ends was there.
  `ASSERT(a_tag, !pass_valid_i || !valid_q[pass_tag_i])
  `ASSERT(a_done, !done_i || valid_q[done_tag_i])

endmodule
