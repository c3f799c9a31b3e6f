// SPDX-License-Identifier: Apache-2.0
// Coalescer: groups the lanes of a global instruction by 128-byte line, lowest waiting lane first, and hands the groups on, row
// by row. That lane, the leader, gives the line; a row of lanes a cycle is compared with it, and rows without
// waiting lanes are passed over. Local memory keeps the words of a thread apart: an access of two or four of them is walked as
// often, a word each time, by the lanes that have one there. Cheap, since addresses lie in block RAM, a row beside the other,
// and a row is compared at a time; the next one is read meanwhile. Where lanes are few, each pair is compared as the row comes from
// the check, and a bit a pair is kept beside the addresses: what block RAM answers is late, and so the leader's row need not be
// compared with one of its own addresses.
// Latency: one cycle to the first row. A line takes as many cycles as rows hold waiting lanes from the leader's on; with one
// row (32 lanes) that is a line a cycle. With several rows the next word of an access to local memory costs a cycle.
// Handshake: an instruction is taken from global_track by pop; rows of a line go out valid/ready.
// For a machine with pages an instruction of which lines were put off is walked again, before a new one and for these lanes alone
// (rt_ valid/ready; its lanes lie in line_translate).
// It does not look at lines of other instructions: the point of order does.
`include "heddle_assert.svh"
`include "heddle_idle.svh"

