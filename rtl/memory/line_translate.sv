// SPDX-License-Identifier: Apache-2.0
// Between the coalescer and line_request: virtual lines of global memory become physical ones, line by line
// (isa/doc/18-virtual-memory.md). A line with its page at hand goes on; another one is *put off*: its rows go no further, their
// lanes are kept by row, and its instruction waits in line_waits until it is walked again. All that has been put off has done nothing,
// so each line is performed once. Lines of an instruction that are at hand do not wait for those that are not.
// A walk ends with an event for line_waits. One that has put something off does not say to line_request that it was the last, so
// that the instruction stays open. For one that dies every line is dropped; the lanes of the first go into the report.
// Latency: one cycle. Throughput: a row a cycle; while the micro-TLB takes an answer no line begins.
// Handshake: rows valid/ready on both sides; lookups as micro_tlb has them; the report of one that dies is valid/ready, the rest are
// events. Rows of lines in local memory, and all rows of a launch without pages, pass as they are.
// It does not see which instructions wait, or for what.
`include "heddle_assert.svh"

module line_translate #(
  localparam int unsigned LANES   = cfg_pkg::LSU_LANES,
  localparam int unsigned BEATS   = mem_pkg::BEATS,
  localparam int unsigned ROW_W   = mem_pkg::GROW_W,
  localparam int unsigned KEY_W   = mem_pkg::KEY_W,
  localparam int unsigned WARP_W  = cfg_pkg::SM_WARP_W,
  localparam int unsigned VLINE_W = mmu_pkg::PAGE_W + 5   // bits 48:7 of an address
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,
  // from the host
  input  logic                        pages_i,         // the launch has pages
  input  logic [mmu_pkg::SPACE_W-1:0] space_i,
  input  logic                        trap_i,          // a fault is a trap
  // from the coalescer
  input  logic                        co_valid_i,
  output logic                        co_ready_o,
  input  mem_pkg::walk_t              co_i,
  input  logic                        co_again_i,      // its instruction is walked again
  input  logic [VLINE_W:0]            co_key_i,        // with the highest bit a line of local memory, else a virtual line
  // from global_track: of the instruction of co_i
  input  logic                        co_write_i,      // a store or an atomic
  input  logic [WARP_W-1:0]           co_warp_i,
  // to the coalescer: lanes of a row that were put off
  input  logic [ROW_W-1:0]            lf_row_i,
  output logic [LANES-1:0]            lf_lanes_o,
  // to and from the micro-TLB
  output logic                        lk_valid_o,
  input  logic                        lk_ready_i,
  output mmu_pkg::lookup_t            lk_o,
  input  logic                        res_valid_i,
  input  mmu_pkg::outcome_t           res_i,
  // from line_waits, of each warp: one of its instructions waits; what faults for it is a trap
  input  logic [cfg_pkg::SM_WARPS-1:0] blocked_i,
  input  logic [cfg_pkg::SM_WARPS-1:0] fails_i,
  // to and from line_waits: the row here
  output mem_pkg::walked_t            of_o,
  input  logic                        of_dies_i,       // its instruction is walked again, and ends
  output mmu_pkg::missed_t            miss_o,
  output mem_pkg::ended_t             end_o,
  // one that died: the lanes of its first line
  output logic                        dead_valid_o,
  input  logic                        dead_ready_i,
  output logic [31:0]                 dead_lanes_o,
  output logic [VLINE_W-1:0]          dead_line_o,
  // to line_request
  output logic                        tr_valid_o,
  input  logic                        tr_ready_i,
  output mem_pkg::walk_t              tr_o,
  output logic [VLINE_W:0]            tr_key_o,        // its line as it came
  // event: a line's last row leaves, to line_request or put off
  output logic                        out_o
);

  // ---- the row that comes ---------------------------------------------------------------------------
  logic                        valid_q, leave, free, move, asks, local_here, lk_lists;

  assign local_here = co_key_i[VLINE_W];
  assign asks       = co_i.first && pages_i && !local_here;
  assign free       = !valid_q || leave;
  assign lk_valid_o = co_valid_i && asks && free;
  assign lk_lists   = !trap_i && !(co_again_i && fails_i[co_warp_i]);
  assign lk_o       = '{space: space_i, page: co_key_i[VLINE_W-1:5], write: co_write_i, lists: lk_lists};
  assign co_ready_o = free && (lk_ready_i || !asks);
  assign move       = co_valid_i && co_ready_o;

  // ---- the row here ----------------------------------------------------------------------------------
  mem_pkg::walk_t              row_q;
  logic [VLINE_W:0]            key_q;       // of the row's line
  logic [WARP_W-1:0]           warp_q;
  logic                        again_q, write_q, lists_q;
  logic                        asked_q;     // it was looked up
  logic                        fresh_q;     // in the cycle before
  logic                        known_q;     // its outcome, from the second cycle on
  logic [mmu_pkg::FRAME_W-1:0] frame_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q <= 1'b0;
      fresh_q <= 1'b0;
    end else begin
      if (free) valid_q <= co_valid_i && co_ready_o;
      fresh_q <= move && asks;
    end
  end
  always_ff @(posedge clk_i) begin
    if (move) begin
      row_q   <= co_i;
      warp_q  <= co_warp_i;
      again_q <= co_again_i;
      asked_q <= asks;
      write_q <= co_write_i;
      lists_q <= lk_lists;
      if (co_i.first) key_q <= co_key_i;
    end
    if (fresh_q) begin
      known_q <= res_i.hit;
      frame_q <= res_i.frame;
    end
  end

  // ---- what becomes of its line: found with the first row, kept for the others -------------------------
  logic                        hit, goes, goes_q, behind, behind_q, begun_q, left_q, last, puts_off, misses;
  logic [mmu_pkg::FRAME_W-1:0] frame;
  logic [BEATS-1:0]            rows_q, here;

  assign of_o      = '{warp: warp_q, slot: row_q.slot, again: again_q};
  assign hit       = fresh_q ? res_i.hit : known_q;
  assign frame     = fresh_q ? res_i.frame : frame_q;
  // An instruction stands behind an older one of its warp that waits, or does not, as a whole.
  assign behind    = begun_q ? behind_q : blocked_i[warp_q] && !again_q;
  assign goes      = !of_dies_i && (!row_q.first ? goes_q : (!asked_q || (hit && !behind)));
  assign puts_off  = valid_q && !goes && !of_dies_i;
  assign misses    = puts_off && row_q.first && !behind && !left_q;
  assign last      = row_q.final_row && row_q.last_line;
  assign leave     = goes ? tr_ready_i : !(last && of_dies_i) || dead_ready_i;
  assign here      = (row_q.lanes != '0) ? BEATS'(1) << row_q.row : '0;

  assign miss_o    = '{valid: misses, waits: res_i.waits, who: res_i.who, write: write_q, lists: lists_q};

  always_ff @(posedge clk_i) begin
    if (valid_q && leave && row_q.first) goes_q <= goes;
  end

  // For the walk so far: its instruction has begun; something has been put off, in these rows.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      begun_q <= 1'b0;
      left_q  <= 1'b0;
      rows_q  <= '0;
    end else if (valid_q && leave) begin
      begun_q <= !last;
      left_q  <= !last && (left_q || puts_off);
      rows_q  <= last ? '0 : rows_q | (puts_off ? here : '0);
    end
  end
  always_ff @(posedge clk_i) begin
    if (valid_q && !begun_q) behind_q <= behind;
  end

  assign end_o = '{valid: valid_q && leave && last, left: left_q || puts_off, rows: rows_q | (puts_off ? here : '0)};

  // ---- lanes that are put off: a row of them is written with its first such line, and more come with others -----------
  logic [ROW_W-1:0] row;
  logic [LANES-1:0] earlier, lanes;

  assign row   = ROW_W'(32'(row_q.slot) * BEATS + 32'(row_q.row));
  assign lanes = row_q.lanes | (((rows_q & here) != '0) ? earlier : '0);

  ram_async #(.WIDTH(LANES), .DEPTH(mem_pkg::GROWS)) u_earlier (
    .clk_i     (clk_i),
    .wr_en_i   (puts_off && here != '0),
    .wr_addr_i (row),
    .wr_data_i (lanes),
    .rd_addr_i (row),
    .rd_data_o (earlier)
  );
  ram_async #(.WIDTH(LANES), .DEPTH(mem_pkg::GROWS)) u_left (
    .clk_i     (clk_i),
    .wr_en_i   (puts_off && here != '0),
    .wr_addr_i (row),
    .wr_data_i (lanes),
    .rd_addr_i (lf_row_i),
    .rd_data_o (lf_lanes_o)
  );

  // ---- one that dies: of its first line, which is the one that faulted --------------------------------
  logic [BEATS-1:0][LANES-1:0] dead_q, dead;
  logic                        second_q;     // that line is over
  logic [VLINE_W-1:0]          dead_line_q;

  always_comb begin
    dead = begun_q ? dead_q : '0;
    if (!second_q) dead[row_q.row] = row_q.lanes;
  end
  always_ff @(posedge clk_i) begin
    if (valid_q && leave) begin
      dead_q <= dead;
      if (!begun_q) dead_line_q <= key_q[VLINE_W-1:0];
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni)               second_q <= 1'b0;
    else if (valid_q && leave) second_q <= !last && (second_q || row_q.final_row);
  end
  assign dead_valid_o = valid_q && of_dies_i && last;
  assign dead_lanes_o = 32'(dead);
  assign dead_line_o  = begun_q ? dead_line_q : key_q[VLINE_W-1:0];

  // ---- to line_request ----------------------------------------------------------------------------------
  logic [KEY_W-1:0] key;

  assign key = (key_q[VLINE_W] || !asked_q) ? {key_q[VLINE_W], key_q[KEY_W-2:0]} : {1'b0, frame, key_q[4:0]};

  always_comb begin
    tr_o           = row_q;
    tr_o.key       = key;
    tr_o.last_line = row_q.last_line && !left_q;
  end
  assign tr_valid_o = valid_q && goes;
  assign tr_key_o   = key_q;
  assign out_o      = valid_q && leave && row_q.final_row;

  // A lookup's outcome comes as its row stands here.
  `ASSERT(a_outcome, res_valid_i == fresh_q)
  // All that is walked again is of a warp that waits.
  `ASSERT_IF(a_again, valid_q && again_q, blocked_i[warp_q])

endmodule
