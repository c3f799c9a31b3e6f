// SPDX-License-Identifier: Apache-2.0
// Waiting lookups by page: a miss starts a walk, joins the walk of its page, or waits in a queue until a walk is free.
// A result goes to all that wait for it, and to the shared TLB.
// Latency: a walk starts in the cycle of the miss. Its first answer leaves a cycle after its end, then one a cycle; the page of a
// fault goes to fault_list first.
// Handshake: misses are events, for each of which there is room; again_, tell_, put_ valid/ready.
// One walk a page at a time. The queue is in order: while it has an entry, no later miss starts a walk.
// Answers do not leave from here: they go through the pipe of lookups, which orders them for all SMs.
`include "heddle_assert.svh"

module mmu_waits #(
  parameter  int unsigned CHANNELS = 1,
  parameter  int unsigned WALKS    = 2,
  localparam int unsigned CH_W     = (CHANNELS > 1) ? $clog2(CHANNELS) : 1,
  localparam int unsigned ID_W     = CH_W + mmu_pkg::WHO_W,
  localparam int unsigned ASK_W    = $bits(mmu_pkg::ask_t),
  localparam int unsigned WALK_W   = (WALKS > 1) ? $clog2(WALKS) : 1
) (
  input  logic                          clk_i,
  input  logic                          rst_ni,
  // from the pipe: a miss
  input  logic                          miss_valid_i,
  input  logic                          miss_again_i,     // from the queue
  input  logic [CH_W-1:0]               miss_channel_i,
  input  mmu_pkg::ask_t                 miss_i,
  // to the pipe: the queue's next, once a walk is free
  output logic                          again_valid_o,
  input  logic                          again_ready_i,
  output logic [CH_W-1:0]               again_channel_o,
  output mmu_pkg::ask_t                 again_o,
  input  logic                          again_gone_i,     // it was a hit
  // to the pipe: results, for those that wait
  output logic                          tell_valid_o,
  input  logic                          tell_ready_i,
  output logic                          tell_first_o,     // fill the shared TLB
  output logic [CH_W-1:0]               tell_channel_o,
  output mmu_pkg::ask_t                 tell_o,           // the request, and the walk's page
  output mmu_pkg::found_t               tell_found_o,
  // to and from page_walk
  output logic [WALKS-1:0]              start_o,
  output logic [mmu_pkg::SPACE_W-1:0]   start_space_o,
  output logic [mmu_pkg::PAGE_W-1:0]    start_page_o,
  output logic                          start_write_o,
  input  logic [WALKS-1:0]              done_i,
  output logic [WALKS-1:0]              take_o,
  input  mmu_pkg::found_t [WALKS-1:0]   found_i,
  // to fault_list
  output logic                          put_valid_o,
  input  logic                          put_ready_i,
  output mmu_pkg::fault_t               put_o,
  // order against answers
  output logic                          telling_o,
  output logic                          idle_o            // nothing waits
);

  localparam int unsigned ROOM = CHANNELS * 2**mmu_pkg::WHO_W;

  typedef enum logic [1:0] {REST, LIST, TELL} ender_e;

  ender_e            ender_state_q;                      // of the walk that has ended
  logic [WALK_W-1:0] ender_q;

  // ---- walks under way ------------------------------------------------------------------------------
  logic [WALKS-1:0]            busy_q, telling_q, lists_q, write_q, match, joins;
  logic [mmu_pkg::SPACE_W-1:0] space_q [WALKS];
  logic [mmu_pkg::PAGE_W-1:0]  page_q  [WALKS];
  logic [ID_W-1:0]             head_q  [WALKS];
  logic [ID_W-1:0]             tail_q  [WALKS];
  logic [WALKS-1:0]            free_hot;
  logic [WALK_W-1:0]           joined;
  logic [ID_W-1:0]             id, last, following;
  logic                        free, start, join_one, wait_one, row_first;

  lowest_one #(.N(WALKS)) u_free (
    .in_i     (~busy_q),
    .onehot_o (free_hot),
    .index_o  (),
    .any_o    (free)
  );

  always_comb begin
    for (int unsigned w = 0; w < WALKS; w++) match[w] = busy_q[w] && space_q[w] == miss_i.space && page_q[w] == miss_i.page;
  end
  // A walk cannot be joined while its result is sent: its page is a hit afterwards.
  assign joins    = match & ~telling_q;
  assign id       = {miss_channel_i, miss_i.who};
  assign join_one = miss_valid_i && joins != '0;
  assign start    = miss_valid_i && match == '0 && free && (miss_again_i || row_first);
  assign wait_one = miss_valid_i && !join_one && !start;

  onehot_index #(.N(WALKS)) u_joined (
    .onehot_i (joins),
    .index_o  (joined)
  );

  assign start_o       = free_hot & {WALKS{start}};
  assign start_space_o = miss_i.space;
  assign start_page_o  = miss_i.page;
  assign start_write_o = miss_i.write;

  // ---- lookups that wait for a walk, from the first to the last -------------------------------------
  assign last = tail_q[joined];
  ram_async #(.WIDTH(ID_W), .DEPTH(2**ID_W)) u_next (
    .clk_i     (clk_i),
    .wr_en_i   (join_one),
    .wr_addr_i (last),
    .wr_data_i (id),
    .rd_addr_i (head_q[ender_q]),
    .rd_data_o (following)
  );

  // ---- lookups that wait for a free walk ------------------------------------------------------------
  logic                      row_valid, row_ready, again_q, again_take;

  fifo #(.WIDTH(CH_W + ASK_W), .DEPTH(ROOM)) u_row (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .in_valid_i  (wait_one),
    .in_ready_o  (row_ready),
    .in_data_i   ({miss_channel_i, miss_i}),
    .out_valid_o (row_valid),
    .out_ready_i (again_take),
    .out_data_o  ({again_channel_o, again_o}),
    .count_o     ()
  );

  // One at a time is looked up again: the free walk is reserved for it until its outcome.
  assign again_valid_o = row_valid && free && !again_q;
  assign again_take    = again_valid_o && again_ready_i;
  assign row_first     = !row_valid && !again_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) again_q <= 1'b0;
    else         again_q <= again_take || (again_q && !again_gone_i && !(miss_valid_i && miss_again_i));
  end

  // ---- end of a walk: to the list, then to those that wait ------------------------------------------
  logic [WALK_W-1:0] ready_at;
  logic [WALKS-1:0]  ready_hot, ended;
  logic              ready, begins, first_q, over, lists;
  mmu_pkg::found_t   found;
  /* verilator lint_off UNUSEDSIGNAL */    // whether it is a fault
  mmu_pkg::found_t   ready_found;
  /* verilator lint_on UNUSEDSIGNAL */

  arb_rr #(.N(WALKS)) u_ender (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .req_i   (done_i),
    .grant_o (ready_hot),
    .take_i  (begins)
  );
  onehot_index #(.N(WALKS)) u_ready (
    .onehot_i (ready_hot),
    .index_o  (ready_at)
  );
  assign ready       = done_i != '0;
  assign begins      = ready && ender_state_q == REST;
  assign ready_found = found_i[ready_at];
  assign found       = found_i[ender_q];
  assign over        = tell_valid_o && tell_ready_i && head_q[ender_q] == tail_q[ender_q];
  assign ended       = WALKS'(over) << ender_q;
  assign take_o      = ended;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      ender_state_q <= REST;
    end else begin
      unique case (ender_state_q)
        REST:    if (ready) ender_state_q <= ready_found.fault ? LIST : TELL;
        LIST:    if (put_ready_i || !lists) ender_state_q <= TELL;
        default: if (over) ender_state_q <= REST;
      endcase
    end
  end
  always_ff @(posedge clk_i) begin
    if (begins) begin
      ender_q <= ready_at;
      first_q <= 1'b1;
    end else if (tell_valid_o && tell_ready_i) begin
      first_q <= 1'b0;
    end
  end

  // An error of memory is not the host's to repair.
  assign lists        = lists_q[ender_q] && found.kind != mmu_pkg::ERROR;
  assign put_valid_o  = ender_state_q == LIST && lists;
  assign put_o        = '{space: space_q[ender_q], page: page_q[ender_q], write: write_q[ender_q], kind: found.kind};
  assign tell_valid_o = ender_state_q == TELL;
  assign tell_first_o = first_q && !found.fault;
  assign tell_found_o = found;
  assign tell_o       = '{space: space_q[ender_q], page: page_q[ender_q], write: write_q[ender_q], lists: lists,
    who: head_q[ender_q][mmu_pkg::WHO_W-1:0]};
  assign tell_channel_o = head_q[ender_q][ID_W-1:mmu_pkg::WHO_W];
  assign telling_o    = ender_state_q != REST;
  assign idle_o       = busy_q == '0 && !row_valid && !again_q;

  // ---- state ----------------------------------------------------------------------------------------
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      busy_q    <= '0;
      telling_q <= '0;
    end else begin
      busy_q    <= (busy_q & ~ended) | start_o;
      telling_q <= (telling_q & ~ended) | (ready_hot & {WALKS{begins}});
    end
  end
  always_ff @(posedge clk_i) begin
    for (int unsigned w = 0; w < WALKS; w++) begin
      if (start_o[w]) begin
        space_q[w] <= miss_i.space;
        page_q[w]  <= miss_i.page;
        write_q[w] <= miss_i.write;
        lists_q[w] <= miss_i.lists;
        head_q[w]  <= id;
        tail_q[w]  <= id;
      end else begin
        if (join_one && joins[w]) begin
          tail_q[w]  <= id;
          lists_q[w] <= lists_q[w] || miss_i.lists;
        end
        if (tell_valid_o && tell_ready_i && 32'(ender_q) == w) head_q[w] <= following;
      end
    end
  end

  // One walk a page at a time.
  `ASSERT_IF(a_once, miss_valid_i, (match & (match - WALKS'(1))) == '0)
  // There is room for all.
  `ASSERT_IF(a_room, wait_one, row_ready)
  // A queue's lookup without a walk of its page gets the free walk.
  `ASSERT_IF(a_free, miss_valid_i && miss_again_i, free || match != '0)

endmodule
