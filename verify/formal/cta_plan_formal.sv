// SPDX-License-Identifier: Apache-2.0
// rtl/issue/cta_plan.sv, with the four block slots, 256 warp registers and 8 KiB of shared memory of `tiny`: one launch, any.
// config: tiny
// quick
`default_nettype none
`include "properties.svh"

module cta_plan_formal (
  input logic                        clk_i,
  input logic [cfg_pkg::BLOCK_W-1:0] bslot
);
  `RESET
  localparam int unsigned BLOCKS = cfg_pkg::BLOCKS;

  core_pkg::launch_t launch_q;
  logic              start_q, begun_q, done, over_q;
  logic [3:0]        refuse;
  logic [10:0]       threads;
  logic [7:0]        warps;
  logic [BLOCKS-1:0] slots;
  logic [15:0]       rbase;
  logic [23:0]       shm_base;

  cta_plan u_dut (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .launch_i   (launch_q),
    .start_i    (start_q),
    .done_o     (done),
    .refuse_o   (refuse),
    .threads_o  (threads),
    .warps_o    (warps),
    .slots_o    (slots),
    .bslot_i    (bslot),
    .rbase_o    (rbase),
    .shm_base_o (shm_base)
  );

  // The launch stands; it is looked at once.
  always_ff @(posedge clk_i) begin
    launch_q <= launch_q;
    begun_q  <= rst_ni;
    start_q  <= rst_ni && !begun_q;
    over_q   <= rst_ni && (over_q || done);
  end

  // Two block slots, a below b, looked at one after the other.
  logic [cfg_pkg::BLOCK_W-1:0] a_q, b_q;
  logic                        seen_q;
  logic [15:0]                 a_rbase_q;
  logic [23:0]                 a_shm_q;
  logic [16:0]                 regs;
  logic [24:0]                 bytes;
  always_ff @(posedge clk_i) begin
    a_q <= a_q;
    b_q <= b_q;
    if (!rst_ni) seen_q <= 1'b0;
    else if (over_q && bslot == a_q) begin
      seen_q    <= 1'b1;
      a_rbase_q <= rbase;
      a_shm_q   <= shm_base;
    end
  end
  assign regs  = 17'(warps) * 17'(launch_q.regs);       // of a block; one partition
  assign bytes = 25'(launch_q.shared_bytes);

  logic look_b, exist;
  assign exist  = refuse == core_pkg::REFUSE_NONE && slots[a_q] && slots[b_q] && a_q < b_q;
  assign look_b = seen_q && exist && bslot == b_q;

  // Registers of two resident blocks never overlap.
  `BOUND(18, p_registers, !look_b || 17'(a_rbase_q) + regs <= 17'(rbase))
  // Nor does their shared memory.
  `BOUND(18, p_shared, !look_b || 25'(a_shm_q) + bytes <= 25'(shm_base))
  // Every resident block lies within the registers and the shared memory that there are.
  `BOUND(18, p_within, !(over_q && refuse == core_pkg::REFUSE_NONE && slots[bslot])
    || (17'(rbase) + regs <= 17'(cfg_pkg::REGS) && 25'(shm_base) + bytes <= 25'(cfg_pkg::SHARED_BYTES)))
  // An accepted launch has a place for one block at least, and warps for as many blocks as have a place.
  `BOUND(18, p_warps, !(over_q && refuse == core_pkg::REFUSE_NONE)
    || (slots[0] && 32'(warps) * $countones(slots) <= cfg_pkg::WARPS && 32'(warps) * 32 >= 32'(threads)))
  // Four blocks are resident, with registers and shared memory of their own.
  `REACH(r_four, over_q && slots == '1 && launch_q.shared_bytes > 24'd1024 && launch_q.regs > 9'd32)
endmodule

`default_nettype wire