module coalescer #(
  localparam int unsigned LANES    = cfg_pkg::LSU_LANES,
  localparam int unsigned BEATS    = mem_pkg::BEATS,
  localparam int unsigned BEAT_W   = mem_pkg::BEAT_W,
  localparam int unsigned GSLOT_W  = mem_pkg::GSLOT_W,
  localparam int unsigned ROW_W    = mem_pkg::GROW_W,
  localparam int unsigned ADDR_W   = mem_pkg::ADDR_W,
  localparam int unsigned KEY_W    = mem_pkg::VKEY_W
) (
  input  logic                          clk_i,
  input  logic                          rst_ni,
  // from the check: addresses of a row of lanes
  input  logic                          ck_row_valid_i,
  input  logic [mem_pkg::GROW_W-1:0]    ck_row_i,      // gslot * BEATS + beat
  input  logic [LANES-1:0][ADDR_W-1:0]  ck_addr_i,     // key and byte
  input  logic [LANES-1:0]              ck_lanes_i,    // that execute
  input  logic [LANES-1:0]              ck_local_i,    // in local memory
  // from and to global_track: the next instruction
  input  logic                          go_valid_i,
  output logic                          go_pop_o,
  input  logic [GSLOT_W-1:0]            go_slot_i,
  input  logic [BEATS-1:0]              go_rows_i,     // rows with lanes
  input  logic [BEAT_W-1:0]             go_beat_i,     // the first of them
  input  logic [BEATS-1:0]              go_rows_local_i, // rows with lanes in local memory, if more than a word is wanted
  input  logic [1:0]                    go_words_i,    // walks, minus one
  // from and to line_waits, where there are pages: an instruction to walk again
  input  logic                          rt_valid_i,
  output logic                          rt_ready_o,
  input  logic [GSLOT_W-1:0]            rt_slot_i,
  input  logic [BEATS-1:0]              rt_rows_i,     // rows with lanes that were put off
  input  logic [BEAT_W-1:0]             rt_beat_i,     // the first of them
  // from and to line_translate: such lanes of the row that is read
  output logic [ROW_W-1:0]              lf_row_o,
  input  logic [LANES-1:0]              lf_lanes_i,
  // to line_request, or line_translate: the lanes of a row that lie in the line
  output logic                          co_valid_o,
  input  logic                          co_ready_i,
  output mem_pkg::walk_t                co_o,
  output logic [KEY_W-1:0]              co_key_o,      // the line, before it is translated
  output logic                          co_again_o     // its instruction is walked again
);

  localparam bit          MATCH = LANES <= 8;
  localparam int unsigned PAIRS = MATCH ? LANES * (LANES - 1) / 2 : 1;   // of lanes k < l: bit l(l-1)/2 + k

  logic                              busy_q, first_q, take, end_take, final_row, finish, at_last, again, open, load;
  logic [1:0]                        part_q, words_q;
  logic [GSLOT_W-1:0]                slot_q;
  // Rows, one-hot: the one here, the next one, and the first of the instruction that comes.
  logic [BEATS-1:0]                  here_q, next_q, go_here;
  logic [BEATS-1:0]                  has_q, local_has_q;             // rows with waiting lanes; with lanes in local memory
  logic [BEATS-1:0]                  scan_q;                         // rows that this line has not been compared with
  logic [BEATS-1:0]                  seen_q;                         // rows of which some lanes have gone: the others are kept
  logic                              next_valid_q, more_q;           // there is a next row; and it may have lanes of this line
  // The candidates for next_q in the cycle after: the lowest row that waits and is new to this line; that waits at all, without and
  // with the one here; the second of the instruction that comes; the first of the next word of a walk.
  logic [BEATS-1:0]                  unseen, unseen_next, waits, waits_next, waits_next_here, go_next, local_next;
  logic                              unseen_any, waits_any, waits_any_here, go_more, local_any;
  logic                              fresh, begins, repeats, follows;
  logic [BEAT_W-1:0]                 beat_q, next;
  logic [KEY_W-1:0]                  line, line_q, lead_line;    // but for the word of a walk
  logic [LANES-1:0][ADDR_W-1:0]      addr;
  logic [LANES-1:0][6:0]             offset;
  logic                              lead_q;                         // the leader is in this row
  logic [LANES-1:0]                  kept, own_lanes, all_lanes, local_lanes, next_lanes;
  logic [LANES-1:0]                  row_q, group, left;             // lanes of the row that wait: all, of the line, the others
  logic                              some_left;
  // The instruction that comes: one that is walked again, or a new one.
  logic                              in_valid, in_pop, in_again, again_q;
  logic [GSLOT_W-1:0]                in_slot;
  logic [BEATS-1:0]                  in_rows, in_rows_local;
  logic [BEAT_W-1:0]                 in_beat;
  logic [1:0]                        in_words;

  assign in_again      = mem_pkg::PAGED && rt_valid_i;
  assign in_valid      = in_again || go_valid_i;
  assign in_slot       = in_again ? rt_slot_i : go_slot_i;
  assign in_rows       = in_again ? rt_rows_i : go_rows_i;
  assign in_beat       = in_again ? rt_beat_i : go_beat_i;
  assign in_rows_local = in_again ? '0 : go_rows_local_i;    // local memory is never put off
  assign in_words      = in_again ? '0 : go_words_i;

  assign take     = busy_q && (co_ready_i || !co_valid_o);
  // A final row always has something to say: that it is taken does not wait for the lanes of its line, and whether it is the last
  // waits for that alone.
  assign end_take = busy_q && co_ready_i && final_row;
  assign at_last  = part_q == words_q;
  assign finish   = (end_take && !next_valid_q && at_last) && !some_left;
  assign again    = (end_take && !next_valid_q && !at_last) && !some_left;   // the next word
  // An instruction is taken behind the last row of the one before, if no lane of that is left. That comes last, from the addresses,
  // so it chooses between what is ready for either case. All that an instruction brings is taken whether there is one or not.
  assign open     = !next_valid_q && (!busy_q || (co_ready_i && final_row && at_last));
  assign load     = open && !some_left;
  assign in_pop   = in_valid && load;
  assign go_pop_o = go_valid_i && load && !in_again;
  assign rt_ready_o = load;

  // ---- the row here, and the next one: the lowest with waiting lanes that this line has not seen; behind its last row the
  // lowest that still has some. This row is that again if no other has. Which row is next is worked out a cycle ahead, for a row
  // here that waits on and for one that does not: whether some of its lanes are left chooses between the two.
  assign some_left = left != '0;

  assign unseen  = has_q & ~here_q & ~next_q & scan_q;
  assign waits   = has_q & ~here_q & ~next_q;

  lowest_one #(.N(BEATS)) u_unseen (
    .in_i     (unseen),
    .onehot_o (unseen_next),
    .index_o  (),
    .any_o    (unseen_any)
  );
  lowest_one #(.N(BEATS)) u_waits (
    .in_i     (waits),
    .onehot_o (waits_next),
    .index_o  (),
    .any_o    (waits_any)
  );
  lowest_one #(.N(BEATS)) u_waits_here (
    .in_i     (waits | here_q),
    .onehot_o (waits_next_here),
    .index_o  (),
    .any_o    (waits_any_here)
  );
  lowest_one #(.N(BEATS)) u_local (
    .in_i     (local_has_q),
    .onehot_o (local_next),
    .index_o  (),
    .any_o    (local_any)
  );
  lowest_one #(.N(BEATS)) u_go_next (
    .in_i     (in_rows & ~go_here),
    .onehot_o (go_next),
    .index_o  (),
    .any_o    (go_more)
  );

  // Without another row the next one counts only where there is an instruction, or another word of a walk.
  always_ff @(posedge clk_i) begin
    if (take && next_valid_q) next_q <= (unseen_any && more_q) ? unseen_next : some_left ? waits_next_here : waits_next;
    else if (!next_valid_q && `HEDDLE_LIVE(take || in_pop)) next_q <= open ? go_next : local_next;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      next_valid_q <= 1'b0;
      more_q   <= 1'b0;
    end else if (take || !next_valid_q) begin
      next_valid_q <= follows;
      more_q   <= (more_q && next_valid_q) ? unseen_any : follows;
    end
  end

  // Whether another row follows.
  assign begins  = in_valid && open && go_more;
  assign repeats = co_ready_i && final_row && !at_last && local_any && BEATS > 1;
  assign follows = some_left ? next_valid_q && waits_any_here : next_valid_q ? waits_any : begins || (busy_q && repeats);

  onehot_index #(.N(BEATS)) u_next (
    .onehot_i (next_q),
    .index_o  (next)
  );
  assign go_here = BEATS'(1) << in_beat;

  logic [PAIRS-1:0] pairs, same;     // lanes that share a line
  logic [ROW_W-1:0] row, next_row;   // that is read, of those that lie here

  // Addresses are taken as soon as those that stand here are done with, whether any follow or not. Where no other row waits, an
  // instruction that follows may be taken: its first row is read.
  assign fresh = next_valid_q ? take : !busy_q || ((BEATS == 1) ? finish : end_take && !some_left);

  ram_apart #(.WIDTH(LANES * ADDR_W + PAIRS), .DEPTH(mem_pkg::GROWS), .RACE(1'b1)) u_addr (
    .clk_i     (clk_i),
    .rst_ni    (rst_ni),
    .wr_en_i   (ck_row_valid_i),
    .wr_addr_i (ck_row_i),
    .wr_data_i ({pairs, ck_addr_i}),
    .rd_en_i   (fresh && `HEDDLE_LIVE(in_pop || (take && next_valid_q))),
    .rd_addr_i (row),
    .rd_data_o ({same, addr})
  );

  // Lanes of a row: all, those in local memory (for the words of a walk but the first), and what is left where some have gone.
  assign next_row = ROW_W'(32'(slot_q) * BEATS + 32'(next));
  assign row      = next_valid_q ? next_row : ROW_W'(32'(in_slot) * BEATS + 32'(in_beat));

  ram_live #(.WIDTH(LANES), .DEPTH(mem_pkg::GROWS)) u_lanes (
    .clk_i     (clk_i),
    .wr_en_i   (ck_row_valid_i),
    .wr_addr_i (ck_row_i),
    .wr_data_i (ck_lanes_i),
    .rd_live_i (in_pop || take),
    .rd_addr_i (row),
    .rd_data_o (own_lanes)
  );
  ram_live #(.WIDTH(LANES), .DEPTH(mem_pkg::GROWS)) u_local_lanes (
    .clk_i     (clk_i),
    .wr_en_i   (ck_row_valid_i),
    .wr_addr_i (ck_row_i),
    .wr_data_i (ck_lanes_i & ck_local_i),
    .rd_live_i (take && words_q != '0),
    .rd_addr_i (next_row),
    .rd_data_o (local_lanes)
  );

  assign lf_row_o  = row;
  assign all_lanes = (mem_pkg::PAGED && (next_valid_q ? again_q : in_again)) ? lf_lanes_i : own_lanes;

  if (BEATS > 1) begin : gen_kept
    ram_live #(.WIDTH(LANES), .DEPTH(BEATS)) u_kept (
      .clk_i     (clk_i),
      .wr_en_i   (take && (next_valid_q || some_left)),
      .wr_addr_i (beat_q),
      .wr_data_i (left),
      .rd_live_i (take && next_valid_q),
      .rd_addr_i (next),
      .rd_data_o (kept)
    );
    always_ff @(posedge clk_i) begin
      if (`HEDDLE_LIVE(take || in_pop)) begin
        if (next_valid_q || some_left) seen_q <= seen_q | (here_q & {BEATS{take}});
        else if (!busy_q || end_take)  seen_q <= '0;
      end
    end
  end else begin : gen_one
    assign kept   = '0;
    assign seen_q = '0;
  end
  assign next_lanes = ((seen_q & next_q) != '0) ? kept : (part_q != '0) ? local_lanes : all_lanes;

  // Behind an instruction's last row stands what the next one brings, or another word of a walk; with several rows it is known a
  // cycle later which of them is that word's first.
  always_ff @(posedge clk_i) begin
    if (take && next_valid_q)                  row_q <= next_lanes;
    else if (open && `HEDDLE_LIVE(in_valid)) row_q <= some_left ? left : all_lanes;
    else if (take)                             row_q <= some_left ? left : (BEATS > 1) ? '0 : local_lanes;
    if (next_valid_q ? take : `HEDDLE_LIVE(take || in_pop) && ((fresh && BEATS > 1) || !busy_q)) begin
      here_q <= next_valid_q ? next_q : open ? go_here : '0;
      beat_q <= next_valid_q ? next : in_beat;
    end
  end

  // ---- leader and the lanes of its line --------------------------------------------------------
  // The line is that of the lowest lane of the row with which it begins; for other rows it is kept.
  logic [LANES-1:0]            lead, like;       // like: in the leader's line, by pairs
  logic [$clog2(LANES)-1:0]    lead_index;
  logic [LANES-1:0][KEY_W-1:0] keys;

  always_comb begin
    pairs = 'x;
    `HEDDLE_ONLY(ck_row_valid_i) begin
      pairs = '0;
      for (int unsigned l = 1; l < LANES; l++) begin
        for (int unsigned k = 0; k < l; k++) begin
          if (MATCH) pairs[l*(l-1)/2+k] = ck_addr_i[l][ADDR_W-1:7] == ck_addr_i[k][ADDR_W-1:7];
        end
      end
    end
  end

  assign lead = row_q & (~row_q + LANES'(1));

  for (genvar l = 0; l < LANES; l++) begin : gen_key
    assign keys[l] = addr[l][ADDR_W-1:7];
  end
  onehot_index #(.N(LANES)) u_lead (
    .onehot_i (lead),
    .index_o  (lead_index)
  );
  choice #(.WIDTH(KEY_W), .N(LANES)) u_line (
    .live_i (busy_q && lead_q),
    .sel_i  (lead_index),
    .data_i (keys),
    .also_i ('0),
    .data_o (lead_line)
  );
  assign line = lead_q ? lead_line : line_q;

  always_comb begin
    like = lead;
    if (MATCH) begin
      for (int unsigned l = 1; l < LANES; l++) begin
        for (int unsigned k = 0; k < l; k++) begin
          if (lead[k] && same[l*(l-1)/2+k]) like[l] = 1'b1;
        end
      end
    end
  end

  always_comb begin
    group = '0;
    left  = '0;
    `HEDDLE_IDLE(offset, 'x);
    `HEDDLE_ONLY(busy_q) begin
      for (int unsigned l = 0; l < LANES; l++) begin
        automatic logic in_line = (MATCH && lead_q) ? like[l] : addr[l][ADDR_W-1:7] == (MATCH ? line_q : line);
        offset[l] = addr[l][6:0];
        group[l]  = busy_q && row_q[l] && in_line;
        left[l]   = busy_q && row_q[l] && !in_line;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (take || !busy_q) lead_q <= !next_valid_q || !more_q || here_q == '0;
    if (lead_q && `HEDDLE_LIVE(take)) line_q <= lead_line;
  end

  assign co_valid_o = busy_q && (group != '0 || final_row);   // other rows have nothing to say
  assign final_row  = !more_q;
  assign co_again_o = again_q;

  // The words of a walk through local memory are lines that follow each other.
  always_comb begin
    co_o     = 'x;
    co_key_o = 'x;
    `HEDDLE_ONLY(busy_q) begin
      co_key_o       = lead_line | KEY_W'(part_q);
      co_o.slot      = slot_q;
      co_o.row       = beat_q;
      co_o.key       = co_key_o[mem_pkg::KEY_W-1:0];
      co_o.lanes     = group;
      co_o.offset    = offset;
      co_o.part      = part_q;
      co_o.first     = first_q;
      co_o.final_row = final_row;
      co_o.last_line = !next_valid_q && !some_left && at_last;
    end
  end

  always_ff @(posedge clk_i) begin
    if (load && `HEDDLE_LIVE(in_valid)) begin
      slot_q  <= in_slot;
      local_has_q <= in_rows_local;
      part_q  <= '0;
      words_q <= in_words;
      scan_q  <= '1;
      first_q <= 1'b1;
    end else if (take) begin
      scan_q   <= final_row ? '1 : scan_q & ~here_q;
      first_q  <= final_row || here_q == '0;
      if (again) part_q <= part_q + 2'd1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (`HEDDLE_LIVE(take || in_pop) && !some_left && (next_valid_q ? take : !busy_q || end_take)) begin
      has_q <= next_valid_q ? has_q & ~here_q : open ? in_rows : local_has_q;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni)   busy_q <= 1'b0;
    else if (load) busy_q <= in_valid;
  end

  always_ff @(posedge clk_i) begin
    if (load && in_valid) again_q <= in_again;
  end

  // A line's first row is the leader's.
  `ASSERT(a_first, !co_valid_o || first_q == lead_q)

endmodule
