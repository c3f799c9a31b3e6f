// SPDX-License-Identifier: Apache-2.0
// The records of an SM as a whole: its blocks, warps, barriers and traps.
// Latency: none. Handshake: events; the trap stands until reset, its record comes once.
// It has no number of its SM (core_pkg::who says 0; retire_pkg::sm_of puts the number in).
module retire_sm (
  input  logic                                     clk_i,
  input  logic                                     rst_ni,
  // from the dispatcher
  input  sm_pkg::blocks_t                          ct_blk_i,
  input  logic                                     ct_start_valid_i,
  input  core_pkg::start_t                         ct_start_i,
  // from the barriers, and the trap of all partitions, which counts (of several SMs it may not)
  input  sm_pkg::release_t                         ba_release_i,
  input  logic                                     sm_trap_valid_i,
  input  core_pkg::trap_t                          sm_trap_i,
  // retire port
  output retire_pkg::blocks_valid_t                ret_valid_o,
  output retire_pkg::blocks_ret_t                  ret_o
);

  logic trap_shown_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) trap_shown_q <= 1'b0;
    else         trap_shown_q <= sm_trap_valid_i;
  end

  assign ret_valid_o = '{
    block_start: ct_blk_i.start_valid,
    warp_start:  ct_start_valid_i,
    barrier:     ba_release_i.valid,
    trap:        sm_trap_valid_i && !trap_shown_q,
    block_end:   ct_blk_i.end_valid
  };

  always_comb begin
    ret_o                         = '0;
    ret_o.block_start.warps       = 64'(ct_blk_i.warps);
    ret_o.block_start.ctaid       = ct_blk_i.ctaid;
    ret_o.block_start.shared_base = 32'(ct_blk_i.shm_base);
    ret_o.block_start.bslot       = ct_blk_i.bslot;
    ret_o.warp_start.id           = core_pkg::who({ct_start_i.slot, ct_start_i.gen, 32'd0}, core_pkg::part_of(ct_start_i.slot));
    ret_o.warp_start.reg_base     = ct_start_i.rbase;
    ret_o.warp_start.bslot        = ct_start_i.bslot;
    ret_o.barrier.bslot           = ba_release_i.bslot;
    ret_o.barrier.id              = 8'(ba_release_i.id);
    ret_o.trap.id                 = core_pkg::who(sm_trap_i.id, core_pkg::part_of(sm_trap_i.id.slot));
    ret_o.trap.addr               = sm_trap_i.addr;
    ret_o.trap.pc                 = sm_trap_i.pc;
    ret_o.trap.lanes              = sm_trap_i.lanes;
    ret_o.trap.cause              = 8'(sm_trap_i.cause);
    ret_o.block_end.bslot         = ct_blk_i.end_bslot;
  end

  logic unused;
  assign unused = ^{ct_start_i, sm_trap_i, ba_release_i};

endmodule
