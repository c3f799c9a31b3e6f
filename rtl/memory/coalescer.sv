// SPDX-License-Identifier: Apache-2.0
// Walks global instructions, in order, and groups their lanes by 32-byte sector, lowest lane
// first: a row of lanes a cycle is compared with the sector of the leader, the lowest lane that
// waits; rows without waiting lanes are passed over. Local memory keeps the words of a thread apart: an access of two or
// four of them is walked as often, a word each time, by the lanes that have one there.
// Latency: one cycle to the first row. A sector takes as many cycles as rows hold waiting lanes
// from the leader's on; with one row (32 lanes) that is a sector a cycle. The addresses of the next row are read while one is
// compared; with several rows the next word of an access to local memory costs a cycle.
// Handshake: an instruction is taken from global_track by pop; rows of a sector go out
// valid/ready.
// It does not look at sectors of other instructions: gmem orders them. Addresses and lanes lie here, row by row, from the
// check on.
`default_nettype none
`include "heddle_assert.svh"
`include "heddle_idle.svh"

module coalescer #(
  localparam int unsigned LANES    = cfg_pkg::LSU_LANES,
  localparam int unsigned BEATS    = mem_pkg::BEATS,
  localparam int unsigned BEAT_W   = mem_pkg::BEAT_W,
  localparam int unsigned GSLOT_W  = mem_pkg::GSLOT_W,
  localparam int unsigned KEY_W    = mem_pkg::KEY_W
) (
  input  logic                          clk_i,
  input  logic                          rst_ni,
  // from the check: addresses of a row of lanes
  input  logic                          ck_row_valid_i,
  input  logic [mem_pkg::GROW_W-1:0]    ck_row_i,      // gslot * BEATS + beat
  input  logic [LANES-1:0][40:0]        ck_addr_i,     // key and byte
  input  logic [LANES-1:0]              ck_lanes_i,    // that execute
  input  logic [LANES-1:0]              ck_local_i,    // in local memory
  // from and to global_track: the next instruction
  input  logic                          go_valid_i,
  output logic                          go_pop_o,
  input  logic [GSLOT_W-1:0]            go_slot_i,
  input  logic                          go_store_i,
  input  logic [BEATS-1:0]              go_rows_i,     // rows with lanes
  input  logic [BEAT_W-1:0]             go_beat_i,     // the first of them
  input  logic [BEATS-1:0]              go_rows_local_i, // rows with lanes in local memory, if more than a word is wanted
  input  logic [1:0]                    go_words_i,    // walks, minus one
  // to store_merge: the lanes of a row that lie in the sector
  output logic                          co_valid_o,
  input  logic                          co_ready_i,
  output logic [GSLOT_W-1:0]            co_slot_o,
  output logic [BEAT_W-1:0]             co_beat_o,
  output logic [KEY_W-1:0]              co_sector_o,   // with co_first_o
  output logic [LANES-1:0]              co_lanes_o,
  output logic [LANES-1:0][4:0]         co_offset_o,   // of all lanes of the row
  output logic [1:0]                    co_part_o,     // the word, of accesses to local memory
  output logic                          co_store_o,
  output logic                          co_first_o,    // first row of the sector
  output logic                          co_final_o,    // last row of the sector
  output logic                          co_begin_o,    // first sector of the instruction
  output logic                          co_last_o,     // last sector of the instruction (with co_final_o)
  output logic                          idle_o
);

  localparam int unsigned ROW_W = mem_pkg::GROW_W;
  localparam bit          MATCH = LANES <= 8;
  localparam int unsigned PAIRS = MATCH ? LANES * (LANES - 1) / 2 : 1;

  logic                              busy_q, store_q, first_q, begin_q, take, end_take, finish, at_last, again, open, load;
  logic [1:0]                        part_q, words_q;
  logic [GSLOT_W-1:0]                slot_q;
  logic [BEATS-1:0]                  scan_q, has_q, hot_q, go_hot;   // has_q: rows with waiting lanes
  logic [BEATS-1:0]                  seen_q;                         // rows of which some lanes have gone: the others are kept
  logic [LANES-1:0]                  kept, all_lanes, local_lanes, next_lanes;
  // The next row, and whether there is one, at all and of this sector; and what it will be in the next cycle.
  logic [BEATS-1:0]                  next_q, seek, rest, local_has_q, go_next, seek_next, local_next;
  logic [1:0][BEATS-1:0]             rest_next;   // without and with the row here
  logic                              others_q, todo_q, stays, fresh, go_more, seek_any, local_any;
  logic [1:0]                        rest_any, follow;
  logic                              begins, repeats;
  logic [BEAT_W-1:0]                 beat_q, next;
  logic [KEY_W-1:0]                  sector, sector_q, lead_sector;   // but for the word of a walk
  logic [LANES-1:0][40:0]            addr;
  logic [LANES-1:0][KEY_W-1:0]       keys;
  logic [$clog2(LANES)-1:0]          lead_index;
  logic                              lead_q;                          // the leader is in this row
  logic [LANES-1:0]                  row_q, group, unlike, lead, like;   // row_q: lanes of the row that wait; like: in the leader's sector
  logic [4:0][BEAT_W-1:0]            unused_index;

  assign take     = busy_q && (co_ready_i || !co_valid_o);
  // A final row always has something to say: that it is taken does not wait for who shares its sector, and whether it is the last
  // waits for that alone.
  assign end_take = busy_q && co_ready_i && co_final_o;
  assign at_last  = part_q == words_q;
  assign finish   = (end_take && !others_q && at_last) && !stays;
  assign again    = (end_take && !others_q && !at_last) && !stays;   // the next word
  // Whether lanes of the row here stay is known last, and so is what it says: what follows from it is chosen by that alone. What
  // an instruction brings is taken whether there is one or not.
  assign open     = !others_q && (!busy_q || (co_ready_i && co_final_o && at_last));
  assign load     = open && !stays;
  assign go_pop_o = go_valid_i && load;

  // ---- the row here, and the next one: the lowest with waiting lanes that this sector has not seen; behind its last row the
  // lowest that still has some. This row is that again if no other has. Which row is next is worked out a cycle ahead: what this
  // cycle finds says only whether this row is among those that still wait.
  assign stays = unlike != '0;
  assign seek  = has_q & ~hot_q & ~next_q & scan_q;
  assign rest  = has_q & ~hot_q & ~next_q;

  lowest_one #(.N(BEATS)) u_seek (
    .in_i     (seek),
    .onehot_o (seek_next),
    .index_o  (unused_index[0]),
    .any_o    (seek_any)
  );
  lowest_one #(.N(BEATS)) u_rest (
    .in_i     (rest),
    .onehot_o (rest_next[0]),
    .index_o  (unused_index[1]),
    .any_o    (rest_any[0])
  );
  lowest_one #(.N(BEATS)) u_rest_here (
    .in_i     (rest | hot_q),
    .onehot_o (rest_next[1]),
    .index_o  (unused_index[4]),
    .any_o    (rest_any[1])
  );
  lowest_one #(.N(BEATS)) u_local (
    .in_i     (local_has_q),
    .onehot_o (local_next),
    .index_o  (unused_index[2]),
    .any_o    (local_any)
  );
  lowest_one #(.N(BEATS)) u_go_next (
    .in_i     (go_rows_i & ~go_hot),
    .onehot_o (go_next),
    .index_o  (unused_index[3]),
    .any_o    (go_more)
  );

  // Without another row the next one counts only where there is an instruction, or another word of a walk.
  always_ff @(posedge clk_i) begin
    if (take && others_q)                  next_q <= (seek_any && todo_q) ? seek_next : rest_next[stays];
    else if (!others_q && `HEDDLE_LIVE(take || go_pop_o)) next_q <= open ? go_next : local_next;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      others_q <= 1'b0;
      todo_q   <= 1'b0;
    end else if (take || !others_q) begin
      others_q <= stays ? follow[1] : follow[0];
      todo_q   <= (todo_q && others_q) ? seek_any : stays ? follow[1] : follow[0];
    end
  end

  // Whether another row follows, without and with lanes that stay.
  assign begins  = go_valid_i && open && go_more;
  assign repeats = co_ready_i && co_final_o && !at_last && local_any && BEATS > 1;
  assign follow  = {others_q && rest_any[1], others_q ? rest_any[0] : begins || (busy_q && repeats)};

  onehot_index #(.N(BEATS)) u_next (
    .onehot_i (next_q),
    .index_o  (next)
  );
  assign go_hot = BEATS'(1) << go_beat_i;

  // Which lanes of a row share a sector is found as it comes, each pair once, where the lanes are few: what block RAM answers is
  // late, and so the leader's row need not be compared with one of its addresses.
  logic [PAIRS-1:0] pairs, same;
  logic [ROW_W-1:0] row, next_row;   // that is read, of those that lie here

  always_comb begin
    pairs = 'x;
    `HEDDLE_ONLY(ck_row_valid_i) begin
      pairs = '0;
      for (int unsigned l = 1; l < LANES; l++) begin
        for (int unsigned k = 0; k < l; k++) begin
          if (MATCH) pairs[l*(l-1)/2+k] = ck_addr_i[l][40:5] == ck_addr_i[k][40:5];
        end
      end
    end
  end

  // Addresses are taken as soon as those that stand here are done with, whether any follow or not. Where no other row waits, an
  // instruction that follows may be taken: its first row is read.
  assign fresh = others_q ? take : !busy_q || ((BEATS == 1) ? finish : end_take && !stays);

  ram_apart #(.WIDTH(LANES * 41 + PAIRS), .DEPTH(mem_pkg::GROWS), .RACE(1'b1)) u_addr (
    .clk_i     (clk_i),
    .rst_ni    (rst_ni),
    .wr_en_i   (ck_row_valid_i),
    .wr_addr_i (ck_row_i),
    .wr_data_i ({pairs, ck_addr_i}),
    .rd_en_i   (fresh && `HEDDLE_LIVE(go_pop_o || (take && others_q))),
    .rd_addr_i (row),
    .rd_data_o ({same, addr})
  );

  // Lanes of a row: all, those in local memory (for the words of a walk but the first), and what is left where some have gone.
  assign next_row = ROW_W'(32'(slot_q) * BEATS + 32'(next));
  assign row      = others_q ? next_row : ROW_W'(32'(go_slot_i) * BEATS + 32'(go_beat_i));

  ram_live #(.WIDTH(LANES), .DEPTH(mem_pkg::GROWS)) u_lanes (
    .clk_i     (clk_i),
    .wr_en_i   (ck_row_valid_i),
    .wr_addr_i (ck_row_i),
    .wr_data_i (ck_lanes_i),
    .rd_live_i (go_pop_o || take),
    .rd_addr_i (row),
    .rd_data_o (all_lanes)
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

  if (BEATS > 1) begin : gen_kept
    ram_live #(.WIDTH(LANES), .DEPTH(BEATS)) u_kept (
      .clk_i     (clk_i),
      .wr_en_i   (take && (others_q || stays)),
      .wr_addr_i (beat_q),
      .wr_data_i (unlike),
      .rd_live_i (take && others_q),
      .rd_addr_i (next),
      .rd_data_o (kept)
    );
    always_ff @(posedge clk_i) begin
      if (`HEDDLE_LIVE(take || go_pop_o)) begin
        if (others_q || stays)       seen_q <= seen_q | (hot_q & {BEATS{take}});
        else if (!busy_q || end_take) seen_q <= '0;
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
    if (take && others_q)                          row_q <= next_lanes;
    else if (open && `HEDDLE_LIVE(go_valid_i))     row_q <= stays ? unlike : all_lanes;
    else if (take)                                 row_q <= stays ? unlike : (BEATS > 1) ? '0 : local_lanes;
    if (others_q ? take : `HEDDLE_LIVE(take || go_pop_o) && ((fresh && BEATS > 1) || !busy_q)) begin
      hot_q  <= others_q ? next_q : open ? go_hot : '0;
      beat_q <= others_q ? next : go_beat_i;
    end
  end

  // ---- leader and those who share its sector ----------------------------------------------------
  // The sector is that of the lowest lane of the row with which it begins; for other rows it is kept.
  assign lead = row_q & (~row_q + LANES'(1));

  for (genvar l = 0; l < LANES; l++) begin : gen_key
    assign keys[l] = addr[l][40:5];
  end
  onehot_index #(.N(LANES)) u_lead (
    .onehot_i (lead),
    .index_o  (lead_index)
  );
  choice #(.WIDTH(KEY_W), .N(LANES)) u_sector (
    .live_i (busy_q && lead_q),
    .sel_i  (lead_index),
    .data_i (keys),
    .also_i ('0),
    .data_o (lead_sector)
  );

  assign sector      = lead_q ? lead_sector : sector_q;
  assign co_sector_o = lead_sector | KEY_W'({part_q, 2'd0});

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
    group       = '0;
    unlike      = '0;
    `HEDDLE_IDLE(co_offset_o, 'x);
    `HEDDLE_ONLY(busy_q) begin
      for (int unsigned l = 0; l < LANES; l++) begin
        automatic logic in_sector = (MATCH && lead_q) ? like[l] : addr[l][40:5] == (MATCH ? sector_q : sector);
        co_offset_o[l] = addr[l][4:0];
        group[l]       = busy_q && row_q[l] && in_sector;
        unlike[l]      = busy_q && row_q[l] && !in_sector;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (take || !busy_q) lead_q <= !others_q || !todo_q || hot_q == '0;
    if (lead_q && `HEDDLE_LIVE(take)) sector_q <= lead_sector;
  end

  assign co_valid_o = busy_q && (group != '0 || co_final_o);   // other rows have nothing to say
  assign co_slot_o  = slot_q;
  assign co_beat_o  = beat_q;
  assign co_store_o = store_q;
  assign co_lanes_o = group;
  assign co_first_o = first_q;
  assign co_final_o = !todo_q;
  assign co_begin_o = begin_q;
  assign co_last_o  = !others_q && !stays && at_last;
  assign co_part_o  = part_q;
  assign idle_o     = !busy_q;

  always_ff @(posedge clk_i) begin
    if (load && `HEDDLE_LIVE(go_valid_i)) begin
      slot_q  <= go_slot_i;
      store_q <= go_store_i;
      local_has_q <= go_rows_local_i;
      part_q  <= '0;
      words_q <= go_words_i;
      scan_q  <= '1;
      first_q <= 1'b1;
      begin_q <= 1'b1;
    end else if (take) begin
      scan_q   <= co_final_o ? '1 : scan_q & ~hot_q;
      first_q  <= co_final_o || hot_q == '0;
      begin_q  <= begin_q && !co_final_o;
      if (again) part_q <= part_q + 2'd1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (`HEDDLE_LIVE(take || go_pop_o) && !stays && (others_q ? take : !busy_q || end_take)) begin
      has_q <= others_q ? has_q & ~hot_q : open ? go_rows_i : local_has_q;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni)   busy_q <= 1'b0;
    else if (load) busy_q <= go_valid_i;
  end

  // A sector's first row is the leader's.
  `ASSERT(a_first, !co_valid_o || co_first_o == lead_q)

endmodule

`default_nettype wire
