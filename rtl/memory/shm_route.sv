// SPDX-License-Identifier: Apache-2.0
// Crossbar from the lanes of one pass to the banks: row, byte strobes and data of each bank.
// Latency: one cycle from ps_valid_i to rt_valid_o (or rt_second_o: the new values of a compare-and-swap, its pass was
// routed before); a pass a cycle.
// Handshake: events; what stands at rt_ stays until the next pass.
// It does not detect conflicts: the lanes of a pass that meet in a bank want the same row, and of those that are sent no two
// the same byte; a lane of the pass that does not send has the bytes of one that does. Bytes of rt_wdata_o without a strobe mean nothing.
`include "heddle_idle.svh"

module shm_route #(
  localparam int unsigned LANES  = cfg_pkg::LSU_LANES,
  localparam int unsigned BANKS  = mem_pkg::SHM_BANKS,
  localparam int unsigned BANK_W = mem_pkg::SHM_BANK_W,
  localparam int unsigned SHM_W  = mem_pkg::SHM_W
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,
  // from shm_conflict, and the instruction and the row of its beat in the queue
  input  logic                         ps_valid_i,
  input  logic                         ps_second_i,
  input  logic                         ps_last_i,
  input  logic [LANES-1:0]             ps_grant_i,
  input  logic [LANES-1:0]             ps_send_i,
  input  logic [mem_pkg::BEAT_W-1:0]   ps_beat_i,
  input  isa_pkg::mem_e                ps_mem_i,
  input  logic [atom_pkg::OP_W-1:0]    ps_atom_i,
  input  logic [2:0]                   ps_size_i,
  input  logic [LANES-1:0][SHM_W-1:0]  rd_addr_i,
  input  logic [3:0][LANES-1:0][31:0]  rd_data_i,
  // to the banks and to the return path
  output logic                         rt_valid_o,
  output logic                         rt_second_o,
  output logic                         rt_last_o,
  output isa_pkg::mem_e                rt_mem_o,
  output logic [atom_pkg::OP_W-1:0]    rt_atom_o,
  output logic [2:0]                   rt_size_o,
  output logic [mem_pkg::BEAT_W-1:0]   rt_beat_o,
  output logic [LANES-1:0]             rt_grant_o,
  output logic [LANES-1:0][BANK_W-1:0] rt_bank_o,
  output logic [LANES-1:0][1:0]        rt_sub_o,
  output logic [BANKS-1:0]             rt_bank_en_o,
  output logic [BANKS-1:0][15:0]       rt_row_o,
  output logic [BANKS-1:0][3:0]        rt_wstrb_o,
  output logic [BANKS-1:0][31:0]       rt_wdata_o
);

  logic writes, wide, quad;

  assign quad   = ps_size_i == isa_pkg::SIZE_128;
  assign wide   = quad || ps_size_i == isa_pkg::SIZE_64;
  assign writes = !(ps_mem_i == isa_pkg::MEM_SHARED_LOAD);

  // The data that a lane sends to a bank of number 0, 1, 2, 3 modulo four: an access of one word the same to each, wherever it lies in a
  // word; of two or four words the one that belongs there. Words without a write mean nothing.
  logic [LANES-1:0][BANK_W-1:0] bank;
  logic [LANES-1:0][15:0]       row;
  logic [LANES-1:0][3:0]        strobe;
  logic [3:0][LANES-1:0][31:0]  words;

  always_comb begin
    {bank, row, strobe} = 'x;
    `HEDDLE_ONLY(ps_valid_i) begin
      for (int unsigned l = 0; l < LANES; l++) begin
        bank[l]   = rd_addr_i[l][2 +: BANK_W];
        row[l]    = 16'(rd_addr_i[l] >> (2 + BANK_W));
        strobe[l] = mem_pkg::byte_mask(ps_size_i, rd_addr_i[l][1:0]);
      end
    end
  end

  always_comb begin
    words = 'x;
    `HEDDLE_ONLY(ps_valid_i && writes) begin
      for (int unsigned l = 0; l < LANES; l++) begin
        automatic logic [31:0] low    = mem_pkg::replicate(ps_size_i, rd_data_i[ps_second_i ? 2 : 0][l]);
        automatic logic [31:0] second = wide ? rd_data_i[ps_second_i ? 3 : 1][l] : low;
        words[0][l] = low;
        words[1][l] = second;
        words[2][l] = quad ? rd_data_i[2][l] : low;
        words[3][l] = quad ? rd_data_i[3][l] : second;
      end
    end
  end

  scatter #(.LANES(LANES), .BANKS(BANKS)) u_scatter (
    .clk_i     (clk_i),
    .take_i    (ps_valid_i),
    .writes_i  (writes),
    .span_i    ({quad, wide}),
    .lane_i    (ps_grant_i),
    .send_i    (ps_send_i),
    .bank_i    (bank),
    .row_i     (row),
    .strb_i    (strobe),
    .words_i   (words),
    .bank_en_o (rt_bank_en_o),
    .row_o     (rt_row_o),
    .strb_o    (rt_wstrb_o),
    .data_o    (rt_wdata_o)
  );

  always_ff @(posedge clk_i) begin
    if (ps_valid_i) begin
      rt_last_o  <= ps_last_i;
      rt_mem_o   <= ps_mem_i;
      rt_atom_o  <= ps_atom_i;
      rt_size_o  <= ps_size_i;
      rt_beat_o  <= ps_beat_i;
      rt_grant_o <= ps_grant_i;
      for (int unsigned l = 0; l < LANES; l++) begin
        rt_bank_o[l] <= rd_addr_i[l][2 +: BANK_W];
        rt_sub_o[l]  <= rd_addr_i[l][1:0];
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      rt_valid_o  <= 1'b0;
      rt_second_o <= 1'b0;
    end else begin
      rt_valid_o  <= ps_valid_i && !ps_second_i;
      rt_second_o <= ps_valid_i && ps_second_i;
    end
  end

endmodule
