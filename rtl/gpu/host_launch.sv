// SPDX-License-Identifier: Apache-2.0
// The launch registers: what the host wrote, as one launch_t, and readable again word by word from a copy in block RAM, the stage.
// The words that never change (0 to 31: identity) lie in the same block RAM from the beginning.
// With DEPTH above 0 launches wait behind the one that runs: launch_queue says where. `next` follows the stage while none waits,
// `front` is what the SMs have; of ranges, in LUT memory, there are two halves. Others lie in slots of block RAM.
// The step between host_regs and the dispatcher in docs/how-a-launch-travels.md (B 13).
// Latency: a write is seen from the next cycle on; a read answers in the cycle after rd_en_i.
// Handshake: events. With DEPTH 0 running_i keeps the launch as it is: writes are dropped. For 128 cycles from reset on (with a
// queue 192) every register is set to 0 one after the other, and ready_o is low: neither write nor read then, nor while a START
// waits for a copy. Not both in one cycle, ever. Words that are neither read 0. It does not judge the launch (the dispatcher does).
`include "heddle_idle.svh"

module host_launch #(
  parameter int unsigned       N     = 1,   // SMs
  parameter int unsigned       DEPTH = cfg_pkg::LAUNCH_QUEUE,
  parameter logic [31:0][31:0] FIXED = '0   // words that never change; 0: none
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  // from and to the register port (word numbers, host_regs_pkg)
  output logic              ready_o,
  input  logic              start_i,
  input  logic              drop_i,            // all launches that wait are given up
  output logic              taken_o,           // event, with start_i: it counts
  output logic              full_o,            // it would not
  input  logic              wr_valid_i,
  input  logic [9:0]        wr_word_i,
  input  logic [31:0]       wr_data_i,
  input  logic              rd_en_i,
  input  logic [9:0]        rd_word_i,
  output logic [31:0]       rd_data_o,
  // from and to the control unit
  input  logic              running_i,
  input  logic              free_i,            // a level: the launch that the SMs have may change
  input  logic              begin_i,           // event: it begins
  output logic              next_ready_o,      // there is one that has not begun
  output logic              waiting_o,         // ... there, or behind
  // to the SMs
  input  logic [N-1:0][3:0]  region_index_i,   // range of a region, at once
  output logic [N-1:0][39:0] region_base_o,
  output logic [N-1:0][40:0] region_limit_o,
  output core_pkg::launch_t launch_o,
  output logic [mmu_pkg::ROOT_W-1:0] root_o    // its PAGE_ROOT
);

  localparam bit          MMU    = cfg_pkg::MMU != 0;
  localparam bit          QUEUE  = DEPTH > 0;
  localparam int unsigned SLOT_W = (DEPTH > 1) ? $clog2(DEPTH) : 1;

  // The launch registers are words 0x040 to 0x0bf. Behind them lies, where there is a queue, what the caches' commands are about.
  function automatic logic is_kept(input logic [7:0] high);
    is_kept = high[7:4] == 4'd1 || high[7:4] == 4'd2
      || (QUEUE && high[7:2] == host_regs_pkg::W_CACHE_MODE[9:4] && high[1:0] != '0);
  endfunction

  core_pkg::launch_t next_q;
  logic [7:0]        clear_q;
  logic              clear, wr, wr_launch;   // a register is written, of the launch: `next`, too
  logic [9:0]        word, word_launch;
  logic [31:0]       data, data_launch, kept, stage;

  // ---- clearing -----------------------------------------------------------------------------------------------------------
  logic hold;

  assign clear   = !clear_q[7] || (QUEUE && !clear_q[6]);
  assign ready_o = !clear && !hold;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) clear_q <= '0;
    else if (clear) clear_q <= clear_q + 8'd1;
  end

  assign wr   = clear || (wr_valid_i && (QUEUE || !running_i) && is_kept(wr_word_i[9:2]));
  assign word = clear ? {2'd0, clear_q[7] || clear_q[6], !clear_q[6], clear_q[5:0]} : wr_word_i;
  assign data = clear ? '0 : wr_data_i;

  // ---- what a register keeps of a word: bits that it has not are dropped; a size that does not fit becomes the largest
  // value, which the dispatcher refuses ---------------------------------------------------------------------------------
  always_comb begin
    kept = 'x;
    `HEDDLE_ONLY(wr) kept = host_regs_pkg::kept(word, data);
  end

  // ---- where which launch is --------------------------------------------------------------------------------------------------
  logic              load, open, rd_stage, rd_slot, wr_slot, wr_next, from_slot;
  logic [6:0]        rd_copy, wr_copy;
  logic [SLOT_W-1:0] rd_number, wr_number;
  logic [31:0]       slot;

  launch_queue #(.DEPTH(DEPTH)) u_queue (
    .clk_i          (clk_i),
    .rst_ni         (rst_ni),
    .start_i        (start_i),
    .drop_i         (drop_i),
    .access_i       (clear || wr_valid_i || rd_en_i),
    .hold_o         (hold),
    .taken_o        (taken_o),
    .full_o         (full_o),
    .running_i      (running_i),
    .free_i         (free_i),
    .begin_i        (begin_i),
    .ready_o        (next_ready_o),
    .waiting_o      (waiting_o),
    .load_o         (load),
    .open_o         (open),
    .rd_stage_o     (rd_stage),
    .rd_slot_o      (rd_slot),
    .rd_word_o      (rd_copy),
    .rd_number_o    (rd_number),
    .wr_slot_o      (wr_slot),
    .wr_next_o      (wr_next),
    .wr_from_slot_o (from_slot),
    .wr_word_o      (wr_copy),
    .wr_number_o    (wr_number)
  );

  // A copy is never written with a register.
  assign wr_launch   = (wr && open) || wr_next;
  assign word_launch = wr_next ? {2'd0, wr_copy[6], !wr_copy[6], wr_copy[5:0]} : word;
  assign data_launch = !wr_next ? kept : from_slot ? slot : stage;

  // ---- for the SM -----------------------------------------------------------------------------------------------------------
  always_ff @(posedge clk_i) begin
    if (wr_launch) begin
      case (word_launch)
        host_regs_pkg::W_GRID_X:       next_q.grid[0] <= data_launch;
        host_regs_pkg::W_GRID_Y:       next_q.grid[1] <= data_launch;
        host_regs_pkg::W_GRID_Z:       next_q.grid[2] <= data_launch;
        host_regs_pkg::W_BLOCK_X:      next_q.block[0] <= data_launch[10:0];
        host_regs_pkg::W_BLOCK_Y:      next_q.block[1] <= data_launch[10:0];
        host_regs_pkg::W_BLOCK_Z:      next_q.block[2] <= data_launch[10:0];
        host_regs_pkg::W_ENTRY_PC:     next_q.entry_pc <= data_launch;
        host_regs_pkg::W_REGS:         next_q.regs <= data_launch[8:0];
        host_regs_pkg::W_SHARED_BYTES: next_q.shared_bytes <= data_launch[23:0];
        host_regs_pkg::W_CODE_BASE: next_q.code_base[31:0] <= data_launch;
        host_regs_pkg::W_CODE_BASE_HI: next_q.code_base[39:32] <= data_launch[7:0];
        host_regs_pkg::W_CODE_BYTES:   next_q.code_bytes <= data_launch;
        host_regs_pkg::W_MODE: begin
          next_q.scoreboard <= data_launch[host_regs_pkg::MODE_SCOREBOARD];
          next_q.sched      <= data_launch[host_regs_pkg::MODE_SCHED +: host_regs_pkg::MODE_SCHED_W];
          next_q.its        <= data_launch[host_regs_pkg::MODE_ITS];
          next_q.pages      <= MMU && data_launch[host_regs_pkg::MODE_PAGES];
          next_q.fault_trap <= MMU && data_launch[host_regs_pkg::MODE_FAULT_TRAP];
        end
        host_regs_pkg::W_SPACE:        next_q.space <= MMU ? data_launch[7:0] : '0;
        host_regs_pkg::W_REGION_WRITE: next_q.region_write <= data_launch[15:0];
        host_regs_pkg::W_LOCAL_BASE:   next_q.local_base[31:0] <= data_launch;
        host_regs_pkg::W_LOCAL_BASE_HI: next_q.local_base[39:32] <= data_launch[7:0];
        host_regs_pkg::W_LOCAL_BYTES:  next_q.local_bytes <= data_launch[19:0];
        default: ;
      endcase
      for (int unsigned i = 0; i < 4; i++) begin
        if (word_launch == host_regs_pkg::W_CBANK_BASE + 10'(4 * i)) next_q.cbank_base[i][31:0] <= data_launch;
        if (word_launch == host_regs_pkg::W_CBANK_BASE_HI + 10'(4 * i)) next_q.cbank_base[i][39:32] <= data_launch[7:0];
        if (word_launch == host_regs_pkg::W_CBANK_BYTES + 10'(4 * i)) next_q.cbank_bytes[i] <= data_launch[16:0];
      end
    end
  end

  // Tables are the mmu's affair, not the SMs'.
  logic [mmu_pkg::ROOT_W-1:0] root;

  if (MMU) begin : gen_root
    logic [mmu_pkg::ROOT_W-1:0] next_root_q, front_root_q;

    always_ff @(posedge clk_i) begin
      if (wr_launch && word_launch == host_regs_pkg::W_PAGE_ROOT)    next_root_q[18:0]  <= data_launch[31:13];
      if (wr_launch && word_launch == host_regs_pkg::W_PAGE_ROOT_HI) next_root_q[26:19] <= data_launch[7:0];
      if (load) front_root_q <= next_root_q;
    end
    assign root = front_root_q;
  end else begin : gen_no_root
    assign root = '0;
  end
  assign root_o = root;

  logic half;   // of the ranges: that of the SMs

  if (QUEUE) begin : gen_front
    core_pkg::launch_t front_q;
    logic              half_q;

    always_ff @(posedge clk_i) begin
      if (!rst_ni)   half_q <= 1'b0;
      else if (load) half_q <= !half_q;
    end
    always_ff @(posedge clk_i) if (load) front_q <= next_q;

    assign launch_o = front_q;
    assign half     = half_q;

    ram_apart #(.WIDTH(32), .DEPTH(128 * DEPTH)) u_slots (
      .clk_i     (clk_i),
      .rst_ni    (rst_ni),
      .wr_en_i   (wr_slot),
      .wr_addr_i ({wr_number, wr_copy}),
      .wr_data_i (stage),
      .rd_en_i   (rd_slot),
      .rd_addr_i ({rd_number, rd_copy}),
      .rd_data_o (slot)
    );
  end else begin : gen_next
    logic unused;
    assign launch_o = next_q;
    assign half     = 1'b0;
    assign slot     = '0;
    assign unused   = ^{load, wr_slot, rd_slot, rd_number, wr_number};
  end

  // The ranges of the regions lie in LUT memory, a word each, for each SM a copy: an SM looks at one region at a time.
  localparam int unsigned INDEX_W = QUEUE ? 5 : 4;
  for (genvar n = 0; n < N; n++) begin : gen_sm
    logic [3:0][31:0] range;

    for (genvar i = 0; i < 4; i++) begin : gen_range
      ram_async #(.WIDTH((i % 2 == 0) ? 32 : 8 + i / 2), .DEPTH(QUEUE ? 32 : 16)) u_words (
        .clk_i     (clk_i),
        .wr_en_i   (wr_launch && word_launch[9:6] == host_regs_pkg::W_REGION_BASE[9:6] && word_launch[1:0] == 2'(i)),
        .wr_addr_i (INDEX_W'({!half, word_launch[5:2]})),
        .wr_data_i (data_launch[((i % 2 == 0) ? 31 : 7 + i / 2):0]),
        .rd_addr_i (INDEX_W'({half, region_index_i[n]})),
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
  assign rd_addr = rd_stage ? {1'b0, rd_copy[6], !rd_copy[6], rd_copy[5:0]} : rd_word_i[8:0] | {9{rd_word_i[9]}};

  ram_apart #(.WIDTH(32), .DEPTH(512), .FIRST(32), .CONTENT(FIXED)) u_copy (
    .clk_i     (clk_i),
    .rst_ni    (rst_ni),
    .wr_en_i   (wr),
    .wr_addr_i ({1'b0, word[7:0]}),
    .wr_data_i (kept),
    .rd_en_i   (rd_en_i || rd_stage),
    .rd_addr_i (rd_addr),
    .rd_data_o (stage)
  );
  assign rd_data_o = stage;

endmodule
