// SPDX-License-Identifier: Apache-2.0
// Are the addresses of a beat inside their space? One range is at hand, with base and limit: shared memory, local memory, a
// constant bank, or a region of the host's table. As an instruction arrives it is that of its space; for global memory, and
// for generic addresses, the one that its place in the program found last time. So instructions that go to different buffers
// in turns cost nothing. A beat with a lane outside is looked at again in the second stage: there the other ranges are tried,
// one a cycle, spaces before regions, lowest first, until every lane has passed or none is left.
// Latency: easy_o in the same cycle; a slow beat is done three cycles after move_i, and one more for each further range that is
// tried (regions in use alone; which these are is learnt after invalidate_i).
// Handshake: start_i is an event in the cycle before an instruction's first beat; move_i hands the beat of the first stage on;
// slow_i stands from the next cycle on, until done_o and leave_i, and no beat moves meanwhile. In a slow beat's last cycle the
// range of the next one is fetched: start_* show the instruction that begins then (here already, or still to arrive).
// It does not look at alignment or at address bits above 39.
`include "heddle_assert.svh"
`include "heddle_idle.svh"

module lsu_region #(
  localparam int unsigned LANES = cfg_pkg::LSU_LANES
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  // from the host
  input  logic                   invalidate_i,   // the table may have changed
  input  logic [23:0]            shared_bytes_i,
  input  logic [19:0]            local_bytes_i,
  output logic [3:0]             region_index_o, // the region of the requested range, answered at once
  input  logic [39:0]            region_base_i,
  input  logic [40:0]            region_limit_i,
  input  logic [15:0]            region_write_i,
  // an instruction begins
  input  logic                   start_i,
  input  mem_pkg::range_e        start_kind_i,
  input  logic                   start_generic_i,// beside start_kind_i
  input  logic [3:0]             start_pc_i,     // the lowest bits of its instruction number
  input  logic [4:0]             start_cbank_i,  // its constant bank
  input  logic [3:0][16:0]       cbank_bytes_i,
  // first stage: each lane's address
  input  logic [LANES-1:0]       need_i,
  input  logic [3:1][LANES-1:0]  flat_i,         // not global: in which space (mem_pkg::range_e)
  input  logic                   write_i,
  input  logic [LANES-1:0][39:0] addr_i,
  input  logic [3:0]             size_mask_i,
  output logic                   easy_o,         // all lie in the range at hand
  input  logic                   move_i,
  // second stage: what move_i handed on
  input  logic                   slow_i,
  input  logic [3:1][LANES-1:0]  ck_flat_i,
  input  logic                   ck_write_i,
  input  logic [LANES-1:0][39:0] ck_addr_i,
  input  logic [3:0]             ck_size_mask_i,
  input  logic [3:0]             ck_pc_i,
  input  logic                   ck_last_i,      // the instruction's last beat
  input  logic                   leave_i,
  output logic                   done_o,
  output logic [LANES-1:0]       left_o,         // lanes of need_i that did not pass
  output logic [LANES-1:0]       protect_o       // of these, those in a region without write permission
);

  localparam int unsigned RANGES = 18;   // shared memory, local memory, regions

  mem_pkg::range_t      range_q, fetched, next, start, hint, found_q, hit_range_q;
  logic [39:0]          base_q;
  logic [40:0]          limit;
  logic [7:0][40:0]     limits;       // of regions, shared and local memory, four constant banks, and of none
  logic [7:0]           limit_sel;
  logic                 write_q, fetch;

  // ---- lanes against the range at hand. An aligned access ends at its address | size_mask. --------
  logic [LANES-1:0]       need, mine, covered, need_q, hit_q, protect_q, passed_q, seen_q, passed;
  logic [3:1][LANES-1:0]  flat;
  logic [3:0]             size_mask;
  logic                   allowed;

  assign need      = slow_i ? need_q : need_i;
  assign flat      = slow_i ? ck_flat_i : flat_i;
  assign size_mask = slow_i ? ck_size_mask_i : size_mask_i;
  assign allowed   = range_q.kind != mem_pkg::RANGE_REGION || write_q || !(slow_i ? ck_write_i : write_i);

  always_comb begin
    unique case (range_q.kind)
      mem_pkg::RANGE_REGION: mine = need & ~(flat[1] | flat[2] | flat[3]);
      mem_pkg::RANGE_SHARED: mine = need & flat[1];
      mem_pkg::RANGE_LOCAL:  mine = need & flat[2];
      default:               mine = need & flat[3];
    endcase
  end

  always_comb begin
    covered = '0;
    `HEDDLE_ONLY(need != '0) begin
      for (int unsigned l = 0; l < LANES; l++) begin
        automatic logic [39:0] addr = slow_i ? ck_addr_i[l] : addr_i[l];
        covered[l] = mine[l] && addr >= base_q && {1'b0, addr[39:4], addr[3:0] | size_mask} < limit;
      end
    end
  end

  assign easy_o = (need_i & ~(allowed ? covered : '0)) == '0;

  // ---- second stage: what was found, a cycle later --------------------------------------------------
  logic               seek_q, moved_q, done_q, more, advance, close;
  logic [RANGES-1:0]  tried_q, others;
  logic [15:0]        used_q;
  logic [2:0]         want_q;      // ranges of which kind have lanes: shared, local, regions
  logic [4:0]         pick;

  assign passed    = passed_q | hit_q;
  assign left_o    = need_q & ~passed;
  assign protect_o = left_o & (seen_q | protect_q);
  assign done_o    = done_q;

  always_ff @(posedge clk_i) begin
    if (move_i || slow_i) begin
      hit_q       <= ((move_i || seek_q) && allowed) ? covered : '0;
      protect_q   <= ((move_i || seek_q) && !allowed) ? covered : '0;
      hit_range_q <= range_q;
      passed_q    <= move_i ? '0 : passed;
      seen_q      <= move_i ? '0 : seen_q | protect_q;
      if (move_i)                          found_q <= range_q;
      else if ((hit_q | protect_q) != '0)  found_q <= hit_range_q;
    end
    if (move_i) begin
      need_q    <= need_i;
      want_q[0] <= (need_i & flat_i[1]) != '0;
      want_q[1] <= (need_i & flat_i[2]) != '0;
      want_q[2] <= (need_i & ~(flat_i[1] | flat_i[2] | flat_i[3])) != '0;
    end
  end

  // ---- the next range to try ------------------------------------------------------------------------
  assign others  = {used_q & {16{want_q[2]}}, want_q[1:0]} & ~tried_q;
  assign advance = slow_i && !done_q && more;

  lowest_one #(.N(RANGES)) u_next (
    .in_i     (others),
    .onehot_o (),
    .index_o  (pick),
    .any_o    (more)
  );

  assign next.kind  = (pick == 5'd0) ? mem_pkg::RANGE_SHARED : (pick == 5'd1) ? mem_pkg::RANGE_LOCAL : mem_pkg::RANGE_REGION;
  assign next.index = 4'(pick - 5'd2);

  function automatic logic [RANGES-1:0] place(mem_pkg::range_t r);
    place = '0;
    unique case (r.kind)
      mem_pkg::RANGE_SHARED: place[0] = 1'b1;
      mem_pkg::RANGE_LOCAL:  place[1] = 1'b1;
      mem_pkg::RANGE_REGION: place[17:2] = 16'd1 << r.index;
      default:               place = '0;
    endcase
  endfunction

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      seek_q  <= 1'b0;
      done_q  <= 1'b0;
      moved_q <= 1'b0;
      used_q  <= '1;
    end else begin
      seek_q <= advance;
      if (move_i)       moved_q <= 1'b0;
      else if (advance) moved_q <= 1'b1;
      done_q <= slow_i && !leave_i && (done_q || left_o == '0 || (!more && !seek_q));
      if (invalidate_i) used_q <= '1;
      else if (seek_q && range_q.kind == mem_pkg::RANGE_REGION && limit == '0) used_q[range_q.index] <= 1'b0;
    end
  end
  always_ff @(posedge clk_i) begin
    if (move_i)       tried_q <= place(range_q);
    else if (advance) tried_q <= tried_q | place(next);
  end

  // ---- the range at hand ------------------------------------------------------------------------------
  // Behind a slow beat comes another of its instruction, which goes on where the last lanes were found, or another
  // instruction begins.
  assign close      = slow_i && leave_i;
  assign start.kind = start_generic_i ? hint.kind : start_kind_i;
  assign start.index = hint.index;

  // Looked at where a range is fetched.
  always_comb begin
    fetched = 'x;
    if (`HEDDLE_LIVE(slow_i || start_i)) begin
      if (slow_i && !done_q)          fetched = next;
      else if (slow_i && !ck_last_i)  fetched = found_q;
      else                            fetched = start;
    end
  end

  assign region_index_o = fetched.index;

  assign fetch = advance || (close && (ck_last_i || moved_q)) || (start_i && !slow_i);

  always_ff @(posedge clk_i) begin
    if (fetch) begin
      range_q <= fetched;
      write_q <= region_write_i[fetched.index];
      base_q  <= (fetched.kind == mem_pkg::RANGE_REGION) ? region_base_i : '0;
    end
  end

  // A constant bank that is not there has no bytes.
  always_comb begin
    limits    = 'x;
    limit_sel = 'x;
    `HEDDLE_ONLY(fetch) begin
      limits    = {41'd0, 41'(cbank_bytes_i[3]), 41'(cbank_bytes_i[2]), 41'(cbank_bytes_i[1]), 41'(cbank_bytes_i[0]),
                   41'(local_bytes_i), 41'(shared_bytes_i), region_limit_i};
      limit_sel = '0;
      unique case (fetched.kind)
        mem_pkg::RANGE_REGION: limit_sel[0] = 1'b1;
        mem_pkg::RANGE_SHARED: limit_sel[1] = 1'b1;
        mem_pkg::RANGE_LOCAL:  limit_sel[2] = 1'b1;
        default:               limit_sel[(start_cbank_i[4:2] != '0) ? 3'd7 : 3'd3 + 3'(start_cbank_i[1:0])] = 1'b1;
      endcase
    end
  end

  chosen #(.WIDTH(41), .N(8)) u_limit (
    .clk_i  (clk_i),
    .take_i (fetch),
    .sel_i  (limit_sel),
    .data_i (limits),
    .data_o (limit)
  );

  // Where each place in the program found its range; at first, and for as many cycles, region 0. All that is learnt in this cycle
  // counts already.
  logic            clearing_q, learn;
  logic [3:0]      clear_q;
  mem_pkg::range_t last;

  assign learn = close && moved_q;
  assign hint  = (slow_i && moved_q && start_pc_i == ck_pc_i) ? found_q : last;

  ram_async #(.WIDTH($bits(mem_pkg::range_t)), .DEPTH(16)) u_last (
    .clk_i     (clk_i),
    .wr_en_i   (clearing_q || learn),
    .wr_addr_i (clearing_q ? clear_q : ck_pc_i),
    .wr_data_i (clearing_q ? '0 : found_q),
    .rd_addr_i (start_pc_i),
    .rd_data_o (last)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      clearing_q <= 1'b1;
      clear_q    <= '0;
    end else begin
      if (invalidate_i)          clearing_q <= 1'b1;
      else if (clear_q == 4'd15) clearing_q <= 1'b0;
      if (clearing_q) clear_q <= clear_q + 4'd1;
    end
  end

  // A slow beat is alone in the second stage until it leaves, which it does when it is decided.
  `ASSERT(a_alone, !slow_i || !move_i)
  `ASSERT(a_leave, !close || done_q)

endmodule
