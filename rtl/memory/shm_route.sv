// SPDX-License-Identifier: Apache-2.0
// Crossbar from the lanes of one pass to the banks: row, byte strobes and data of each bank.
// Latency: one cycle from ps_valid_i to rt_valid_o (or rt_second_o: the new values of a compare-and-swap, whose pass was
// routed before); a pass a cycle.
// Handshake: events; what stands at rt_ stays until the next pass.
// It does not detect conflicts: the lanes of a pass that meet in a bank want the same row, and of those that are sent no two
// the same byte; who of the pass does not send has the bytes of one that does. Bytes of rt_wdata_o without a strobe mean nothing.
`default_nettype none
`include "heddle_lanes.svh"

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
  input  core_pkg::id_t                ps_id_i,
  input  isa_pkg::mem_e                ps_mem_i,
  input  logic [atom_pkg::OP_W-1:0]    ps_atom_i,
  input  logic [2:0]                   ps_size_i,
  input  logic [LANES-1:0][SHM_W-1:0]  rd_addr_i,
  input  logic [3:0][LANES-1:0][31:0]  rd_data_i,
  // to the banks and to the return path
  output logic                         rt_valid_o,
  output logic                         rt_second_o,
  output logic                         rt_last_o,
  output core_pkg::id_t                rt_id_o,
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

