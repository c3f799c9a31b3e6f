// SPDX-License-Identifier: Apache-2.0
// The records of shared memory that works on a row of lanes at a time: a pass, as shm_route sends it to the banks, with what they
// have been given to write and what they have read.
// Latency: a pass is shown when it has been performed: one cycle after rt_valid, an atomic after its last write.
// Handshake: events. A record means something where it is valid; wdata for stores and atomics, rdata for loads and atomics.
// Passes of no lane (empty beats) are not shown.
`include "heddle_idle.svh"

module retire_shared #(
  localparam int unsigned LANES = cfg_pkg::LSU_LANES,
  localparam int unsigned BANKS = mem_pkg::SHM_BANKS
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,
  // from shm_conflict: a pass and its instruction; a cycle later from shm_route, unchanged until the next one
  input  logic                         ps_valid_i,
  input  core_pkg::id_t                ps_id_i,
  input  logic                         rt_valid_i,
  input  isa_pkg::mem_e                rt_mem_i,
  input  logic [mem_pkg::BEAT_W-1:0]   rt_beat_i,
  input  logic [LANES-1:0]             rt_grant_i,
  input  logic [BANKS-1:0]             rt_bank_en_i,
  input  logic [BANKS-1:0][15:0]       rt_row_i,
  input  logic [BANKS-1:0][3:0]        rt_wstrb_i,
  // from the banks: a write of some of them, the last of its pass; what was read
  input  logic                         sm_write_i,
  input  logic                         sm_last_i,
  input  logic [BANKS-1:0]             sm_turn_i,
  input  logic [BANKS-1:0][31:0]       sm_wdata_i,
  input  logic [BANKS-1:0][31:0]       sm_rdata_i,
  // to the retire port
  output logic                         ret_shared_valid_o,
  output retire_pkg::shared_t          ret_shared_o
);

  logic                     store, atomic, store_q, atomic_q;
  core_pkg::id_t            rt_id_q;
  retire_pkg::id_t          id_q;
  logic [31:0]              lanes_q;
  logic [BANKS-1:0]         bank_en_q;
  logic [BANKS-1:0][15:0]   row_q;
  logic [BANKS-1:0][3:0]    wstrb_q;
  logic [BANKS-1:0][31:0]   wdata_q;

  assign store  = rt_mem_i == isa_pkg::MEM_SHARED_STORE;
  assign atomic = rt_mem_i == isa_pkg::MEM_SHARED_ATOM;

  always_ff @(posedge clk_i) begin
    if (ps_valid_i) rt_id_q <= ps_id_i;
    if (rt_valid_i) begin
      store_q   <= store;
      atomic_q  <= atomic;
      id_q      <= core_pkg::who(rt_id_q, core_pkg::part_of(rt_id_q.slot));
      lanes_q   <= 32'(rt_grant_i) << (32'(rt_beat_i) * LANES);
      bank_en_q <= rt_bank_en_i;
      row_q     <= rt_row_i;
      wstrb_q   <= rt_wstrb_i;
    end
    if (sm_write_i) begin
      for (int unsigned b = 0; b < BANKS; b++) begin
        if (sm_turn_i[b]) wdata_q[b] <= sm_wdata_i[b];
      end
    end
  end

  always_comb begin
    `HEDDLE_IDLE(ret_shared_o, '0);
    if (ret_shared_valid_o) begin
      ret_shared_o = '0;
      ret_shared_o.id      = id_q;
      ret_shared_o.lanes   = lanes_q;
      ret_shared_o.bank_en = 32'(bank_en_q);
      ret_shared_o.access  = atomic_q ? 8'd2 : store_q ? 8'd1 : 8'd0;
      ret_shared_o.row     = row_q;
      for (int unsigned b = 0; b < BANKS; b++) ret_shared_o.wstrb[b] = 8'(wstrb_q[b]);
      if (store_q || atomic_q) ret_shared_o.wdata = wdata_q;
      if (!store_q) ret_shared_o.rdata = sm_rdata_i;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) ret_shared_valid_o <= 1'b0;
    else         ret_shared_valid_o <= (atomic ? sm_write_i && sm_last_i : rt_valid_i) && rt_bank_en_i != '0;
  end

endmodule
