// SPDX-License-Identifier: Apache-2.0
// Where a sector lies in memory: one of global memory at its own number, one of local memory in the slice of its warp slot, which
// holds a row of 32 lanes for each word of a thread. Where each slice begins is kept in a small memory.
// Latency: none. The memory is written a slot a cycle from launch_i on, as many cycles as there are slots (and after reset).
// Handshake: launch_i is an event, base and size stand from it on; with ready_o low a sector of local memory has no place yet.
// It does not check addresses: the load/store unit has.
`default_nettype none

module gmem_place #(
  localparam int unsigned SECTOR_W = mem_pkg::SECTOR_W,
  localparam int unsigned SLOT_W   = cfg_pkg::SM_WARP_W
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  input  logic [7:0]                 fault_i,
  // from the host
  input  logic                       launch_i,
  input  logic [SECTOR_W-1:0]        local_base_i,    // first sector of local memory
  input  logic [19:0]                local_bytes_i,   // of a thread: as many sectors has a slice
  // from the intake
  input  logic [SLOT_W-1:0]          slot_i,
  input  logic [mem_pkg::KEY_W-1:0]  key_i,           // space and sector
  // to the intake
  output logic                       ready_o,
  output logic [SECTOR_W-1:0]        sector_o
);

  localparam int unsigned SLOTS = cfg_pkg::SM_WARPS;

  logic                      is_local, filled;
  logic [SLOT_W:0]           fill_q;         // slots that have their slice
  logic [SECTOR_W-1:0]       last_q, next, begins;   // where the slice before begins, and the next one
  logic [SLOT_W-1:0]         slot;

  assign is_local = key_i[mem_pkg::KEY_W-1];
  assign filled   = fill_q == (SLOT_W+1)'(SLOTS);
  assign next     = last_q + ((fill_q == '0) ? local_base_i : SECTOR_W'(local_bytes_i));
  assign slot     = (fault_i == core_pkg::FAULT_LOCAL_SLICE) ? slot_i & ~SLOT_W'(1) : slot_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || launch_i) begin
      fill_q <= '0;
      last_q <= '0;
    end else if (!filled) begin
      fill_q <= fill_q + (SLOT_W+1)'(1);
      last_q <= next;
    end
  end

  ram_async #(.WIDTH(SECTOR_W), .DEPTH(SLOTS)) u_slices (
    .clk_i     (clk_i),
    .wr_en_i   (!filled),
    .wr_addr_i (fill_q[SLOT_W-1:0]),
    .wr_data_i (next),
    .rd_addr_i (slot),
    .rd_data_o (begins)
  );

  assign ready_o  = filled || !is_local;
  // The slot stands in the key above the place in the slice, and counts only there.
  assign sector_o = (begins & {SECTOR_W{is_local}}) + (key_i[SECTOR_W-1:0] & ~(SECTOR_W'({SLOT_W{is_local}}) << mem_pkg::LOCAL_W));

endmodule

`default_nettype wire
