// SPDX-License-Identifier: Apache-2.0
// Crossbar from the lanes of one pass to the 32 banks: row, byte strobes and data of each bank.
// Latency: two cycles from ps_valid_i to rt_valid_o; a pass a cycle.
// Handshake: events. Of lanes that store the same byte the highest wins.
// It does not detect conflicts: all leaders of a pass must lie in different banks.
`default_nettype none

module shm_route #(
  localparam int unsigned LANES = cfg_pkg::LANES,
  localparam int unsigned ROW_W = mem_pkg::SHM_ROW_W
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,
  input  logic [7:0]                   fault_i,
  // from shm_conflict
  input  logic                         ps_valid_i,
  input  core_pkg::memop_t             ps_op_i,
  input  logic [4:0]                   ps_beat_i,
  input  logic                         ps_last_i,
  input  logic [LANES-1:0]             ps_grant_i,
  input  logic [LANES-1:0]             ps_leader_i,
  input  logic [LANES-1:0][4:0]        ps_bank_i,
  input  logic [LANES-1:0][ROW_W-1:0]  ps_row_i,
  input  logic [LANES-1:0][1:0]        ps_sub_i,
  input  logic [3:0][LANES-1:0][31:0]  ps_data_i,
  // to the banks
  output logic                         rt_valid_o,
  output core_pkg::memop_t             rt_op_o,
  output logic [4:0]                   rt_beat_o,
  output logic                         rt_last_o,
  output logic [LANES-1:0]             rt_grant_o,
  output logic [LANES-1:0][4:0]        rt_bank_o,
  output logic [LANES-1:0][1:0]        rt_sub_o,
  output logic [31:0]                  rt_bank_en_o,
  output logic [31:0][ROW_W-1:0]       rt_row_o,
  output logic [31:0][3:0]             rt_wstrb_o,
  output logic [31:0][31:0]            rt_wdata_o
);

  // The pass, one cycle later.
  logic                         valid_q, last_q;
  core_pkg::memop_t             op_q;
  logic [4:0]                   beat_q;
  logic [LANES-1:0]             grant_q, leader_q;
  logic [LANES-1:0][4:0]        bank_q;
  logic [LANES-1:0][ROW_W-1:0]  row_q;
  logic [LANES-1:0][1:0]        sub_q;
  logic [3:0][LANES-1:0][31:0]  data_q;
  logic [LANES-1:0][3:0]        strobe;
  logic [4:0]                   keep;
  logic                         writes, wide, quad, low_wins;

  always_ff @(posedge clk_i) begin
    if (ps_valid_i) begin
      op_q     <= ps_op_i;
      beat_q   <= ps_beat_i;
      last_q   <= ps_last_i;
      grant_q  <= ps_grant_i;
      leader_q <= ps_leader_i;
      bank_q   <= ps_bank_i;
      row_q    <= ps_row_i;
      sub_q    <= ps_sub_i;
      data_q   <= ps_data_i;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid_q <= 1'b0;
    else         valid_q <= ps_valid_i;
  end

  assign quad     = op_q.size == isa_pkg::SIZE_128;
  assign wide     = quad || op_q.size == isa_pkg::SIZE_64;
  assign keep     = quad ? 5'b11100 : wide ? 5'b11110 : 5'b11111;
  assign writes   = op_q.mem != isa_pkg::MEM_SHARED_LOAD;
  assign low_wins = fault_i == core_pkg::FAULT_SHM_COLLIDE;

  always_comb begin
    for (int unsigned l = 0; l < LANES; l++) begin
      strobe[l] = mem_pkg::byte_mask(op_q.size, sub_q[l]);
    end
  end

  for (genvar b = 0; b < 32; b++) begin : gen_bank
    logic [LANES-1:0] mine;
    logic [ROW_W-1:0] row;
    logic [3:0]       wstrb;
    logic [31:0]      wdata, word;
    logic [1:0]       pick;            // word of a lane that belongs into this bank

    assign pick = 2'(b) & {quad, wide};

    always_comb begin
      mine  = '0;
      row   = '0;
      wstrb = '0;
      wdata = '0;
      word  = '0;
      if (valid_q) begin
        for (int unsigned l = 0; l < LANES; l++) begin
          mine[l] = grant_q[l] && ((bank_q[l] ^ 5'(b)) & keep) == '0;
          if (mine[l] && leader_q[l]) row |= row_q[l];
        end
        if (writes) begin
          for (int unsigned l = 0; l < LANES; l++) begin
            if (mine[l]) begin
              word = mem_pkg::replicate(op_q.size, data_q[pick][l]);
              for (int unsigned y = 0; y < 4; y++) begin
                if (strobe[l][y] && !(low_wins && wstrb[y])) begin
                  wdata[8*y +: 8] = word[8*y +: 8];
                  wstrb[y]        = 1'b1;
                end
              end
            end
          end
        end
      end
    end

    always_ff @(posedge clk_i) begin
      if (valid_q) begin
        rt_bank_en_o[b] <= mine != '0;
        rt_row_o[b]     <= row;
        rt_wstrb_o[b]   <= wstrb;
        rt_wdata_o[b]   <= wdata;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (valid_q) begin
      rt_op_o    <= op_q;
      rt_beat_o  <= beat_q;
      rt_last_o  <= last_q;
      rt_grant_o <= grant_q;
      rt_bank_o  <= bank_q;
      rt_sub_o   <= sub_q;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) rt_valid_o <= 1'b0;
    else         rt_valid_o <= valid_q;
  end

endmodule

`default_nettype wire
