// SPDX-License-Identifier: Apache-2.0
// Read-only cache: direct-mapped, lines of 64 bytes in block RAM, OUT_BITS wide answers. MISSES lines may be on their way.
// Latency: two cycles from request to answer of a hit, one a cycle, misses beside it or not; three from a line's last beat to the
// answer of what waits for it.
// Handshake: request valid/ready; answers are events, with the request's tag. Requests of one source (the lower bits of the tag,
// ORDERS of them) are answered in order, others in any. skip_i requests are only passed along. To memory: a line's address with
// the place that waits for it (rd, valid/ready); its beats are events, those of several lines in any order, each with its tag.
//
// The requests that wait are a queue (ro_parked): a request that misses, and what follows it from its source.
// Its head is looked up again whenever a line has come, and takes its turn before all others.
// While it is judged the one after it is looked up, and judged if it went: so the queue empties
// at a request a cycle, and does not fill again meanwhile. A request that finds neither its line
// nor a place for it goes there too, and looks for a place when it is the head; a head that has
// found none has the next one (starved).
//
// A line's tag is written and its bit `valid` is set as the line is asked for; until its last beat its index is pending
// (ro_misses), and nothing with this index hits. Its beats go straight to the rows. All that was looked up in the cycle of a write to
// the same index, or of its line's end, is not judged (raced): it waits, and is looked up again; so none takes a line's place
// before the head that waits for it has had its turn.
//
// An error is answered to the head, if it waits for this line, with err; the line and its three neighbours are dropped, and
// others that wait for it ask for it anew, each in its turn. So nothing waits here for the host: a request for a page that is
// absent comes again when it may be there. A request with a fault for the host (rq_lists_i) is made anew where its line
// was asked for without. A failed line asks for no lines ahead, and with pages none crosses one.
//
// For the AHEAD lines behind one that was looked up those not here are asked for, in cycles without a request, up to ahead_last_i
// and to the end of 64 KiB. A line ahead takes a place like any other: what misses then waits for the first of them to come.
//
// It does not watch writes: invalidate_i (one cycle) empties it; lines on their way are dropped as they come, and nothing more is
// asked for ahead until the next request. A request that waits stays, and asks anew.
`include "heddle_assert.svh"
`include "heddle_idle.svh"

