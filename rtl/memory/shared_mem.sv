// SPDX-License-Identifier: Apache-2.0
// The shared memory itself: banks of 32-bit words in block RAM, one row of each bank a pass.
// Latency: read data one cycle after rt_valid_i, until the next reading pass; an atomic add is written back in that cycle.
// Handshake: events; after an atomic pass a cycle must stay empty. ret_shm_ shows a pass when it has been performed (one
// cycle after rt_valid_i, atomics two); wdata means something for stores and atomics, rdata for loads and atomics.
// It does not check ranges or conflicts and does not clear its contents.
`default_nettype none
`include "heddle_assert.svh"

module shared_mem #(
  localparam int unsigned LANES = cfg_pkg::LSU_LANES,
  localparam int unsigned BANKS = mem_pkg::SHM_BANKS,
  localparam int unsigned ROWS  = mem_pkg::SHM_ROWS,
  localparam int unsigned ROW_W = mem_pkg::SHM_ROW_W
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,
  input  logic [7:0]                   fault_i,
  // from shm_route: unchanged until the next pass
  input  logic                         rt_valid_i,
  input  core_pkg::id_t                rt_id_i,
  input  isa_pkg::mem_e                rt_mem_i,
  input  logic [mem_pkg::BEAT_W-1:0]   rt_beat_i,
  input  logic [LANES-1:0]             rt_grant_i,
  input  logic [BANKS-1:0]             rt_bank_en_i,
  input  logic [BANKS-1:0][15:0]       rt_row_i,
  input  logic [BANKS-1:0][3:0]        rt_wstrb_i,
  input  logic [BANKS-1:0][31:0]       rt_wdata_i,
  // retire port; the return path takes ret_shm_rdata_o too
  output logic                         ret_shm_valid_o,
  output logic [7:0]                   ret_shm_slot_o,
  output logic [7:0]                   ret_shm_gen_o,
  output logic [31:0]                  ret_shm_seq_o,
  output logic [1:0]                   ret_shm_kind_o,
  output logic [31:0]                  ret_shm_lanes_o,
  output logic [BANKS-1:0]             ret_shm_bank_en_o,
  output logic [BANKS-1:0][15:0]       ret_shm_row_o,
  output logic [BANKS-1:0][3:0]        ret_shm_wstrb_o,
  output logic [BANKS-1:0][31:0]       ret_shm_wdata_o,
  output logic [BANKS-1:0][31:0]       ret_shm_rdata_o
);

  localparam int unsigned FAR = 5 - mem_pkg::SHM_BANK_W;   // the row bit that stands for 128 bytes

  logic store, atomic, read, write, write_back_q;

  assign store  = rt_mem_i == isa_pkg::MEM_SHARED_STORE;
  assign atomic = rt_mem_i == isa_pkg::MEM_SHARED_ATOM;
  // A bank is read or written in a cycle, never both, and synthesis must see it: it would add registers for a collision.
  assign read   = rt_valid_i && !store && !write_back_q;
  assign write  = (rt_valid_i && store) || write_back_q;

  // Of all banks at once: what is written, in an atomic's second cycle the sum.
  logic [BANKS-1:0][31:0] wr_data;

  always_comb begin
    wr_data = rt_wdata_i;
    if (write_back_q) begin
      for (int unsigned b = 0; b < BANKS; b++) wr_data[b] = ret_shm_rdata_o[b] + rt_wdata_i[b];
    end
  end

  for (genvar b = 0; b < BANKS; b++) begin : gen_bank
    logic [31:0]      mem_q [ROWS];
    logic [ROW_W-1:0] row, wr_row;
    logic [31:0]      rdata_q;

    assign row                = ROW_W'(rt_row_i[b]);
    assign ret_shm_rdata_o[b] = rdata_q;

    always_ff @(posedge clk_i) begin
      if (read && rt_bank_en_i[b]) rdata_q <= mem_q[row];
    end

    always_comb begin
      wr_row = row;
      if (fault_i == core_pkg::FAULT_SHM_BANK_ADDR && b == 3 && !write_back_q) wr_row[FAR] = !row[FAR];
    end

    always_ff @(posedge clk_i) begin
      if (write && rt_bank_en_i[b]) begin
        for (int unsigned y = 0; y < 4; y++) begin
          if (rt_wstrb_i[b][y]) mem_q[wr_row][8*y +: 8] <= wr_data[b][8*y +: 8];
        end
      end
    end
  end

  // ---- record -----------------------------------------------------------------------------------
  always_ff @(posedge clk_i) begin
    if (rt_valid_i) begin
      ret_shm_row_o   <= rt_row_i;
      ret_shm_wstrb_o <= rt_wstrb_i;
    end
    if (write) ret_shm_wdata_o <= wr_data;
  end

  always_ff @(posedge clk_i) begin
    if (rt_valid_i) begin
      ret_shm_slot_o    <= 8'(rt_id_i.slot);
      ret_shm_gen_o     <= rt_id_i.gen;
      ret_shm_seq_o     <= rt_id_i.seq;
      ret_shm_kind_o    <= atomic ? 2'd2 : store ? 2'd1 : 2'd0;
      ret_shm_lanes_o   <= 32'(rt_grant_i) << (32'(rt_beat_i) * LANES);
      ret_shm_bank_en_o <= rt_bank_en_i;
    end
  end

  // Passes of no lane (empty beats) are not shown.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      write_back_q    <= 1'b0;
      ret_shm_valid_o <= 1'b0;
    end else begin
      write_back_q    <= rt_valid_i && atomic;
      ret_shm_valid_o <= ((rt_valid_i && !atomic) || write_back_q) && rt_bank_en_i != '0;
    end
  end

  // No access arrives while an atomic is written back.
  `ASSERT(a_atomic, !rt_valid_i || !write_back_q)

endmodule

`default_nettype wire