`ifdef VERILATOR
  // Worked out in the clocked block, in loops: without a pass it costs nothing.
  logic [31:0] asked [BANKS], stored [BANKS];   // of each bank: {1, strobes, row} and data, gathered lane by lane

  always_ff @(posedge clk_i) begin
    if (ps_valid_i) begin
      for (int b = 0; b < int'(BANKS); b++) begin
        asked[b]  = '0;
        stored[b] = '0;
      end
      `LANE_LOOP (int l = 0; l < int'(LANES); l++) begin
        if (ps_grant_i[l]) begin
          automatic logic [31:0]       addr   = 32'(rd_addr_i[l]);
          automatic logic [BANK_W-1:0] bank   = addr[2 +: BANK_W];
          automatic logic [BANK_W-1:0] span = BANK_W'({quad, wide});
          automatic logic [3:0]        strobe = mem_pkg::byte_mask(ps_size_i, addr[1:0]) & {4{writes}};
          automatic logic [31:0]       ask    = {11'd0, 1'b1, strobe, 16'(addr >> (2 + BANK_W))};
          for (int unsigned k = 0; k < 4; k++) begin
            if (k <= 32'(span)) asked[(bank & ~span) | BANK_W'(k)] |= ask;
          end
          if (writes) begin
            // Bytes that are stored; the words as banks 0, 1, 2, 3 of four would take them.
            automatic logic [31:0] sent  = {{8{strobe[3]}}, {8{strobe[2]}}, {8{strobe[1]}}, {8{strobe[0]}}}
                                           & {32{ps_send_i[l]}};
            automatic logic [31:0] low   = mem_pkg::replicate(ps_size_i, rd_data_i[ps_second_i ? 2 : 0][l]) & sent;
            automatic logic [31:0] word1 = wide ? rd_data_i[ps_second_i ? 3 : 1][l] & sent : low;
            automatic logic [31:0] word2 = quad ? rd_data_i[2][l] & sent : low;
            automatic logic [31:0] word3 = quad ? rd_data_i[3][l] & sent : word1;
            `LANE_LOOP (int b = 0; b < int'(BANKS); b++) begin
              automatic logic        hit  = ((bank ^ BANK_W'(b)) & ~span) == '0;
              automatic logic [31:0] word = (b % 4 == 0) ? low : (b % 4 == 1) ? word1 : (b % 4 == 2) ? word2 : word3;
              stored[b] = stored[b] | (word & {32{hit}});
            end
          end
        end
      end
      for (int unsigned b = 0; b < BANKS; b++) begin
        rt_row_o[b]     <= asked[b][15:0];
        rt_wstrb_o[b]   <= asked[b][19:16];
        rt_bank_en_o[b] <= asked[b][20];
        if (writes) rt_wdata_o[b] <= stored[b];
      end
    end
  end
`else
  // The same by numbers: each bank takes the row of one lane that wants it, each byte of a bank a byte of the lane that stores there.
  // tests/synth/test_simulated.sh proves it, of bytes that are stored.
  localparam int unsigned LANE_W = (LANES > 1) ? $clog2(LANES) : 1;

  logic [LANES-1:0][3:0]                strobe;
  logic [LANES-1:0][31:0]               low;         // what a narrow access stores, wherever it lies in a word
  logic [BANKS-1:0][LANES-1:0]          want;        // lanes that want a bank, and those that store there
  logic [BANKS-1:0][3:0][LANES-1:0]     store;

  always_comb begin
    for (int unsigned l = 0; l < LANES; l++) begin
      strobe[l] = mem_pkg::byte_mask(ps_size_i, rd_addr_i[l][1:0]);
      low[l]    = mem_pkg::replicate(ps_size_i, rd_data_i[ps_second_i ? 2 : 0][l]);
    end
    for (int unsigned b = 0; b < BANKS; b++) begin
      for (int unsigned l = 0; l < LANES; l++) begin
        want[b][l] = ps_grant_i[l] && ((rd_addr_i[l][2 +: BANK_W] ^ BANK_W'(b)) & ~BANK_W'({quad, wide})) == '0;
        for (int unsigned y = 0; y < 4; y++) store[b][y][l] = want[b][l] && ps_send_i[l] && strobe[l][y];
      end
    end
  end

  for (genvar b = 0; b < BANKS; b++) begin : gen_bank
    logic [LANES-1:0]              unused_one;
    logic [LANE_W-1:0]             lead;
    logic                          any;
    logic [SHM_W-1:0]              addr;
    logic [15:0]                   row;
    logic [3:0]                    wstrb;
    logic [31:0]                   wdata;

    lowest_one #(.N(LANES)) u_lead (
      .in_i     (want[b]),
      .onehot_o (unused_one),
      .index_o  (lead),
      .any_o    (any)
    );
    choice #(.WIDTH(SHM_W), .N(LANES)) u_row (
      .live_i (1'b1),
      .sel_i  (lead),
      .data_i (rd_addr_i),
      .also_i ('0),
      .data_o (addr)
    );
    assign row = 16'(addr >> (2 + BANK_W));

    for (genvar y = 0; y < 4; y++) begin : gen_byte
      logic [LANE_W-1:0]          lane;
      logic [2*LANES-1:0][7:0]    near;    // a narrow access's, or the second word of a pair, the third of four
      logic [LANES-1:0][7:0]      far;     // the last of four words; the second one of a new value
      logic [7:0]                 one, other;

      onehot_index #(.N(LANES)) u_lane (
        .onehot_i (store[b][y]),
        .index_o  (lane)
      );
      assign wstrb[y] = writes && store[b][y] != '0;

      for (genvar l = 0; l < LANES; l++) begin : gen_lane
        assign near[l]       = low[l][8*y +: 8];
        assign near[LANES+l] = rd_data_i[(b % 2 == 1) ? 1 : 2][l][8*y +: 8];
        assign far[l]        = rd_data_i[3][l][8*y +: 8];
      end

      if (b % 4 == 0) begin : gen_low
        choice #(.WIDTH(8), .N(LANES)) u_near (
          .live_i (1'b1),
          .sel_i  (lane),
          .data_i (near[LANES-1:0]),
          .also_i ('0),
          .data_o (one)
        );
        assign wdata[8*y +: 8] = one;
      end else begin : gen_any
        choice #(.WIDTH(8), .N(2 * LANES)) u_near (
          .live_i (1'b1),
          .sel_i  ({(b % 2 == 1) ? wide : quad, lane}),
          .data_i (near),
          .also_i ('0),
          .data_o (one)
        );
        if (b % 2 == 1) begin : gen_odd
          choice #(.WIDTH(8), .N(LANES)) u_far (
            .live_i (1'b1),
            .sel_i  (lane),
            .data_i (far),
            .also_i ('0),
            .data_o (other)
          );
          assign wdata[8*y +: 8] = ((wide && ps_second_i) || (b % 4 == 3 && quad)) ? other : one;
        end else begin : gen_even
          assign wdata[8*y +: 8] = one;
        end
      end
    end

    always_ff @(posedge clk_i) begin
      if (ps_valid_i) begin
        rt_row_o[b]     <= row;
        rt_wstrb_o[b]   <= wstrb;
        rt_bank_en_o[b] <= any;
        if (writes) rt_wdata_o[b] <= wdata;
      end
    end
  end
`endif

  always_ff @(posedge clk_i) begin
    if (ps_valid_i) begin
      rt_last_o  <= ps_last_i;
      rt_id_o    <= ps_id_i;
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

`default_nettype wire
