// SPDX-License-Identifier: Apache-2.0
// rtl/dispatch/cta_plan.sv, with the four block slots, four warp slots, 256 warp registers and 8 KiB of shared memory of `tiny`: one
// launch, any.
// config: tiny
// quick
`include "properties.svh"

module cta_plan_formal (
  input logic                        clk_i,
  input logic [cfg_pkg::BLOCK_W-1:0] bslot,
  input logic [cfg_pkg::WARP_W-1:0]  place
);
  `RESET
  localparam int unsigned BLOCKS = cfg_pkg::BLOCKS, WARPS = cfg_pkg::WARPS;

  core_pkg::launch_t launch_q;
  logic              start_q, begun_q, done, over_q;
  logic [3:0]        refuse;
  logic [10:0]       threads;
  logic [7:0]        warps, room;
  logic [BLOCKS-1:0] slots;
  logic [WARPS-1:0]  places;
  logic [15:0]       rbase;
  logic [23:0]       shm_base;

  cta_plan u_dut (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .grid_i     (launch_q.grid),
    .block_i    (launch_q.block),
    .regs_i     (launch_q.regs),
    .shared_bytes_i(launch_q.shared_bytes),
    .start_i    (start_q),
    .done_o     (done),
    .refuse_o   (refuse),
    .threads_o  (threads),
    .warps_o    (warps),
    .slots_o    (slots),
    .places_o   (places),
    .room_o     (room),
    .bslot_i    (bslot),
    .shm_base_o (shm_base),
    .place_i    (place),
    .rbase_o    (rbase)
  );

  // The launch holds; it is sampled once.
  always_ff @(posedge clk_i) begin
    launch_q <= launch_q;
    begun_q  <= rst_ni;
    start_q  <= rst_ni && !begun_q;
    over_q   <= rst_ni && (over_q || done);
  end

  // Two block slots, and two warp slots, a below b, looked at one after the other.
  logic [cfg_pkg::BLOCK_W-1:0] a_q, b_q;
  logic [cfg_pkg::WARP_W-1:0]  c_q, d_q;
  logic                        seen_a_q, seen_c_q;
  logic [15:0]                 c_rbase_q;
  logic [23:0]                 a_shm_q;
  logic                        stands;
  assign stands = over_q && refuse == core_pkg::REFUSE_NONE;
  always_ff @(posedge clk_i) begin
    a_q <= a_q;
    b_q <= b_q;
    c_q <= c_q;
    d_q <= d_q;
    if (!rst_ni) begin
      seen_a_q <= 1'b0;
      seen_c_q <= 1'b0;
    end else begin
      if (stands && bslot == a_q && slots[a_q]) seen_a_q <= 1'b1;
      if (stands && place == c_q && places[c_q]) seen_c_q <= 1'b1;
    end
    if (stands && bslot == a_q) a_shm_q <= shm_base;
    if (stands && place == c_q) c_rbase_q <= rbase;
  end

  // Registers of two warps of a partition never overlap.
  `BOUND(20, p_registers, !(stands && seen_c_q && c_q < d_q && place == d_q && places[d_q])
    || 17'(c_rbase_q) + 17'(launch_q.regs) <= 17'(rbase))
  // Nor does the shared memory of two blocks.
  `BOUND(20, p_shared, !(stands && seen_a_q && a_q < b_q && bslot == b_q && slots[b_q])
    || 25'(a_shm_q) + 25'(launch_q.shared_bytes) <= 25'(shm_base))
  // Every place is within the registers and the shared memory that there are.
  `BOUND(20, p_within, !stands
    || ((!places[place] || 17'(rbase) + 17'(launch_q.regs) <= 17'(cfg_pkg::REGS))
      && (!slots[bslot] || 25'(shm_base) + 25'(launch_q.shared_bytes) <= 25'(cfg_pkg::SHARED_BYTES))))
  // An accepted launch has a block slot and places for the warps of one block at least; places are counted as they are.
  `BOUND(20, p_warps, !stands || (slots[0] && warps <= room && 32'(warps) * 32 >= 32'(threads)
    && 32'(room) == cfg_pkg::PARTITIONS * $countones(places)))
  // Four blocks have room, with registers and shared memory of their own.
  `REACH(r_four, over_q && slots == '1 && places == '1 && launch_q.shared_bytes > 24'd1024 && launch_q.regs > 9'd32)
endmodule
