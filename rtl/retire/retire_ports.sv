// SPDX-License-Identifier: Apache-2.0
// The records of an SM as the ports of a top: an array of each kind, by partition, and valid bits. On the way the number of the SM
// is put into each: below here nobody knows which SM it is part of, so that all SMs are one text, and of a constant number wires
// are left.
// Latency: none. Handshake: none; events pass. It does not touch anything else of a record.
`default_nettype none

module retire_ports #(
  localparam int unsigned PARTS = cfg_pkg::PARTITIONS,
  localparam int unsigned PORTS = retire_pkg::PORTS
) (
  input  logic [7:0]                                   sm_i,             // number of the SM: constant
  input  ret_pkg::valid_t                              ret_valid_i,
  input  ret_pkg::ret_t                                ret_i,
  // of the SM
  output logic                                         ret_block_start_valid_o,
  output retire_pkg::block_start_t                     ret_block_start_o,
  output logic                                         ret_warp_start_valid_o,
  output retire_pkg::warp_start_t                      ret_warp_start_o,
  output logic                                         ret_shared_valid_o,
  output retire_pkg::shared_t                          ret_shared_o,
  output logic                                         ret_barrier_valid_o,
  output retire_pkg::barrier_t                         ret_barrier_o,
  output logic                                         ret_trap_valid_o,
  output retire_pkg::trap_t                            ret_trap_o,
  output logic                                         ret_block_end_valid_o,
  output retire_pkg::block_end_t                       ret_block_end_o,
  // of the cache
  output logic                                         ret_ack_valid_o,
  output retire_pkg::ack_t                             ret_ack_o,
  output logic [retire_pkg::TURNS-1:0]                 ret_drop_valid_o,
  output retire_pkg::drop_t [retire_pkg::TURNS-1:0]    ret_drop_o,
  output logic                                         ret_merge_valid_o,
  output retire_pkg::merge_t                           ret_merge_o,
  output logic [retire_pkg::TURNS-1:0]                 ret_hit_valid_o,
  output retire_pkg::hit_t [retire_pkg::TURNS-1:0]     ret_hit_o,
  // of each partition
  output logic [PARTS-1:0]                             ret_fence_valid_o,
  output retire_pkg::fence_t [PARTS-1:0]               ret_fence_o,
  output logic [PARTS-1:0][PORTS-1:0]                  ret_write_valid_o,
  output retire_pkg::write_t [PARTS-1:0][PORTS-1:0]    ret_write_o,
  output logic [PARTS-1:0]                             ret_predicate_valid_o,
  output retire_pkg::predicate_t [PARTS-1:0]           ret_predicate_o,
  output logic [PARTS-1:0]                             ret_operands_valid_o,
  output retire_pkg::operands_t [PARTS-1:0]            ret_operands_o,
  output logic [PARTS-1:0]                             ret_operands_memory_valid_o,
  output retire_pkg::operands_t [PARTS-1:0]            ret_operands_memory_o,
  output logic [PARTS-1:0]                             ret_issue_valid_o,
  output retire_pkg::issue_t [PARTS-1:0]               ret_issue_o,
  output logic [PARTS-1:0]                             ret_uniform_read_valid_o,
  output retire_pkg::uniform_read_t [PARTS-1:0]        ret_uniform_read_o,
  output logic [PARTS-1:0]                             ret_uniform_write_valid_o,
  output retire_pkg::uniform_write_t [PARTS-1:0]       ret_uniform_write_o
);

  assign ret_block_start_valid_o = ret_valid_i.sm.block_start;
  assign ret_warp_start_valid_o  = ret_valid_i.sm.warp_start;
  assign ret_shared_valid_o      = ret_valid_i.memory.shared;
  assign ret_barrier_valid_o     = ret_valid_i.sm.barrier;
  assign ret_trap_valid_o        = ret_valid_i.sm.trap;
  assign ret_block_end_valid_o   = ret_valid_i.sm.block_end;

  always_comb begin
    ret_block_start_o    = ret_i.sm.block_start;
    ret_warp_start_o     = ret_i.sm.warp_start;
    ret_barrier_o        = ret_i.sm.barrier;
    ret_trap_o           = ret_i.sm.trap;
    ret_block_end_o      = ret_i.sm.block_end;
    ret_shared_o         = ret_i.memory.shared;
    ret_block_start_o.sm        = sm_i;
    ret_warp_start_o.id.sm      = sm_i;
    ret_barrier_o.sm            = sm_i;
    ret_trap_o.id.sm            = sm_i;
    ret_block_end_o.sm          = sm_i;
    ret_shared_o.id.sm          = sm_i;
  end

  assign ret_ack_valid_o   = ret_valid_i.cache.ack;
  assign ret_drop_valid_o  = ret_valid_i.cache.drop;
  assign ret_merge_valid_o = ret_valid_i.cache.merge;
  assign ret_hit_valid_o   = ret_valid_i.cache.hit;
  assign ret_fence_valid_o = ret_valid_i.cache.fence;

  always_comb begin
    ret_ack_o   = ret_i.cache.ack;
    ret_drop_o  = ret_i.cache.drop;
    ret_merge_o = ret_i.cache.merge;
    ret_hit_o   = ret_i.cache.hit;
    ret_fence_o = ret_i.cache.fence;
    ret_ack_o.id.sm   = sm_i;
    ret_merge_o.id.sm = sm_i;
    for (int unsigned k = 0; k < retire_pkg::TURNS; k++) begin
      ret_drop_o[k].id.sm = sm_i;
      ret_hit_o[k].id.sm  = sm_i;
    end
    for (int unsigned p = 0; p < PARTS; p++) ret_fence_o[p].id.sm = sm_i;
  end

  for (genvar p = 0; p < PARTS; p++) begin : gen_partition
    assign ret_write_valid_o[p]           = ret_valid_i.back[p].write;
    assign ret_predicate_valid_o[p]       = ret_valid_i.back[p].predicate;
    assign ret_operands_valid_o[p]        = ret_valid_i.back[p].operands;
    assign ret_operands_memory_valid_o[p] = ret_valid_i.back[p].operands_memory;
    assign ret_issue_valid_o[p]           = ret_valid_i.front[p].issue;
    assign ret_uniform_read_valid_o[p]    = ret_valid_i.front[p].uniform_read;
    assign ret_uniform_write_valid_o[p]   = ret_valid_i.front[p].uniform_write;
    always_comb begin
      ret_write_o[p]           = ret_i.back[p].write;
      ret_predicate_o[p]       = ret_i.back[p].predicate;
      ret_operands_o[p]        = ret_i.back[p].operands;
      ret_operands_memory_o[p] = ret_i.back[p].operands_memory;
      ret_issue_o[p]           = ret_i.front[p].issue;
      ret_uniform_read_o[p]    = ret_i.front[p].uniform_read;
      ret_uniform_write_o[p]   = ret_i.front[p].uniform_write;
      for (int k = 0; k < int'(PORTS); k++) ret_write_o[p][k].id.sm = sm_i;
      ret_predicate_o[p].id.sm       = sm_i;
      ret_operands_o[p].id.sm        = sm_i;
      ret_operands_memory_o[p].id.sm = sm_i;
      ret_issue_o[p].id.sm           = sm_i;
      ret_uniform_read_o[p].id.sm    = sm_i;
      ret_uniform_write_o[p].id.sm   = sm_i;
    end
  end

endmodule

`default_nettype wire