module ro_cache #(
  parameter int unsigned BYTES    = 2048,
  parameter int unsigned OUT_BITS = 32,
  parameter int unsigned TAG_BITS = 1,       // of the requester, returned with the answer
  parameter int unsigned ORDERS   = 0,       // sources with answers in order
  parameter int unsigned MISSES   = 1,
  parameter int unsigned AHEAD    = 0,
  localparam int unsigned LOW      = $clog2(OUT_BITS / 8),
  localparam int unsigned SECTOR_W = line_pkg::LINE_W + 2,
  localparam int unsigned MISS_W   = (MISSES > 1) ? $clog2(MISSES) : 1,
  localparam int unsigned BUS_BITS = mem_pkg::REFILL_BITS
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic                  invalidate_i,
  input  logic [15:6]           ahead_last_i, // lower bits of the last line that is asked for ahead
  input  logic                  pages_i,      // addresses are virtual
  // from the requester
  input  logic                  rq_valid_i,
  output logic                  rq_ready_o,
  input  logic [39:LOW]         rq_addr_i,    // byte address
  input  logic                  rq_skip_i,
  input  logic                  rq_lists_i,   // where there is an MMU: a fault of its page comes to the host's list
  input  logic [TAG_BITS-1:0]   rq_tag_i,
  // to the requester
  output logic                  rs_valid_o,
  output logic [OUT_BITS-1:0]   rs_data_o,
  output core_pkg::err_t        rs_err_o,
  output logic [TAG_BITS-1:0]   rs_tag_o,
  output logic [SECTOR_W-1:0]   rs_sector_o,
  output logic                  idle_o,       // no request is here, nor a line to be asked for ahead
  // to and from line_join: refills, each with a number
  output logic                  rf_valid_o,
  input  logic                  rf_ready_i,
  output logic [33:0]           rf_half_o,      // byte address / 64
  output logic [MISS_W-1:0]     rf_number_o,
  output logic                  rf_lists_o,
  input  logic                  beat_valid_i,   // event
  input  logic [MISS_W-1:0]     beat_number_i,
  input  logic [mem_pkg::REFILL_W-1:0] beat_i,
  input  logic [BUS_BITS-1:0]   data_i,
  input  logic                  done_valid_i,   // event: after all its beats
  input  logic [MISS_W-1:0]     done_number_i,
  input  core_pkg::err_t        err_i           // ... of which one was an error, or none came
);

  localparam int unsigned LINES    = BYTES / 64;
  localparam int unsigned INDEX_W  = $clog2(LINES);
  localparam int unsigned GROUPS   = LINES / 4;
  localparam int unsigned GROUP_W  = (GROUPS > 1) ? $clog2(GROUPS) : 1;
  localparam int unsigned TAGW     = 40 - 6 - INDEX_W;
  localparam int unsigned ROW_BITS = (BUS_BITS > OUT_BITS) ? BUS_BITS : OUT_BITS;   // of the data RAM
  localparam int unsigned ROWS     = 512 / ROW_BITS;                                // a line
  localparam int unsigned ROW_AW   = $clog2(LINES * ROWS);
  localparam int unsigned PARTS    = ROW_BITS / BUS_BITS;                           // beats a row
  localparam int unsigned RQ_W     = 40 - LOW + TAG_BITS;
  localparam bit          PAGED    = cfg_pkg::MMU != 0;
  localparam int unsigned LISTS_W  = 32'(PAGED);                                    // with a request: rq_lists_i
  localparam int unsigned SOURCE_W = (ORDERS > 1) ? $clog2(ORDERS) : 1;

  logic                 in_valid, in_take, in_skip;
  logic [39:LOW]        in_addr, head_addr, look_addr;
  logic [TAG_BITS-1:0]  in_tag, head_tag;
  logic                 look, look_head, look_ahead, more_ahead, room, head_valid, waits, judged, kept;
  logic                 s1_valid_q, s1_head_q, s1_ahead_q, s1_skip_q, raced, raced_q;
  logic [39:LOW]        s1_addr_q;
  logic [TAG_BITS-1:0]  s1_tag_q;
  logic                 here, pend, hit, coming, take, free, answer, park, pop;
  logic [MISSES-1:0]    pend_place, share_place, next_place, done_place, owner_q;
  logic                 done, again_q, starved_q, failed, in_lists, head_lists, s1_lists_q;
  core_pkg::err_t       failed_q;
  logic [ROW_AW-1:0]    read_row, write_row;
  logic [PARTS-1:0]     write_part;
  logic [GROUPS-1:0]    used_q;       // groups of four lines of which one has been asked for
  logic [GROUP_W-1:0]   s1_group;
  logic [3:0]           line_hot, group, valid;
  logic [INDEX_W-1:0]   s1_index, look_index, fill_index, done_index;
  logic [TAGW-1:0]      s1_tagbits, line_tag;
  logic [OUT_BITS-1:0]  word;
  logic                 read_en;

  logic [RQ_W+1:0]      in_word;
  logic [RQ_W:0]        head_word, park_word;
  logic [RQ_W+1:0]      rq_word;

  assign rq_word = {rq_lists_i, rq_addr_i, rq_skip_i, rq_tag_i};
  assign {in_lists, in_addr, in_skip, in_tag} = in_word;
  assign {head_lists, head_addr, head_tag}    = head_word;
  assign park_word = {s1_lists_q, s1_addr_q, s1_tag_q};
  if (!PAGED) begin : gen_no_lists
    logic unused_lists;
    assign in_word[RQ_W+1] = 1'b0;
    assign head_word[RQ_W] = 1'b0;
    assign unused_lists    = ^{rq_word[RQ_W+1], park_word[RQ_W]};
  end

  spare #(.WIDTH(RQ_W + 1 + LISTS_W)) u_in (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .in_valid_i  (rq_valid_i),
    .in_ready_o  (rq_ready_o),
    .in_data_i   (rq_word[RQ_W+LISTS_W:0]),
    .out_valid_o (in_valid),
    .out_ready_i (in_take),
    .out_data_o  (in_word[RQ_W+LISTS_W:0])
  );

  // ---- what is looked up: the head of those that wait, a request, the line behind the one looked up last ---------------------
  assign judged    = s1_valid_q && s1_head_q;      // the head, and head_ is the one after it
  assign kept      = judged && !pop;               // so what is looked up of head_ is for nothing
  assign look_head = head_valid && (again_q || judged);
  assign in_take   = !look_head && room;
  assign look      = look_head || (in_take && in_valid) || look_ahead;

  if (AHEAD > 0) begin : gen_ahead
    localparam int unsigned AHEAD_W = $clog2(AHEAD + 1);
    logic [AHEAD_W-1:0] left_q;   // lines ahead that have not been looked up
    logic               stay_q;   // the one here was, and could not be asked for
    logic               wait_q;   // ... until a line has come, or memory has taken an address
    logic [15:6]        line;
    assign line       = s1_addr_q[15:6];
    assign more_ahead = left_q != '0 && (stay_q || (line != ahead_last_i && line != '1 && !(PAGED && pages_i && line[11:6] == '1)));
    assign look_ahead = !look_head && !(in_valid && room) && !s1_valid_q && !wait_q && more_ahead;
    always_comb begin
      look_addr = look_head ? head_addr : in_addr;
      if (look_ahead) begin
        look_addr       = s1_addr_q;
        look_addr[15:6] = line + 10'(!stay_q);
      end
    end
    always_ff @(posedge clk_i) begin
      if (!rst_ni || invalidate_i) begin
        left_q <= '0;
        stay_q <= 1'b0;
        wait_q <= 1'b0;
      end else if (look && !look_ahead) begin
        left_q <= AHEAD_W'(AHEAD);
        stay_q <= 1'b0;
        wait_q <= 1'b0;
      end else if (PAGED && pop && failed) begin
        left_q <= '0;
      end else if (s1_valid_q && s1_ahead_q) begin
        if (hit || coming || take) left_q <= left_q - 1'b1;
        stay_q <= !(hit || coming || take);
        wait_q <= !(hit || coming || take || raced_q || done || (rf_valid_o && rf_ready_i));
      end else if (done || (rf_valid_o && rf_ready_i)) begin
        wait_q <= 1'b0;
      end
    end
  end else begin : gen_alone
    logic unused;
    assign look_ahead = 1'b0;
    assign more_ahead = 1'b0;
    assign look_addr  = look_head ? head_addr : in_addr;
    assign unused     = ^{ahead_last_i, pages_i};
  end

  assign idle_o     = !in_valid && !head_valid && !s1_valid_q && !more_ahead;
  assign look_index = look_addr[6 +: INDEX_W];
  assign read_row   = look_addr[6 + INDEX_W - 1 -: ROW_AW];
  assign raced      = (beat_valid_i && look_index == fill_index) || (done && look_index == done_index)
                      || (take && look_index == s1_index);
  assign read_en    = look && `HEDDLE_LIVE(!raced);

  always_ff @(posedge clk_i) begin
    if (look) begin
      s1_addr_q  <= look_addr;
      s1_tag_q   <= look_head ? head_tag : in_tag;
      s1_skip_q  <= in_skip && !look_head;
      s1_head_q  <= look_head;
      s1_ahead_q <= look_ahead;
      s1_lists_q <= look_head ? head_lists : in_lists && !look_ahead;
      raced_q    <= raced;
    end
  end

  // ---- lookup -----------------------------------------------------------------------------------------------------------------
  assign s1_index   = s1_addr_q[6 +: INDEX_W];
  assign s1_tagbits = s1_addr_q[39 -: TAGW];
  assign here       = (valid & line_hot) != '0 && line_tag == s1_tagbits;
  assign pend       = pend_place != '0;
  assign hit        = here && !pend && !raced_q;
  assign coming     = here && pend && !raced_q;
  assign answer     = s1_valid_q && !s1_ahead_q && (s1_head_q ? hit || failed : s1_skip_q || (hit && !waits));
  assign failed     = failed_q != '0;
  assign pop        = answer && s1_head_q;
  assign park       = s1_valid_q && !s1_ahead_q && !s1_head_q && !answer;
  assign take       = s1_valid_q && !s1_skip_q && !here && !pend && !raced_q && free
                      && (s1_head_q ? !failed : !starved_q);

  ram_apart #(.WIDTH(TAGW), .DEPTH(LINES), .RACE(1'b1)) u_tags (
    .clk_i     (clk_i),
    .rst_ni    (rst_ni),
    .wr_en_i   (take),
    .wr_addr_i (s1_index),
    .wr_data_i (s1_tagbits),
    .rd_en_i   (read_en),
    .rd_addr_i (look_index),
    .rd_data_o (line_tag)
  );

  // For a bus wider than an answer the memory itself chooses the word.
  if (ROW_BITS > OUT_BITS) begin : gen_words
    localparam int unsigned SEL_W = $clog2(ROW_BITS / OUT_BITS);
    ram_unpack #(.WIDTH(OUT_BITS), .WORDS(ROW_BITS / OUT_BITS), .DEPTH(LINES * ROWS), .RACE(1'b1)) u_data (
      .clk_i     (clk_i),
      .rst_ni    (rst_ni),
      .wr_en_i   (write_part[0]),
      .wr_addr_i (write_row),
      .wr_data_i (data_i),
      .rd_en_i   (read_en),
      .rd_addr_i (read_row),
      .rd_word_i (look_addr[LOW +: SEL_W]),
      .rd_data_o (word)
    );
  end else begin : gen_rows
    ram_apart #(.WIDTH(ROW_BITS), .DEPTH(LINES * ROWS), .PARTS(PARTS), .RACE(1'b1)) u_data (
      .clk_i     (clk_i),
      .rst_ni    (rst_ni),
      .wr_en_i   (write_part),
      .wr_addr_i (write_row),
      .wr_data_i ({PARTS{data_i}}),
      .rd_en_i   (read_en),
      .rd_addr_i (read_row),
      .rd_data_o (word)
    );
  end

  always_ff @(posedge clk_i) begin
    if (answer) begin
      rs_err_o    <= s1_head_q ? failed_q : '0;
      rs_tag_o    <= s1_tag_q;
      rs_sector_o <= SECTOR_W'({s1_addr_q, LOW'(0)} >> 5);
      rs_data_o   <= word;
    end
  end

  // Which lines are valid lies in LUT memory, four in a row, and a row counts once one of them has been asked for.
  assign s1_group = GROUP_W'(32'(s1_index) / 4);
  assign line_hot = 4'd1 << s1_index[1:0];
  assign valid    = group & {4{used_q[s1_group]}};

  ram_async #(.WIDTH(4), .DEPTH(GROUPS)) u_valid (
    .clk_i     (clk_i),
    .wr_en_i   (take),
    .wr_addr_i (s1_group),
    .wr_data_i (valid | line_hot),
    .rd_addr_i (s1_group),
    .rd_data_o (group)
  );

  // ---- what waits, and for which line ---------------------------------------------------------------------------------------
  ro_parked #(.WIDTH(RQ_W + LISTS_W), .ORDERS(ORDERS)) u_parked (
    .clk_i         (clk_i),
    .rst_ni        (rst_ni),
    .source_i      (SOURCE_W'(s1_tag_q)),
    .waits_o       (waits),
    .push_i        (park),
    .push_word_i   (park_word[RQ_W+LISTS_W-1:0]),
    .room_o        (room),
    .judged_i      (judged),
    .head_valid_o  (head_valid),
    .head_o        (head_word[RQ_W+LISTS_W-1:0]),
    .head_source_i (SOURCE_W'(s1_tag_q)),   // the head's, when it goes
    .pop_i         (pop)
  );

  ro_misses #(.MISSES(MISSES), .INDEX_W(INDEX_W)) u_misses (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .look_i      (s1_index),
    .lists_i     (s1_lists_q),
    .pend_o      (pend_place),
    .shares_o    (share_place),
    .free_o      (free),
    .next_o      (next_place),
    .take_i      (take),
    .take_line_i (s1_addr_q[39:6]),
    .rf_valid_o    (rf_valid_o),
    .rf_ready_i    (rf_ready_i),
    .rf_half_o     (rf_half_o),
    .rf_number_o   (rf_number_o),
    .rf_lists_o    (rf_lists_o),
    .beat_valid_i  (beat_valid_i),
    .beat_number_i (beat_number_i),
    .done_valid_i  (done_valid_i),
    .done_number_i (done_number_i),
    .done_index_o  (done_index),
    .fill_o      (fill_index),
    .done_o      (done_place)
  );

  assign done      = done_place != '0;
  assign write_row = ROW_AW'(32'(fill_index) * ROWS + 32'(beat_i) / PARTS);
  for (genvar p = 0; p < PARTS; p++) begin : gen_part
    assign write_part[p] = beat_valid_i && 32'(beat_i) % PARTS == p;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      s1_valid_q <= 1'b0;
      again_q    <= 1'b0;
      starved_q  <= 1'b0;
      failed_q   <= '0;
      owner_q    <= '0;
      used_q     <= '0;
      rs_valid_o <= 1'b0;
    end else begin
      s1_valid_q <= look && !(look_head && kept);
      rs_valid_o <= answer;
      // The head is looked up when it becomes it, when a line has come, when memory has taken an address.
      again_q <= (again_q && (!look_head || kept)) || (park && !head_valid) || (pop && !look_head) || done
                 || (rf_valid_o && rf_ready_i) || (judged && raced_q);
      if (judged || (park && !head_valid)) starved_q <= !answer && !coming && !take;
      owner_q <= owner_q & ~done_place;
      if (judged) owner_q <= answer ? '0 : take ? next_place : (coming ? share_place : '0) & ~done_place;
      if (pop)                                                     failed_q <= '0;
      else if (err_i != '0 && (done_place & owner_q) != '0)        failed_q <= err_i;
      if (take)             used_q[s1_group] <= 1'b1;
      if (done && err_i != '0) used_q[GROUP_W'(32'(done_index) / 4)] <= 1'b0;
      if (invalidate_i)     used_q <= '0;
    end
  end

endmodule
