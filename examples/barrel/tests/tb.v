// SPDX-License-Identifier: Apache-2.0
// Runs one launch on the core: +mem=HEX (sectors), +launch=HEX (64-bit words, see image.py),
// +out=FILE (how it ended, then what was shown), +dump=HEX (memory afterwards), +bug=N, +seed=N.
// Memory answers after 1 to 8 cycles, takes a request after 0 to 3, and fails at +bad=SECTOR.
`timescale 1ns / 1ns
module tb;
  parameter LANES = 8;
  parameter WARPS = 4;
  localparam SECTORS = 8192;
  reg clk = 0, rst_n = 0, go = 0;
  reg [255:0] mem [0:SECTORS-1];
  reg [63:0] p [0:63];
  reg [8*200:1] name;
  integer seed, bug, bad, file, cycles, wait_ready, wait_answer, n;
  wire done, trapped, req, we;
  wire [2:0] refused;
  wire [39:0] addr;
  wire [255:0] wdata;
  wire [31:0] wstrb;
  reg ready = 0, rsp = 0, err = 0, busy = 0;
  reg [255:0] rdata;
  wire [7:0] slot, gen;
  wire [31:0] seq;
  wire is_v, op_v, wr_v, pr_v, mo_v, bs_v, be_v, ba_v, tr_v;
  wire [31:0] is_pc, is_active, is_exec, mo_lanes, mo_wstrb, tr_pc, tr_lanes;
  wire [95:0] is_ps, bs_ctaid;
  wire [127:0] is_word;
  wire [3:0] op_index, bl_slot, ba_id, tr_cause;
  wire [2:0] op_beat, wr_beat, pr_beat;
  wire [LANES-1:0] op_mask, wr_mask;
  wire [7*LANES-1:0] pr_mask, pr_data;
  wire [LANES*32-1:0] op_data, wr_data;
  wire [7:0] wr_reg;
  wire [1:0] mo_space, mo_access;
  wire [39:0] mo_addr;
  wire [255:0] mo_wdata, mo_rdata;
  wire [WARPS-1:0] bs_warps;
  wire [23:0] bs_shared;
  wire [63:0] tr_addr;

  reg [16*40-1:0] region_base;
  reg [16*41-1:0] region_limit;
  always @*
    for (n = 0; n < 16; n = n + 1) begin
      region_base[40*n +: 40] = p[24 + n][39:0];
      region_limit[41*n +: 41] = p[40 + n][40:0];
    end

  barrel #(.WARPS(WARPS), .LANES(LANES)) core (.clk_i(clk), .rst_ni(rst_n), .bug_i(bug[7:0]),
      .go_i(go), .code_base_i(p[0][39:0]), .code_bytes_i(p[1][31:0]), .entry_i(p[2][31:0]),
      .grid_i({p[5][31:0], p[4][31:0], p[3][31:0]}), .block_i({p[8][31:0], p[7][31:0], p[6][31:0]}),
      .regs_i(p[9][8:0]), .shared_bytes_i(p[10][23:0]), .local_base_i(p[11][39:0]),
      .local_bytes_i(p[12][19:0]),
      .cbank_base_i({p[16][39:0], p[15][39:0], p[14][39:0], p[13][39:0]}),
      .cbank_bytes_i({p[20][16:0], p[19][16:0], p[18][16:0], p[17][16:0]}),
      .region_base_i(region_base), .region_limit_i(region_limit), .region_write_i(p[21][15:0]),
      .done_o(done), .refused_o(refused), .trapped_o(trapped), .req_o(req), .ready_i(ready),
      .we_o(we), .addr_o(addr), .wdata_o(wdata), .wstrb_o(wstrb), .rsp_i(rsp), .rdata_i(rdata),
      .err_i(err), .ev_slot_o(slot), .ev_gen_o(gen), .ev_seq_o(seq), .is_valid_o(is_v),
      .is_pc_o(is_pc), .is_word_o(is_word), .is_active_o(is_active), .is_exec_o(is_exec),
      .is_ps_o(is_ps), .op_valid_o(op_v), .op_index_o(op_index), .op_beat_o(op_beat),
      .op_mask_o(op_mask), .op_data_o(op_data), .wr_valid_o(wr_v), .wr_reg_o(wr_reg),
      .wr_beat_o(wr_beat), .wr_mask_o(wr_mask), .wr_data_o(wr_data), .pr_valid_o(pr_v),
      .pr_beat_o(pr_beat), .pr_mask_o(pr_mask), .pr_data_o(pr_data), .mo_valid_o(mo_v),
      .mo_space_o(mo_space), .mo_access_o(mo_access), .mo_addr_o(mo_addr), .mo_word_o(),
      .mo_lanes_o(mo_lanes), .mo_touch_o(), .mo_wstrb_o(mo_wstrb), .mo_wdata_o(mo_wdata),
      .mo_rdata_o(mo_rdata), .bs_valid_o(bs_v), .be_valid_o(be_v), .ba_valid_o(ba_v),
      .bl_slot_o(bl_slot), .ba_id_o(ba_id), .bs_ctaid_o(bs_ctaid), .bs_warps_o(bs_warps),
      .bs_shared_o(bs_shared), .tr_valid_o(tr_v), .tr_cause_o(tr_cause), .tr_pc_o(tr_pc),
      .tr_lanes_o(tr_lanes), .tr_addr_o(tr_addr));

  always #1 clk = !clk;

  // The memory.
  always @(posedge clk) begin
    rsp <= 0;
    ready <= 0;
    if (!busy && req && !ready) begin
      if (wait_ready == 0) ready <= 1;
      else wait_ready <= wait_ready - 1;
    end
    if (req && ready) begin
      busy <= 1;
      wait_ready <= $urandom(seed) % 4;
      wait_answer <= $urandom(seed) % 8;
    end
    if (busy && wait_answer != 0) wait_answer <= wait_answer - 1;
    if (busy && wait_answer == 0) begin
      busy <= 0;
      rsp <= 1;
      err <= addr[39:18] != 0 || addr[17:5] == bad;
      rdata <= mem[addr[17:5]];
      if (we && addr[39:18] == 0 && addr[17:5] != bad)
        for (n = 0; n < 32; n = n + 1)
          if (wstrb[n]) mem[addr[17:5]][8*n +: 8] <= wdata[8*n +: 8];
    end
  end

  // What is shown, a line each.
  always @(posedge clk) if (rst_n) begin
    if (is_v) $fdisplay(file, "issue %0d %0d %0d %h %h %h %h", slot, gen, seq, is_pc, is_active,
        is_exec, is_ps);
    if (op_v) $fdisplay(file, "operand %0d %0d %0d %0d %0d %h %h", slot, gen, seq, op_index,
        op_beat, op_mask, op_data);
    if (wr_v) $fdisplay(file, "write %0d %0d %0d %0d %0d %h %h", slot, gen, seq, wr_reg, wr_beat,
        wr_mask, wr_data);
    if (pr_v) $fdisplay(file, "predicate %0d %0d %0d %0d %h %h", slot, gen, seq, pr_beat, pr_mask,
        pr_data);
    if (mo_v) $fdisplay(file, "memory %0d %0d %0d %0d %0d %h %h %h", slot, gen, seq, mo_space,
        mo_access, mo_addr, mo_lanes, mo_wstrb);
    if (bs_v) $fdisplay(file, "start %0d %h %b %h", bl_slot, bs_ctaid, bs_warps, bs_shared);
    if (be_v) $fdisplay(file, "end %0d", bl_slot);
    if (ba_v) $fdisplay(file, "barrier %0d %0d", bl_slot, ba_id);
    if (tr_v) $fdisplay(file, "trap %0d %0d %0d %0d %h %h %h", slot, gen, seq, tr_cause, tr_pc,
        tr_lanes, tr_addr);
  end

  initial begin
    if (!$value$plusargs("seed=%d", seed)) seed = 1;
    if (!$value$plusargs("bug=%d", bug)) bug = 0;
    if (!$value$plusargs("bad=%d", bad)) bad = -1;
    if ($value$plusargs("mem=%s", name)) $readmemh(name, mem);
    if ($value$plusargs("launch=%s", name)) $readmemh(name, p);
    if ($value$plusargs("out=%s", name)) file = $fopen(name, "w");
    wait_ready = 0;
    wait_answer = 0;
    repeat (4) @(posedge clk);
    rst_n <= 1;
    @(posedge clk) go <= 1;
    @(posedge clk) go <= 0;
    @(posedge clk);
    cycles = 0;
    while (!done && cycles < 400000) begin
      @(posedge clk);
      cycles = cycles + 1;
    end
    repeat (2) @(posedge clk);
    $fdisplay(file, "finish %0d %0d %0d", done, refused, trapped);
    $fclose(file);
    if ($value$plusargs("dump=%s", name)) $writememh(name, mem);
    $finish;
  end
endmodule
