// SPDX-License-Identifier: Apache-2.0
// The bench that DPI and VPI share, in plain Verilog: barrel, its memory, its launches. Macros that the two define:
// CHECKER (module at the port), TEXT (type of a text), HEDDLE_f (functions).
//   +heddle_launch=FILE "+heddle_core=..." (core.txt) [+bug=N]
module bench;
  localparam SECTORS = 8192, LATENCY = 1; // as `heddle run --calm`
  reg clk, rst_n, go;
  reg [63:0] cycle; // clocks without reset: the first is 1

  // ---- the launch ----
  reg [7:0] bug;
  reg [39:0] code_base, local_base, base;
  reg [31:0] code_bytes, entry;
  reg [95:0] grid, block;
  reg [8:0] regs;
  reg [23:0] shared_bytes;
  reg [19:0] local_bytes;
  reg [159:0] cbank_base;
  reg [67:0] cbank_bytes;
  reg [639:0] region_base;
  reg [655:0] region_limit;
  reg [15:0] region_write;
  wire done, req, we;
  wire [39:0] addr;
  wire [255:0] wdata;
  wire [31:0] wstrb;

  // ---- the port: one record of a kind a clock; four kinds are not shown ----
  wire bs_v, gl_v, sh_v, wr_v, pr_v, op_v, ba_v, is_v, tr_v, be_v;
  wire [255:0] bs, tr;
  wire [831:0] gl;
  wire [2975:0] sh;
  wire [415:0] wr;
  wire [767:0] pr;
  wire [1183:0] op;
  wire [31:0] ba, be;
  wire [511:0] is;
  `CHECKER port (.clk(clk), .rst_n(rst_n), .cycle(cycle), .ret_block_start_valid(bs_v), .ret_block_start(bs),
      .ret_global_valid(gl_v), .ret_global(gl), .ret_shared_valid(sh_v), .ret_shared(sh),
      .ret_write_valid({3'd0, wr_v}), .ret_write({1248'd0, wr}), .ret_predicate_valid(pr_v), .ret_predicate(pr),
      .ret_operands_valid(op_v), .ret_operands(op), .ret_barrier_valid(ba_v), .ret_barrier(ba),
      .ret_issue_valid(is_v), .ret_issue(is), .ret_trap_valid(tr_v), .ret_trap(tr), .ret_block_end_valid(be_v),
      .ret_block_end(be), .ret_warp_start_valid(1'b0), .ret_warp_start(96'd0), .ret_operands_memory_valid(1'b0),
      .ret_operands_memory(1184'd0), .ret_uniform_read_valid(1'b0), .ret_uniform_read(224'd0),
      .ret_uniform_write_valid(1'b0), .ret_uniform_write(192'd0));

  // ---- memory: a request at a time, always ready for one ----
  reg [255:0] mem [0:SECTORS-1];
  reg [255:0] rdata, line;
  reg failed;
  reg signed [7:0] waits; // cycles until the answer; -1: nothing is asked for
  wire [39:0] offset = addr - base;
  wire outside = offset >> 5 >= SECTORS;
  integer n;
  always @(posedge clk) begin
    if (waits >= 0) waits <= waits - 8'd1;
    if (req && waits < 0 && rst_n) begin
      waits <= LATENCY;
      failed <= outside;
      rdata <= mem[offset[17:5]];
      line = mem[offset[17:5]];
      for (n = 0; n < 32; n = n + 1) if (wstrb[n]) line[8*n +: 8] = wdata[8*n +: 8];
      if (we && !outside) begin
        mem[offset[17:5]] = line;
        for (n = 0; n < 8; n = n + 1) if (wstrb[4*n +: 4] != 0) `HEDDLE_PUT(addr + 4 * n, line[32*n +: 32]);
      end
    end
  end

  barrel_retire core (.clk_i(clk), .rst_ni(rst_n), .bug_i(bug), .go_i(go), .code_base_i(code_base),
      .code_bytes_i(code_bytes), .entry_i(entry), .grid_i(grid), .block_i(block), .regs_i(regs),
      .shared_bytes_i(shared_bytes), .local_base_i(local_base), .local_bytes_i(local_bytes),
      .cbank_base_i(cbank_base), .cbank_bytes_i(cbank_bytes), .region_base_i(region_base),
      .region_limit_i(region_limit), .region_write_i(region_write), .done_o(done), .refused_o(), .trapped_o(),
      .req_o(req), .we_o(we), .ready_i(waits < 0), .addr_o(addr), .wdata_o(wdata), .wstrb_o(wstrb),
      .rsp_i(waits == 0), .err_i(failed), .rdata_i(rdata), .ret_block_start_valid_o(bs_v), .ret_global_valid_o(gl_v),
      .ret_shared_valid_o(sh_v), .ret_write_valid_o(wr_v), .ret_predicate_valid_o(pr_v), .ret_operands_valid_o(op_v),
      .ret_barrier_valid_o(ba_v), .ret_issue_valid_o(is_v), .ret_trap_valid_o(tr_v), .ret_block_end_valid_o(be_v),
      .ret_block_start_o(bs), .ret_global_o(gl), .ret_shared_o(sh), .ret_write_o(wr), .ret_predicate_o(pr),
      .ret_operands_o(op), .ret_barrier_o(ba), .ret_issue_o(is), .ret_trap_o(tr), .ret_block_end_o(be));

  // ---- a launch after the other ----
  `TEXT launches, declared, name;
  reg [63:0] at, bytes;
  integer i, k, ok;

  task tell; // the core of its launch, and memory
    begin
      base = `HEDDLE_VALUE("base");
      code_base = `HEDDLE_VALUE("code_at");
      code_bytes = `HEDDLE_VALUE("code_bytes");
      entry = `HEDDLE_VALUE("entry_pc");
      regs = `HEDDLE_VALUE("regs");
      shared_bytes = `HEDDLE_VALUE("shared_bytes");
      local_base = `HEDDLE_VALUE("local_at");
      local_bytes = `HEDDLE_VALUE("local_bytes");
      for (i = 0; i < 3; i = i + 1) begin
        $sformat(name, "grid_%c", "x" + i);
        grid[32*i +: 32] = `HEDDLE_VALUE(name);
        $sformat(name, "block_%c", "x" + i);
        block[32*i +: 32] = `HEDDLE_VALUE(name);
      end
      for (i = 0; i < 4; i = i + 1) begin
        $sformat(name, "cbank%0d_at", i);
        cbank_base[40*i +: 40] = `HEDDLE_VALUE(name);
        $sformat(name, "cbank%0d_bytes", i);
        cbank_bytes[17*i +: 17] = `HEDDLE_VALUE(name);
      end
      for (i = 0; i < 16; i = i + 1) begin
        $sformat(name, "region%0d_base", i);
        region_base[40*i +: 40] = `HEDDLE_VALUE(name);
        $sformat(name, "region%0d_limit", i);
        region_limit[41*i +: 41] = `HEDDLE_VALUE(name);
        $sformat(name, "region%0d_writable", i);
        region_write[i] = `HEDDLE_VALUE(name);
      end
      for (i = 0; i < SECTORS; i = i + 1) mem[i] = 0;
      for (i = 0; i < `HEDDLE_RANGES; i = i + 1) begin
        at = `HEDDLE_RANGE_AT(i);
        bytes = `HEDDLE_RANGE_BYTES(i);
        for (k = 0; k < bytes; k = k + 4) mem[(at + k - base) >> 5][8 * ((at + k) % 32) +: 32] = `HEDDLE_WORD(at + k);
      end
    end
  endtask

  initial begin
    clk = 0;
    rst_n = 0;
    go = 0;
    cycle = 1;
    waits = -1;
    if (!$value$plusargs("bug=%d", bug)) bug = 0;
    if (!$value$plusargs("heddle_launch=%s", launches) || !$value$plusargs("heddle_core=%s", declared)) $finish;
    port.judge = `HEDDLE_OPEN(declared, launches);
    while (`HEDDLE_LAUNCH != 0) begin
      tell;
      rst_n = 0;
      repeat (4) @(negedge clk);
      rst_n = 1;
      go = 1;
      @(negedge clk) go = 0;
      while (!done && port.fine) @(negedge clk);
      if (port.fine) ok = `HEDDLE_MEMORY(cycle);
    end
    `HEDDLE_VERDICT
    $finish;
  end
  always @(posedge clk) if (rst_n) cycle <= cycle + 1;
  always #5 clk = ~clk;
endmodule
