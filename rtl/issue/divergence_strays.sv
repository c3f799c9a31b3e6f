// SPDX-License-Identifier: Apache-2.0
// Of `its`: paths that are parked at a barrier where another path is parked at another PC; the first path of a barrier lies with
// the barrier's sets. A list a warp, in block RAM, of all barriers: whose a path is, its lanes tell.
// Latency: an entry stands in the cycle after start_i or next_i. A walk takes a cycle an entry.
// Handshake: events, of one warp until its walk is over; start_i, next_i and park_i exclude each other. A walk that keeps what
// it has seen (keep_i, with next_i or at the last entry) moves it up; park_i writes the entry that stands, or adds one.
// It does not know lanes or PCs, and keeps no number of entries (divergence_row does).
`include "heddle_assert.svh"

module divergence_strays #(
  parameter bit ITS = cfg_pkg::HAS_ITS    // 0: there is nothing here
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  input  logic [cfg_pkg::WARP_W-1:0] slot_i,
  input  logic [5:0]                 count_i,
  // a walk over all entries
  input  logic                       start_i,
  input  logic                       next_i,
  output divergence_pkg::path_t      entry_o,
  output logic                       last_o,
  input  logic                       keep_i,         // write path_i where the next entry that stays belongs
  output logic [5:0]                 kept_o,         // entries that stay, this one included
  // one more path, or more lanes for the entry that stands
  input  logic                       park_i,
  input  logic                       found_i,
  input  divergence_pkg::path_t      path_i,
  // for who watches
  output logic [4:0]                 place_o,        // where it is put
  input  logic [cfg_pkg::WARP_W-1:0] see_slot_i,
  input  logic [4:0]                 see_place_i,
  output divergence_pkg::path_t      see_path_o      // what is stored there
);

  if (ITS) begin : gen_list
    logic [4:0] at_q, next_at, write_at;
    logic [5:0] kept_q;

    assign next_at  = start_i ? '0 : at_q + 5'd1;
    assign write_at = keep_i ? kept_q[4:0] : found_i ? at_q : count_i[4:0];
    assign last_o   = {1'b0, at_q} + 6'd1 == count_i;
    assign kept_o   = kept_q + 6'(keep_i);

    always_ff @(posedge clk_i) begin
      if (start_i || next_i) at_q <= next_at;
      if (start_i)     kept_q <= '0;
      else if (keep_i) kept_q <= kept_o;
    end

    ram_seen #(.WIDTH($bits(divergence_pkg::path_t)), .DEPTH(cfg_pkg::WARPS * 32)) u_list (
      .clk_i      (clk_i),
      .rst_ni     (rst_ni),
      .wr_en_i    (keep_i || park_i),
      .wr_addr_i  ({slot_i, write_at}),
      .wr_data_i  (path_i),
      .rd_en_i    (start_i || next_i),
      .rd_addr_i  ({slot_i, next_at}),
      .rd_data_o  (entry_o),
      .see_addr_i ({see_slot_i, see_place_i}),
      .see_data_o (see_path_o)
    );

    assign place_o = write_at;

    // Paths are disjoint and not empty: there is room for all of them.
    `ASSERT(a_room, !park_i || found_i || count_i != 6'd32)
    `ASSERT(a_one, !(park_i && (start_i || next_i || keep_i)))
  end else begin : gen_none
    assign entry_o    = '0;
    assign last_o     = 1'b1;
    assign kept_o     = '0;
    assign place_o    = '0;
    assign see_path_o = '0;

    logic unused;
    assign unused = &{1'b0, clk_i, rst_ni, slot_i, count_i, start_i, next_i, keep_i, park_i, found_i, path_i, see_slot_i,
      see_place_i, 1'b0};
  end

endmodule
