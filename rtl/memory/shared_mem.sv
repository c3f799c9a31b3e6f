// SPDX-License-Identifier: Apache-2.0
// The shared memory itself: 32 banks of 32-bit words in block RAM, one row of each bank a pass.
// Latency: read data one cycle after rt_valid_i; an atomic add writes back two cycles after its read.
// Handshake: events; after an atomic pass two cycles must stay empty. ret_shm_ shows a pass when it has been performed
// (two cycles after rt_valid_i, atomics three).
// It does not check ranges or conflicts and does not clear its contents.
`default_nettype none
`include "heddle_assert.svh"

module shared_mem #(
  localparam int unsigned ROW_W = mem_pkg::SHM_ROW_W
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,
  input  logic [7:0]                   fault_i,
  // from shm_route
  input  logic                         rt_valid_i,
  input  core_pkg::id_t                rt_id_i,
  input  isa_pkg::mem_e                rt_mem_i,
  input  logic [31:0]                  rt_lanes_i,
  input  logic [31:0]                  rt_bank_en_i,
  input  logic [31:0][ROW_W-1:0]       rt_row_i,
  input  logic [31:0][3:0]             rt_wstrb_i,
  input  logic [31:0][31:0]            rt_wdata_i,
  // to the return path: one cycle after rt_valid_i
  output logic [31:0][31:0]            bk_rdata_o,
  // retire port
  output logic                         ret_shm_valid_o,
  output logic [7:0]                   ret_shm_slot_o,
  output logic [7:0]                   ret_shm_gen_o,
  output logic [31:0]                  ret_shm_seq_o,
  output logic [1:0]                   ret_shm_kind_o,
  output logic [31:0]                  ret_shm_lanes_o,
  output logic [31:0]                  ret_shm_bank_en_o,
  output logic [31:0][15:0]            ret_shm_row_o,
  output logic [31:0][3:0]             ret_shm_wstrb_o,
  output logic [31:0][31:0]            ret_shm_wdata_o,
  output logic [31:0][31:0]            ret_shm_rdata_o
);

  logic                   load, store, atomic;
  // The pass one cycle after its access, and (atomics) two.
  logic                   valid_q, atomic_q, write_back_q;
  core_pkg::id_t          id_q;
  logic [1:0]             kind_q;
  logic [31:0]            lanes_q, bank_en_q;
  logic [31:0][ROW_W-1:0] row_q;
  logic [31:0][3:0]       wstrb_q;
  logic [31:0][31:0]      wdata_q, sum_q, before_q;
  logic                   show;

  assign load   = rt_mem_i == isa_pkg::MEM_SHARED_LOAD;
  assign store  = rt_mem_i == isa_pkg::MEM_SHARED_STORE;
  assign atomic = rt_mem_i == isa_pkg::MEM_SHARED_ATOM;

  for (genvar b = 0; b < 32; b++) begin : gen_bank
    logic [3:0]       wr_en;
    logic [ROW_W-1:0] wr_row;
    logic [31:0]      wr_data;

    always_comb begin
      if (write_back_q) begin
        wr_en   = {4{bank_en_q[b]}};
        wr_row  = row_q[b];
        wr_data = sum_q[b];
      end else begin
        wr_en   = rt_wstrb_i[b] & {4{rt_valid_i && store}};
        wr_row  = rt_row_i[b];
        wr_data = rt_wdata_i[b];
      end
      if (fault_i == core_pkg::FAULT_SHM_BANK_ADDR && b == 3 && !write_back_q) wr_row[0] = !wr_row[0];
    end

    ram_1r1w #(
      .WIDTH (32),
      .DEPTH (mem_pkg::SHM_ROWS),
      .GRAIN (8)
    ) u_ram (
      .clk_i     (clk_i),
      .wr_en_i   (wr_en),
      .wr_addr_i (wr_row),
      .wr_data_i (wr_data),
      .rd_en_i   (rt_valid_i && !store && rt_bank_en_i[b]),
      .rd_addr_i (rt_row_i[b]),
      .rd_data_o (bk_rdata_o[b])
    );

    always_ff @(posedge clk_i) begin
      if (valid_q && atomic_q) begin
        sum_q[b]    <= bk_rdata_o[b] + wdata_q[b];
        before_q[b] <= bk_rdata_o[b];
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (rt_valid_i) begin
      id_q      <= rt_id_i;
      kind_q    <= atomic ? 2'd2 : store ? 2'd1 : 2'd0;
      lanes_q   <= rt_lanes_i;
      bank_en_q <= rt_bank_en_i;
      row_q     <= rt_row_i;
      wstrb_q   <= load ? '0 : rt_wstrb_i;
      wdata_q   <= load ? '0 : rt_wdata_i;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q      <= 1'b0;
      atomic_q     <= 1'b0;
      write_back_q <= 1'b0;
    end else begin
      valid_q      <= rt_valid_i;
      atomic_q     <= rt_valid_i && atomic;
      write_back_q <= valid_q && atomic_q;
    end
  end

  // The record. Passes of no lane (empty beats) are not shown.
  assign show = ((valid_q && !atomic_q) || write_back_q) && bank_en_q != '0;

  always_ff @(posedge clk_i) begin
    if (show) begin
      ret_shm_slot_o    <= 8'(id_q.slot);
      ret_shm_gen_o     <= id_q.gen;
      ret_shm_seq_o     <= id_q.seq;
      ret_shm_kind_o    <= kind_q;
      ret_shm_lanes_o   <= lanes_q;
      ret_shm_bank_en_o <= bank_en_q;
      ret_shm_wstrb_o   <= wstrb_q;
      ret_shm_wdata_o   <= write_back_q ? sum_q : wdata_q;
      ret_shm_rdata_o   <= write_back_q ? before_q : (kind_q == 2'd0) ? bk_rdata_o : '0;
      for (int unsigned b = 0; b < 32; b++) ret_shm_row_o[b] <= 16'(row_q[b]);
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) ret_shm_valid_o <= 1'b0;
    else         ret_shm_valid_o <= show;
  end

  // No access arrives while an atomic waits for its read data or writes back.
  `ASSERT(a_atomic, !rt_valid_i || !(atomic_q || write_back_q))

endmodule

`default_nettype wire
