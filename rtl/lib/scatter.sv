// SPDX-License-Identifier: Apache-2.0
// Crossbar from lanes to banks of a memory: each bank takes the row of a lane that selects it. Each byte of a bank is that of the lane
// that writes it. A lane selects one bank, or all of an aligned group of two or four (span_i).
// Latency: one cycle; outputs are held until the next take_i. A pass a cycle.
// Handshake: none. Lanes that meet in a bank have the same row, and no two of them write the same byte.
// Bytes without a strobe, and banks that are not enabled, are undefined.
`include "heddle_form.svh"
`include "heddle_lanes.svh"

module scatter #(
  parameter int unsigned LANES  = 4,
  parameter int unsigned BANKS  = 4,      // a power of two, four at least
  localparam int unsigned BANK_W = $clog2(BANKS)
) (
  input  logic                         clk_i,
  // from the lanes of a pass
  input  logic                         take_i,
  input  logic                         writes_i,
  input  logic [1:0]                   span_i,            // 0, 1 or 3: bits of a bank's number that lanes ignore
  input  logic [LANES-1:0]             lane_i,            // lanes with an access
  input  logic [LANES-1:0]             send_i,            // ... and, of a pass that writes, write
  input  logic [LANES-1:0][BANK_W-1:0] bank_i,
  input  logic [LANES-1:0][15:0]       row_i,
  input  logic [LANES-1:0][3:0]        strb_i,            // bytes of each word
  input  logic [3:0][LANES-1:0][31:0]  words_i,           // data of a bank with number 0, 1, 2, 3 modulo four
  // to the banks
  output logic [BANKS-1:0]             bank_en_o,
  output logic [BANKS-1:0][15:0]       row_o,
  output logic [BANKS-1:0][3:0]        strb_o,
  output logic [BANKS-1:0][31:0]       data_o
);

`ifdef HEDDLE_SIMULATED
  // Gathered lane by lane, in loops, in the clocked block: without a pass it costs nothing.
  logic [31:0] asked [BANKS], stored [BANKS];   // of each bank: {1, strobes, row} and data

  /* verilator lint_off BLKSEQ */
  always_ff @(posedge clk_i) begin
    if (take_i) begin
      for (int b = 0; b < int'(BANKS); b++) begin
        asked[b]  = '0;
        stored[b] = '0;
      end
      `LANE_LOOP (int l = 0; l < int'(LANES); l++) begin
        if (lane_i[l]) begin
          automatic logic [BANK_W-1:0] bank = bank_i[l];
          automatic logic [BANK_W-1:0] span = BANK_W'(span_i);
          automatic logic [3:0]        strb = strb_i[l];
          automatic logic [31:0]       ask  = {11'd0, 1'b1, strb & {4{writes_i}}, row_i[l]};
          for (int unsigned k = 0; k < 4; k++) begin
            if (k <= 32'(span)) asked[(bank & ~span) | BANK_W'(k)] |= ask;
          end
          if (writes_i) begin
            automatic logic [31:0] sent  = {{8{strb[3]}}, {8{strb[2]}}, {8{strb[1]}}, {8{strb[0]}}} & {32{send_i[l]}};
            automatic logic [31:0] word0 = words_i[0][l] & sent;
            automatic logic [31:0] word1 = words_i[1][l] & sent;
            automatic logic [31:0] word2 = words_i[2][l] & sent;
            automatic logic [31:0] word3 = words_i[3][l] & sent;
            `LANE_LOOP (int b = 0; b < int'(BANKS); b++) begin
              automatic logic        hit  = ((bank ^ BANK_W'(b)) & ~span) == '0;
              automatic logic [31:0] word = (b % 4 == 0) ? word0 : (b % 4 == 1) ? word1 : (b % 4 == 2) ? word2 : word3;
              stored[b] = stored[b] | (word & {32{hit}});
            end
          end
        end
      end
      for (int unsigned b = 0; b < BANKS; b++) begin
        row_o[b]     <= asked[b][15:0];
        strb_o[b]    <= asked[b][19:16];
        bank_en_o[b] <= asked[b][20];
        if (writes_i) data_o[b] <= stored[b];
      end
    end
  end
  /* verilator lint_on BLKSEQ */
`else
  // By numbers: of the lane that gives a bank its row, and for each byte of the lane that writes it.
  localparam int unsigned LANE_W = (LANES > 1) ? $clog2(LANES) : 1;

  for (genvar b = 0; b < BANKS; b++) begin : gen_bank
    logic [LANES-1:0]      want;
    logic [3:0][LANES-1:0] store;
    logic [LANE_W-1:0]     lead;
    logic                  any;
    logic [15:0]           row;
    logic [3:0]            strb;
    logic [31:0]           data;

    always_comb begin
      for (int unsigned l = 0; l < LANES; l++) begin
        want[l] = lane_i[l] && ((bank_i[l] ^ BANK_W'(b)) & ~BANK_W'(span_i)) == '0;
        for (int unsigned y = 0; y < 4; y++) store[y][l] = want[l] && send_i[l] && strb_i[l][y];
      end
    end

    lowest_one #(.N(LANES)) u_lead (
      .in_i     (want),
      .onehot_o (),
      .index_o  (lead),
      .any_o    (any)
    );
    choice #(.WIDTH(16), .N(LANES)) u_row (
      .live_i (1'b1),
      .sel_i  (lead),
      .data_i (row_i),
      .also_i ('0),
      .data_o (row)
    );

    for (genvar y = 0; y < 4; y++) begin : gen_byte
      logic [LANE_W-1:0]     lane;
      logic [LANES-1:0][7:0] bytes;

      onehot_index #(.N(LANES)) u_lane (
        .onehot_i (store[y]),
        .index_o  (lane)
      );
      assign strb[y] = writes_i && store[y] != '0;

      for (genvar l = 0; l < LANES; l++) begin : gen_lane
        assign bytes[l] = words_i[b % 4][l][8*y +: 8];
      end
      choice #(.WIDTH(8), .N(LANES)) u_data (
        .live_i (1'b1),
        .sel_i  (lane),
        .data_i (bytes),
        .also_i ('0),
        .data_o (data[8*y +: 8])
      );
    end

    always_ff @(posedge clk_i) begin
      if (take_i) begin
        row_o[b]     <= row;
        strb_o[b]    <= strb;
        bank_en_o[b] <= any;
        if (writes_i) data_o[b] <= data;
      end
    end
  end
`endif

endmodule
