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
// It does not look at sectors of other instructions: gmem orders them. Addresses lie here from the
// check on.
`default_nettype none
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
  // from and to global_track: the next instruction
  input  logic                          go_valid_i,
  output logic                          go_pop_o,
  input  logic [GSLOT_W-1:0]            go_slot_i,
  input  logic                          go_store_i,
  input  logic [31:0]                   go_exec_i,
  input  logic [BEAT_W-1:0]             go_beat_i,     // the first row with lanes
  input  logic [31:0]                   go_local_i,    // those in local memory, if more than a word is wanted
  input  logic [1:0]                    go_words_i,    // walks, minus one
  // to store_merge: the lanes of a row that lie in the sector
  output logic                          co_valid_o,
  input  logic                          co_ready_i,
  output logic [GSLOT_W-1:0]            co_slot_o,
  output logic [BEAT_W-1:0]             co_beat_o,
  output logic [KEY_W-1:0]              co_sector_o,
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

  logic                              busy_q, store_q, first_q, begin_q, take, end_take, finish, at_last, again;
  logic [1:0]                        part_q, words_q;
  logic [BEATS-1:0][LANES-1:0]       local_q, go_rows;
  logic [GSLOT_W-1:0]                slot_q;
  logic [BEATS-1:0][LANES-1:0]       pend_q;
  logic [BEATS-1:0]                  scan_q, has_q, hot_q, go_has, go_hot;   // has_q: rows with waiting lanes
  // The next row, and whether there is one, at all and of this sector; and what it will be in the next cycle.
  logic [BEATS-1:0]                  next_q, seek, rest, local_has, go_next, seek_next, rest_next, local_next;
  logic                              others_q, todo_q, stays, fresh, go_more, seek_any, rest_any, local_any;
  logic [BEAT_W-1:0]                 beat_q, next;
  logic [KEY_W-1:0]                  sector_q, read_sector, stay_sector;   // but for the word of a walk
  logic [LANES-1:0][40:0]            read, addr_q;
  logic [LANES-1:0]                  row_q, group, unlike, read_row, stay_row, read_lead, stay_lead;   // row_q: lanes of the row that wait
  logic [3:0][BEAT_W-1:0]            unused_index;

  assign take     = busy_q && (co_ready_i || !co_valid_o);
  // A final row always has something to say: that it is taken does not wait for who shares its sector, and whether it is the last
  // waits for that alone.
  assign end_take = busy_q && co_ready_i && co_final_o;
  assign at_last  = part_q == words_q;
  assign finish   = (end_take && !others_q && at_last) && !stays;
  assign again    = (end_take && !others_q && !at_last) && !stays;   // the next word
  assign go_pop_o = go_valid_i && (!busy_q || finish);

  // ---- the row here, and the next one: the lowest with waiting lanes that this sector has not seen; behind its last row the
  // lowest that still has some. This row is that again if no other has. Which row is next is worked out a cycle ahead: what this
  // cycle finds says only whether this row is among those that still wait.
  for (genvar b = 0; b < BEATS; b++) begin : gen_beat
    assign go_rows[b] = go_exec_i[b*LANES +: LANES];
  end
  always_comb begin
    go_has = 'x;
    `HEDDLE_ONLY(go_pop_o) begin
      for (int unsigned b = 0; b < BEATS; b++) go_has[b] = go_rows[b] != '0;
    end
  end
  always_comb begin
    local_has = 'x;
    `HEDDLE_ONLY(take && !others_q) begin
      for (int unsigned b = 0; b < BEATS; b++) local_has[b] = local_q[b] != '0;
    end
  end
  assign stays = unlike != '0;
  assign seek  = has_q & ~hot_q & ~next_q & scan_q;
  assign rest  = (has_q & ~hot_q & ~next_q) | (stays ? hot_q : '0);

  lowest_one #(.N(BEATS)) u_seek (
    .in_i     (seek),
    .onehot_o (seek_next),
    .index_o  (unused_index[0]),
    .any_o    (seek_any)
  );
  lowest_one #(.N(BEATS)) u_rest (
    .in_i     (rest),
    .onehot_o (rest_next),
    .index_o  (unused_index[1]),
    .any_o    (rest_any)
  );
  lowest_one #(.N(BEATS)) u_local (
    .in_i     (local_has),
    .onehot_o (local_next),
    .index_o  (unused_index[2]),
    .any_o    (local_any)
  );
  lowest_one #(.N(BEATS)) u_go_next (
    .in_i     (go_has & ~go_hot),
    .onehot_o (go_next),
    .index_o  (unused_index[3]),
    .any_o    (go_more)
  );

  always_ff @(posedge clk_i) begin
    if (go_pop_o)                       next_q <= go_next;
    else if (take && others_q)          next_q <= (seek_any && todo_q) ? seek_next : rest_next;
    else if (take)                      next_q <= local_next;   // counts behind a walk's word alone
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      others_q <= 1'b0;
      todo_q   <= 1'b0;
    end else if (go_pop_o) begin
      others_q <= go_more;
      todo_q   <= go_more;
    end else if (take && others_q) begin
      others_q <= rest_any;
      todo_q   <= todo_q ? seek_any : rest_any;
    end else if (take) begin
      others_q <= again && local_any && BEATS > 1;
      todo_q   <= again && local_any && BEATS > 1;
    end
  end

  onehot_index #(.N(BEATS)) u_next (
    .onehot_i (next_q),
    .index_o  (next)
  );
  assign go_hot = BEATS'(1) << go_beat_i;

  // Where no other row waits, an instruction that follows may be taken: its first row is read.
  ram_live #(.WIDTH(LANES * 41), .DEPTH(mem_pkg::GROWS)) u_addr (
    .clk_i     (clk_i),
    .wr_en_i   (ck_row_valid_i),
    .wr_addr_i (ck_row_i),
    .wr_data_i (ck_addr_i),
    .rd_live_i (go_pop_o || (take && others_q)),
    .rd_addr_i (others_q ? ROW_W'(32'(slot_q) * BEATS + 32'(next)) : ROW_W'(32'(go_slot_i) * BEATS + 32'(go_beat_i))),
    .rd_data_o (read)
  );

  // Addresses are taken as soon as those that stand here are done with, whether any follow or not.
  assign fresh = others_q ? take : !busy_q || ((BEATS == 1) ? finish : end_take && !stays);

  always_ff @(posedge clk_i) begin
    if (fresh && `HEDDLE_LIVE(go_pop_o || (take && others_q))) addr_q <= read;
  end

  always_ff @(posedge clk_i) begin
    if (go_pop_o) begin
      row_q  <= go_rows[go_beat_i];
      hot_q  <= go_hot;
      beat_q <= go_beat_i;
    end else if (take) begin
      if (others_q) begin
        row_q  <= pend_q[next];
        hot_q  <= next_q;
        beat_q <= next;
      end else begin
        row_q  <= again ? local_q[0] : row_q & ~group;
        // With several rows it is known a cycle later which of them is the first.
        if (again && BEATS > 1) begin
          row_q <= '0;
          hot_q <= '0;
        end
      end
    end
  end

  // ---- leader and those who share its sector ----------------------------------------------------
  // Whose sector it is that counts next is known before a row stands here: the lowest lane's, of the row that is read, or of
  // what stays of this one.
  assign read_row  = others_q ? pend_q[next] : go_rows[go_beat_i];
  assign stay_row  = (BEATS == 1 && again) ? local_q[0] : row_q & ~group;
  assign read_lead = read_row & (~read_row + LANES'(1));
  assign stay_lead = stay_row & (~stay_row + LANES'(1));

  // Each is looked at only as a row is read, or as one stays.
  always_comb begin
    read_sector = 'x;
    `HEDDLE_ONLY(go_pop_o || (take && others_q)) begin
      read_sector = '0;
      for (int unsigned l = 0; l < LANES; l++) read_sector |= read[l][40:5] & {KEY_W{read_lead[l]}};
    end
  end

  always_comb begin
    stay_sector = 'x;
    `HEDDLE_ONLY(take && !others_q) begin
      stay_sector = '0;
      for (int unsigned l = 0; l < LANES; l++) stay_sector |= addr_q[l][40:5] & {KEY_W{stay_lead[l]}};
    end
  end

  always_ff @(posedge clk_i) begin
    if (go_pop_o)                     sector_q <= read_sector;
    else if (take && !others_q)       sector_q <= stay_sector;
    else if (take && (!todo_q || hot_q == '0)) sector_q <= read_sector;
  end

  assign co_sector_o = sector_q | KEY_W'({part_q, 2'd0});

  always_comb begin
    group       = '0;
    unlike      = '0;
    `HEDDLE_IDLE(co_offset_o, 'x);
    `HEDDLE_ONLY(busy_q) begin
      for (int unsigned l = 0; l < LANES; l++) begin
        co_offset_o[l] = addr_q[l][4:0];
        group[l]       = busy_q && row_q[l] && addr_q[l][40:5] == sector_q;
        unlike[l]      = row_q[l] && addr_q[l][40:5] != sector_q;
      end
    end
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
    if (go_pop_o) begin
      slot_q  <= go_slot_i;
      store_q <= go_store_i;
      pend_q  <= go_exec_i;
      has_q   <= go_has;
      local_q <= go_local_i;
      part_q  <= '0;
      words_q <= go_words_i;
      scan_q  <= '1;
      first_q <= 1'b1;
      begin_q <= 1'b1;
    end else if (take) begin
      scan_q   <= co_final_o ? '1 : scan_q & ~hot_q;
      first_q  <= co_final_o || hot_q == '0;
      begin_q  <= begin_q && !co_final_o;
      for (int unsigned b = 0; b < BEATS; b++) begin
        if (hot_q[b]) pend_q[b] <= pend_q[b] & ~group;
        if (hot_q[b]) has_q[b]  <= stays;
      end
      if (again) begin
        pend_q <= local_q;
        has_q  <= local_has;
        part_q <= part_q + 2'd1;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) busy_q <= 1'b0;
    else         busy_q <= go_pop_o || (busy_q && !finish);
  end

endmodule

`default_nettype wire
