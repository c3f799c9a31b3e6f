// SPDX-License-Identifier: Apache-2.0
// Paths of every warp, in block RAM. Those that wait: a stack, or (`its`) a ring whose oldest path is the next one. Up to 31, and
// for a cycle or two a 32nd, when the last active lane parks and is released at once.
// Of `its` also a list of strays, of all barriers: paths that are parked at a barrier where another path is parked at another PC. The
// first path of a barrier lies with the barrier's sets; lanes tell which barrier a stray is at.
// Latency: read_i in one cycle, the top path in the next, where pop_i takes it away. An entry of the list stands in the cycle after
// start_i or next_i: a walk takes a cycle an entry.
// Handshake: none for paths that wait, one push or one pop a cycle. Of the list events, of one warp until its walk is over; start_i,
// next_i and park_i exclude each other. A walk that keeps what it has seen (keep_i, with next_i or at the last entry) moves it up;
// park_i writes the entry that stands, or adds one.
// How many paths there are, and where the first lies, is kept by the caller, a row a warp. Of lanes it looks at the name of a path: its
// depth, of `its` its lowest lane.
`include "heddle_assert.svh"

module divergence_paths #(
  parameter bit ITS = cfg_pkg::HAS_ITS
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  input  logic                       its_i,
  // from and to the control unit: the warp at work
  input  logic [cfg_pkg::WARP_W-1:0] slot_i,
  input  logic [5:0]                 depth_i,
  input  logic [4:0]                 first_i,
  input  logic [5:0]                 strays_i,
  output logic [5:0]                 depth_o,
  output logic [4:0]                 first_o,
  input  logic                       push_i,
  input  divergence_pkg::path_t      push_path_i,
  input  logic                       read_i,
  input  logic                       pop_i,
  output divergence_pkg::path_t      top_o,
  // the list: a walk over all entries
  input  logic                       start_i,
  input  logic                       next_i,
  output divergence_pkg::path_t      entry_o,
  output logic                       last_o,
  input  logic                       keep_i,         // write entry_i where the next entry that stays belongs
  output logic [5:0]                 kept_o,         // entries that stay, this one included
  // one more path, or more lanes for the entry that stands
  input  logic                       park_i,
  input  logic                       found_i,
  input  divergence_pkg::path_t      entry_i,
  // for observers: where what is, and what is stored there
  output logic [4:0]                 name_o,
  output logic [4:0]                 place_o,
  output logic [4:0]                 list_place_o,
  input  logic [cfg_pkg::WARP_W-1:0] see_slot_i,
  input  logic [4:0]                 see_place_i,
  input  logic [4:0]                 see_list_i,
  output divergence_pkg::path_t      see_path_o,
  output divergence_pkg::path_t      see_entry_o
);

  logic [4:0] last, top;

  assign last = first_i + depth_i[4:0];
  assign top  = its_i ? first_i : last - 5'd1;

  ram_seen #(.WIDTH($bits(divergence_pkg::path_t)), .DEPTH(cfg_pkg::WARPS * 32)) u_paths (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .wr_en_i    (push_i),
    .wr_addr_i  ({slot_i, last}),
    .wr_data_i  (push_path_i),
    .rd_en_i    (read_i),
    .rd_addr_i  ({slot_i, top}),
    .rd_data_o  (top_o),
    .see_addr_i ({see_slot_i, see_place_i}),
    .see_data_o (see_path_o)
  );

  assign place_o = last;

  always_comb begin
    depth_o = depth_i;
    if (push_i) depth_o = depth_i + 6'd1;
    if (pop_i)  depth_o = depth_i - 6'd1;
    first_o = (its_i && pop_i) ? first_i + 5'd1 : first_i;
  end

  if (ITS) begin : gen_name
    logic [31:0] mask, lowest;
    logic [4:0]  lane;
    logic        any;
    assign mask = pop_i ? top_o.mask : push_path_i.mask;
    lowest_one #(.N(32)) u_name (
      .in_i     (mask),
      .onehot_o (lowest),
      .index_o  (lane),
      .any_o    (any)
    );
    assign name_o = its_i ? lane : pop_i ? top : last;

    logic unused;
    assign unused = ^{lowest, any};
  end else begin : gen_depth
    assign name_o = pop_i ? top : last;
  end

  // Waiting paths are disjoint and not empty, so they are never more than 32.
  `ASSERT(a_depth, !push_i || depth_i != 6'd32)
  `ASSERT(a_one, !(push_i && pop_i))

  // ---- the list ----------------------------------------------------------------------------------------------------------------
  if (ITS) begin : gen_list
    logic [4:0] at_q, next_at, write_at;
    logic [5:0] kept_q;

    assign next_at  = start_i ? '0 : at_q + 5'd1;
    assign write_at = keep_i ? kept_q[4:0] : found_i ? at_q : strays_i[4:0];
    assign last_o   = {1'b0, at_q} + 6'd1 == strays_i;
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
      .wr_data_i  (entry_i),
      .rd_en_i    (start_i || next_i),
      .rd_addr_i  ({slot_i, next_at}),
      .rd_data_o  (entry_o),
      .see_addr_i ({see_slot_i, see_list_i}),
      .see_data_o (see_entry_o)
    );

    assign list_place_o = write_at;

    // Paths are disjoint and not empty: there is room for all of them.
    `ASSERT(a_room, !park_i || found_i || strays_i != 6'd32)
    `ASSERT(a_one, !(park_i && (start_i || next_i || keep_i)))
  end else begin : gen_none
    assign entry_o    = '0;
    assign last_o     = 1'b1;
    assign kept_o     = '0;
    assign list_place_o    = '0;
    assign see_entry_o = '0;

    logic unused;
    assign unused = ^{strays_i, start_i, next_i, keep_i, park_i, found_i, entry_i, see_list_i};
  end

endmodule
