// SPDX-License-Identifier: Apache-2.0
// The shared memory itself: banks of 32-bit words in block RAM, one row of each bank a pass.
// Latency: read data one cycle after rt_valid_i, until the next reading pass; an atomic is written back in that cycle.
// Handshake: events; after an atomic pass a cycle must stay empty. ret_shared shows a pass when it has been performed (one
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
  input  logic [atom_pkg::OP_W-1:0]    rt_atom_i,
  input  logic [mem_pkg::BEAT_W-1:0]   rt_beat_i,
  input  logic [LANES-1:0]             rt_grant_i,
  input  logic [BANKS-1:0]             rt_bank_en_i,
  input  logic [BANKS-1:0][15:0]       rt_row_i,
  input  logic [BANKS-1:0][3:0]        rt_wstrb_i,
  input  logic [BANKS-1:0][31:0]       rt_wdata_i,
  // to the return path
  output logic [BANKS-1:0][31:0]       sm_rdata_o,
  // retire port
  output logic                         ret_shared_valid_o,
  output retire_pkg::shared_t          ret_shared_o
);

  localparam int unsigned FAR = 5 - mem_pkg::SHM_BANK_W;   // the row bit that stands for 128 bytes

  logic store, atomic, read, write, write_back_q;

  assign store  = rt_mem_i == isa_pkg::MEM_SHARED_STORE;
  assign atomic = rt_mem_i == isa_pkg::MEM_SHARED_ATOM;
  // A bank is read or written in a cycle, never both, and synthesis must see it: it would add registers for a collision.
  assign read   = rt_valid_i && !store && !write_back_q;
  assign write  = (rt_valid_i && store) || write_back_q;

  // Of all banks at once: what is written, in an atomic's second cycle its result.
  logic [BANKS-1:0][31:0] wr_data;

  always_comb begin
    wr_data = rt_wdata_i;
    if (write_back_q) begin
      for (int unsigned b = 0; b < BANKS; b++) begin
        wr_data[b] = atom_pkg::result(rt_atom_i, sm_rdata_o[b], rt_wdata_i[b], '0);
      end
    end
  end

  for (genvar b = 0; b < BANKS; b++) begin : gen_bank
    logic [31:0]      mem_q [ROWS];
    logic [ROW_W-1:0] row, wr_row;
    logic [31:0]      rdata_q;

    assign row           = ROW_W'(rt_row_i[b]);
    assign sm_rdata_o[b] = rdata_q;

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
  logic                     store_q, atomic_q;
  retire_pkg::id_t          id_q;
  logic [31:0]              lanes_q;
  logic [BANKS-1:0]         bank_en_q;
  logic [BANKS-1:0][15:0]   row_q;
  logic [BANKS-1:0][3:0]    wstrb_q;
  logic [BANKS-1:0][31:0]   wdata_q;

  always_ff @(posedge clk_i) begin
    if (rt_valid_i) begin
      store_q   <= store;
      atomic_q  <= atomic;
      id_q      <= core_pkg::who(rt_id_i, core_pkg::part_of(rt_id_i.slot));
      lanes_q   <= 32'(rt_grant_i) << (32'(rt_beat_i) * LANES);
      bank_en_q <= rt_bank_en_i;
      row_q     <= rt_row_i;
      wstrb_q   <= rt_wstrb_i;
    end
    if (write) wdata_q <= wr_data;
  end

  always_comb begin
    ret_shared_o = '0;
    if (ret_shared_valid_o) begin
      ret_shared_o.id      = id_q;
      ret_shared_o.lanes   = lanes_q;
      ret_shared_o.bank_en = 32'(bank_en_q);
      ret_shared_o.access  = atomic_q ? 8'd2 : store_q ? 8'd1 : 8'd0;
      ret_shared_o.row     = row_q;
      for (int unsigned b = 0; b < BANKS; b++) ret_shared_o.wstrb[b] = 8'(wstrb_q[b]);
      if (store_q || atomic_q) ret_shared_o.wdata = wdata_q;
      if (!store_q) ret_shared_o.rdata = sm_rdata_o;
    end
  end

  // Passes of no lane (empty beats) are not shown.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      write_back_q       <= 1'b0;
      ret_shared_valid_o <= 1'b0;
    end else begin
      write_back_q       <= rt_valid_i && atomic;
      ret_shared_valid_o <= ((rt_valid_i && !atomic) || write_back_q) && rt_bank_en_i != '0;
    end
  end

  // No access arrives while an atomic is written back.
  `ASSERT(a_atomic, !rt_valid_i || !write_back_q)

endmodule

`default_nettype wire
