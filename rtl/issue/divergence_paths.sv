// SPDX-License-Identifier: Apache-2.0
// The waiting paths of every warp, in block RAM: a stack, or (`its`) a ring whose oldest path is the next one. Up to 31, and
// for a cycle or two a 32nd, when the last active lane parks and is released at once.
// Latency: read_i in one cycle, the top path in the next, where pop_i takes it away.
// Handshake: none; one push or one pop a cycle. How many wait, and where the first lies, is kept by the caller, a row a warp.
// It does not look at lanes, but for the name of a path: its depth, of `its` its lowest lane.
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
  output logic [5:0]                 depth_o,
  output logic [4:0]                 first_o,
  input  logic                       push_i,
  input  divergence_pkg::path_t      push_path_i,
  input  logic                       read_i,
  input  logic                       pop_i,
  output divergence_pkg::path_t      top_o,
  // for who watches
  output logic [4:0]                 name_o,
  output logic [4:0]                 place_o,         // where it is put
  input  logic [cfg_pkg::WARP_W-1:0] see_slot_i,
  input  logic [4:0]                 see_place_i,
  output divergence_pkg::path_t      see_path_o       // what is stored there
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

endmodule
