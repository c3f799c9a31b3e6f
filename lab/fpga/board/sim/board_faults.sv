// SPDX-License-Identifier: Apache-2.0
// The wires between an FPGA and its SDRAM, and their faults on a broken board. fault_i is a number of
// tests/lab/fpga/board/board_faults.txt; 0, and those of the line (board_faults.hpp): none. Simulation only.
// Latency: none. Handshake: none; data goes to the FPGA while the SDRAM drives it, else to the SDRAM.
// Faults inside the SDRAM are bits of bad_o (sdram_model).
module board_faults #(
  parameter int unsigned DQ    = 16,
  parameter int unsigned ROW_W = 13
) (
  input  logic             clk_i,          // the SDRAM's
  input  logic [7:0]       fault_i,
  // from the FPGA
  input  logic             cke_i,
  input  logic             cs_ni,
  input  logic             ras_ni,
  input  logic             cas_ni,
  input  logic             we_ni,
  input  logic [1:0]       ba_i,
  input  logic [ROW_W-1:0] a_i,
  input  logic [DQ/8-1:0]  dm_i,
  inout  wire  [DQ-1:0]    dq_io,
  // to the SDRAM
  output logic             cke_o,
  output logic             cs_no,
  output logic             ras_no,
  output logic             cas_no,
  output logic             we_no,
  output logic [1:0]       ba_o,
  output logic [ROW_W-1:0] a_o,
  output logic [DQ/8-1:0]  dm_o,
  output logic [DQ-1:0]    dq_o,
  output logic [3:0]       bad_o,
  // from the SDRAM
  input  logic [DQ-1:0]    dq_i,
  input  logic [DQ/8-1:0]  drives_i        // it drives these bytes
);

  typedef enum logic [7:0] {
    D5_LOW = 16, D9_HIGH, D2_D3_SHORT, D3_D12_SWAPPED, D11_JOINT, A3_LOW, A9_HIGH, A6_A7_SHORT, BA1_LOW, DQM0_LOW, DQM1_HIGH,
    WE_HIGH, CS_HIGH, CKE_LOW, DATA_LATE, LATENCY_3, DATA_NOISY, NO_REFRESH, WEAK_ROW, STUCK_CELL, COUPLED_CELLS, HALF_COLUMNS,
    HALF_ROWS, A8_A9_SWAPPED
  } fault_e;

  typedef enum logic [3:0] {MODE = 4'b0000, REFRESH = 4'b0001, ACTIVE = 4'b0011, WRITE = 4'b0100, READ = 4'b0101} command_e;

  logic [3:0] command;
  assign command = {cs_ni, ras_ni, cas_ni, we_ni};
  assign bad_o   = {fault_i == COUPLED_CELLS, fault_i == STUCK_CELL, fault_i == WEAK_ROW, fault_i == NO_REFRESH};

  // ---- commands and addresses ---------------------------------------------------------------------------
  always_comb begin
    {cke_o, cs_no, ras_no, cas_no, we_no} = {cke_i, cs_ni, ras_ni, cas_ni, we_ni};
    {ba_o, a_o, dm_o}                     = {ba_i, a_i, dm_i};
    case (fault_i)
      A3_LOW:        a_o[3] = 1'b0;
      A9_HIGH:       a_o[9] = 1'b1;
      A6_A7_SHORT:   a_o[7:6] = {2{a_i[7] && a_i[6]}};
      A8_A9_SWAPPED: a_o[9:8] = {a_i[8], a_i[9]};
      BA1_LOW:       ba_o[1] = 1'b0;
      DQM0_LOW:      dm_o[0] = 1'b0;
      DQM1_HIGH:     dm_o[1] = 1'b1;
      WE_HIGH:       we_no = 1'b1;
      CS_HIGH:       cs_no = 1'b1;
      CKE_LOW:       cke_o = 1'b0;
      LATENCY_3:     a_o[4] = a_i[4] || command == MODE;
      NO_REFRESH:    cs_no = cs_ni || command == REFRESH;
      HALF_COLUMNS:  a_o[8] = a_i[8] && command != WRITE && command != READ;
      HALF_ROWS:     a_o[ROW_W-1] = a_i[ROW_W-1] && command != ACTIVE;
      default: ;
    endcase
  end

  // ---- data, either way ---------------------------------------------------------------------------------
  function automatic logic [DQ-1:0] lines(input logic [DQ-1:0] data);
    lines = data;
    case (fault_i)
      D5_LOW:         lines[5] = 1'b0;
      D9_HIGH:        lines[9] = 1'b1;
      D2_D3_SHORT:    lines[3:2] = {2{data[3] && data[2]}};
      D3_D12_SWAPPED: {lines[12], lines[3]} = {data[3], data[12]};
      default: ;
    endcase
  endfunction

  assign dq_o = lines(dq_io);

  // ---- data to the FPGA: a cycle later, or some of it what was there before; now and then one line is wrong ---------
  // A bus without a driver keeps for a while the last value.
  logic [DQ-1:0]   half_q, before_q, written_q, back, some;
  logic [DQ/8-1:0] drives_half_q, drove_q, drives;
  logic [31:0]     random_q;
  logic [1:0]      read_q;

  assign some = DQ'({random_q[15:0], random_q[31:16]});
  initial random_q = 32'd1;
  always_ff @(negedge clk_i) begin
    half_q        <= dq_i;
    drives_half_q <= drives_i;
    random_q      <= {random_q[30:0], random_q[31] ^ random_q[21] ^ random_q[1] ^ random_q[0]};
  end
  always_ff @(posedge clk_i) begin
    before_q <= half_q;
    drove_q  <= drives_half_q;
    read_q   <= {read_q[0], command == READ};
    if (command == WRITE) written_q <= dq_io;
  end

  always_comb begin
    back   = lines(dq_i);
    drives = drives_i;
    case (fault_i)
      D11_JOINT:  back[11] = dq_i[11] ^ (random_q[3:0] == '0);
      DATA_LATE:  {back, drives} = {before_q, drove_q};
      DATA_NOISY: if (random_q[3:0] == '0) back = (dq_i & some) | (before_q & ~some);
      CS_HIGH:    {back, drives} = {written_q, {DQ / 8{read_q[1]}}};
      default: ;
    endcase
  end

  for (genvar i = 0; i < DQ / 8; i++) begin : gen_byte
    assign dq_io[8*i +: 8] = drives[i] ? back[8*i +: 8] : 8'bz;
  end

endmodule
