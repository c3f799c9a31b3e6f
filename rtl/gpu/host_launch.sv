// SPDX-License-Identifier: Apache-2.0
// The launch registers: what the host wrote, as one launch_t, and readable again word by word from a copy in block RAM. What never
// changes (words 0 to 31: who this is) lies in the same block RAM from the beginning.
// The step between host_regs and the dispatcher in docs/how-a-launch-travels.md (B 13).
// Latency: a write is seen from the next cycle on; a read answers in the cycle after rd_en_i.
// Handshake: events. lock_i keeps the launch as it is (a grid runs): writes are dropped. For 128 cycles from reset on every
// register is set to 0 one after the other, and ready_o is low: neither write nor read then. Not both in one cycle, ever.
// Words that are neither read 0. It does not judge the launch (the dispatcher does).
`default_nettype none
`include "heddle_idle.svh"

module host_launch #(
  parameter int unsigned       N     = 1,   // SMs
  parameter logic [31:0][31:0] FIXED = '0   // words that never change; 0: none
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  // from and to the register port (word numbers, host_regs_pkg)
  output logic              ready_o,
  input  logic              lock_i,
  input  logic              wr_valid_i,
  input  logic [9:0]        wr_word_i,
  input  logic [31:0]       wr_data_i,
  input  logic              rd_en_i,
  input  logic [9:0]        rd_word_i,
  output logic [31:0]       rd_data_o,
  // to the SMs
  input  logic [N-1:0][3:0]  region_index_i,   // range of a region, at once
  output logic [N-1:0][39:0] region_base_o,
  output logic [N-1:0][40:0] region_limit_o,
  output core_pkg::launch_t launch_o
);

  // The launch registers are words 0x040 to 0x0bf.
  function automatic logic is_launch(input logic [3:0] high);
    is_launch = high == 4'd1 || high == 4'd2;
  endfunction

  core_pkg::launch_t launch_q;
  logic [7:0]        clear_q;
  logic              wr;
  logic [9:0]        word;
  logic [31:0]       data, kept;

  // ---- clearing -----------------------------------------------------------------------------------------------------------
  assign ready_o = clear_q[7];

  always_ff @(posedge clk_i) begin
    if (!rst_ni) clear_q <= '0;
    else if (!ready_o) clear_q <= clear_q + 8'd1;
  end

  assign wr   = !ready_o || (wr_valid_i && !lock_i && is_launch(wr_word_i[9:6]));
  assign word = ready_o ? wr_word_i : {2'd0, clear_q[6], !clear_q[6], clear_q[5:0]};
  assign data = ready_o ? wr_data_i : '0;

  // ---- what a register keeps of a word: bits that it has not are dropped; a size that does not fit becomes the largest
  // value, which the dispatcher refuses ---------------------------------------------------------------------------------
  always_comb begin
    kept = 'x;
    `HEDDLE_ONLY(wr) kept = host_regs_pkg::kept(word, data);
  end

  // ---- for the SM -----------------------------------------------------------------------------------------------------------
  always_ff @(posedge clk_i) begin
    if (wr) begin
      case (word)
        host_regs_pkg::W_GRID_X:       launch_q.grid[0] <= kept;
        host_regs_pkg::W_GRID_Y:       launch_q.grid[1] <= kept;
        host_regs_pkg::W_GRID_Z:       launch_q.grid[2] <= kept;
        host_regs_pkg::W_BLOCK_X:      launch_q.block[0] <= kept[10:0];
        host_regs_pkg::W_BLOCK_Y:      launch_q.block[1] <= kept[10:0];
        host_regs_pkg::W_BLOCK_Z:      launch_q.block[2] <= kept[10:0];
        host_regs_pkg::W_ENTRY_PC:     launch_q.entry_pc <= kept;
        host_regs_pkg::W_REGS:         launch_q.regs <= kept[8:0];
        host_regs_pkg::W_SHARED_BYTES: launch_q.shared_bytes <= kept[23:0];
        host_regs_pkg::W_CODE_BASE: launch_q.code_base[31:0] <= kept;
        host_regs_pkg::W_CODE_BASE_HI: launch_q.code_base[39:32] <= kept[7:0];
        host_regs_pkg::W_CODE_BYTES:   launch_q.code_bytes <= kept;
        host_regs_pkg::W_MODE:         {launch_q.its, launch_q.sched, launch_q.scoreboard} <= kept[3:0];
        host_regs_pkg::W_REGION_WRITE: launch_q.region_write <= kept[15:0];
        host_regs_pkg::W_LOCAL_BASE:   launch_q.local_base[31:0] <= kept;
        host_regs_pkg::W_LOCAL_BASE_HI: launch_q.local_base[39:32] <= kept[7:0];
        host_regs_pkg::W_LOCAL_BYTES:  launch_q.local_bytes <= kept[19:0];
        default: ;
      endcase
      for (int unsigned i = 0; i < 4; i++) begin
        if (word == host_regs_pkg::W_CBANK_BASE + 10'(4 * i)) launch_q.cbank_base[i][31:0] <= kept;
        if (word == host_regs_pkg::W_CBANK_BASE_HI + 10'(4 * i)) launch_q.cbank_base[i][39:32] <= kept[7:0];
        if (word == host_regs_pkg::W_CBANK_BYTES + 10'(4 * i)) launch_q.cbank_bytes[i] <= kept[16:0];
      end
    end
  end

  assign launch_o = launch_q;

  // The ranges of the regions lie in LUT memory, a word each, for each SM a copy: an SM looks at one region at a time.
  for (genvar n = 0; n < N; n++) begin : gen_sm
    logic [3:0][31:0] range;

    for (genvar i = 0; i < 4; i++) begin : gen_range
      ram_async #(.WIDTH((i % 2 == 0) ? 32 : 8 + i / 2), .DEPTH(16)) u_words (
        .clk_i     (clk_i),
        .wr_en_i   (wr && word[9:6] == host_regs_pkg::W_REGION_BASE[9:6] && word[1:0] == 2'(i)),
        .wr_addr_i (word[5:2]),
        .wr_data_i (kept[((i % 2 == 0) ? 31 : 7 + i / 2):0]),
        .rd_addr_i (region_index_i[n]),
        .rd_data_o (range[i][((i % 2 == 0) ? 31 : 7 + i / 2):0])
      );
      if (i % 2 == 1) begin : gen_top
        assign range[i][31:8+i/2] = '0;
      end
    end
    assign region_base_o[n]  = {range[1][7:0], range[0]};
    assign region_limit_o[n] = {range[3][8:0], range[2]};
  end

  // ---- for the host ---------------------------------------------------------------------------------------------------------
  logic [8:0] rd_addr;

  // The highest word is never written, so there is a 0 for words beyond.
  assign rd_addr = rd_word_i[8:0] | {9{rd_word_i[9]}};

  ram_apart #(.WIDTH(32), .DEPTH(512), .FIRST(32), .CONTENT(FIXED)) u_copy (
    .clk_i     (clk_i),
    .rst_ni    (rst_ni),
    .wr_en_i   (wr),
    .wr_addr_i ({1'b0, word[7:0]}),
    .wr_data_i (kept),
    .rd_en_i   (rd_en_i),
    .rd_addr_i (rd_addr),
    .rd_data_o (rd_data_o)
  );

endmodule

`default_nettype wire
