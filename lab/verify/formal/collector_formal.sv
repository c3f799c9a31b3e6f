// SPDX-License-Identifier: Apache-2.0
// rtl/operand/collector.sv, as `tiny` has it before its pipes: 16 places for the rows of two instructions. One is of alu
// and cvt, one of fma (LINE 1), with the claims that operand makes of its oldest row. Beside it rtl/issue/issue_room.sv,
// which counts what may go there. An instruction is in S1 before it issues, its rows come at any time later, in their
// order, early words before the last ones. Any row is followed, of it everything but words, and one bit of a word. The
// places are kept here at that address, what is read is that.
// config: tiny
// also collector_fma: tiny LINE=1
// memories: free
// without u_dut.gen_places.a_room: it is part of p_room, which says why
`include "properties.svh"

module collector_formal #(
  parameter int unsigned LINE = 0
) (
  input logic                                                  clk_i,
  input logic                                                  pick,       // a warp's next instruction
  input logic                                                  pick_gen,   // it has rows for a queue
  input logic                                                  pick_line,  // which one
  input logic                                                  leaves,     // S1 is left
  input logic                                                  issues,     // ... with an issue
  input logic [back_pkg::WORDS-1:0]                            take_words,
  input logic [back_pkg::WORDS-1:0][cfg_pkg::LANES-1:0][31:0]  words,
  input logic                                                  last,       // a row's last words
  input back_pkg::row_t                                        row,
  input logic                                                  rs_ok,
  input logic                                                  watch
);
  `RESET
  localparam int unsigned LANES = cfg_pkg::LANES, BEATS = cfg_pkg::BEATS, MOST = cfg_pkg::ROW_QUEUES;
  localparam int unsigned DEPTH = MOST * BEATS;
  localparam int unsigned HERE  = (LINE == 1) ? back_pkg::WORDS : back_pkg::WORDS - 1;
  // Those of alu and cvt are as many.
  localparam int unsigned PASSES = (LINE == 1) ? cfg_pkg::FMA_PASSES : cfg_pkg::ALU_PASSES;
  localparam int unsigned PASS   = LANES / PASSES;
  localparam int unsigned AT_W   = $clog2(DEPTH);
  bus_pkg::claim_t            claim;
  bus_pkg::line_t             line;
  logic                       leave, gone;
  logic [cfg_pkg::WARP_W-1:0] gone_slot;

  logic                       there;
  back_pkg::row_t             head;

  collector #(.WORDS(HERE), .DEPTH(DEPTH), .PIPES(back_pkg::pipes_of(LINE))) u_dut (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .ds_coming_i ('{take: take_words, words: words, last: last, into: '0, fma: 1'(LINE), row: row}),
    .ds_here_i   (1'b1),
    .op_valid_o  (there),
    .op_ready_i  (rs_ok),
    .keep_i      (1'b0),
    .op_row_o    (head),
    .op_line_o   (line)
  );
  assign claim     = bus_pkg::claim_of(there, head.dest);
  assign leave     = there && rs_ok;
  assign gone      = leave && head.dest.last;
  assign gone_slot = core_pkg::local_slot(head.dest.id.slot);

  // ---- S0, S1 and the count of places -----------------------------------------------------------------------
  issue_pkg::heads_t   heads;
  stage_pkg::s1_t      s1;
  stage_pkg::full_t    full;
  front_pkg::operand_t op;
  logic                s1_q, gen_q, line_q, mine, go, goes;
  always_comb begin
    heads = '0;
    heads.valid = '1;
    heads.flag.gen  = {cfg_pkg::WARPS{pick_gen}};
    heads.flag.line = {cfg_pkg::WARPS{pick_line}};
    s1           = '0;
    s1.valid     = s1_q;
    s1.head.gen  = gen_q;
    s1.head.line = line_q;
    go           = s1_q && leaves && issues;
    op           = '0;
    op.gone[LINE] = gone;
  end
  issue_room u_room (
    .clk_i(clk_i), .rst_ni(rst_ni), .ib_heads_i(heads), .wants_i('0), .s1_i(s1), .commit_i(go), .go_i(go), .op_i(op),
    .tc_full_i(1'b0), .un_starved_i(1'b0),
    .full_o(full)
  );
  assign mine = gen_q && line_q == 1'(LINE);
  assign goes = go && mine;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) s1_q <= 1'b0;
    else if (!s1_q || leaves) s1_q <= pick && !full.rows[0];
    if (!s1_q || leaves) {gen_q, line_q} <= {pick_gen, pick_line};
  end

  // ---- its rows: of each instruction BEATS ------------------------------------------------------------------
  logic [AT_W:0]          owed_q, rows_q;       // rows of what has issued that have not come; that wait
  logic [cfg_pkg::BEAT_W-1:0] came_q, went_q;   // of an instruction that comes, that leaves
  always_ff @(posedge clk_i) begin
    if (!rst_ni) {owed_q, rows_q, came_q, went_q} <= '0;
    else begin
      owed_q <= owed_q + (goes ? (AT_W+1)'(BEATS) : '0) - (AT_W+1)'(last);
      rows_q <= rows_q + (AT_W+1)'(last) - (AT_W+1)'(leave);
      came_q <= came_q + cfg_pkg::BEAT_W'(last);
      went_q <= went_q + cfg_pkg::BEAT_W'(leave);
    end
  end
  `GIVEN(g_owed, (take_words == '0 && !last) || owed_q != '0)
  `GIVEN(g_last, !last || row.dest.last == (came_q == '1))
  // A row is of one pipe of its line; of that of fma it may be of a register branch.
  function automatic logic of_line(back_pkg::row_t r);
    of_line = r.valid && $countones(r.dest.pipe) <= 1 && (r.dest.pipe != '0 || LINE == 1)
      && (r.dest.pipe & ~back_pkg::pipes_of(LINE)) == '0;
  endfunction
  `GIVEN(g_line, of_line(row))

  // ---- the memories, in one place; of all places which row ends an instruction ------------------------------
  logic [AT_W-1:0]              at_q;
  logic [1:0]                   word_q, lane_q;
  logic [4:0]                   bit_q;
  back_pkg::row_t               about_q;
  logic                         kept_q, here, given;
  logic [DEPTH-1:0]             ends_q;
  logic [back_pkg::WORDS-1:0]             wr, rd;                // a word is written, read there
  logic [back_pkg::WORDS-1:0][LANES-1:0][31:0] wr_data, rd_data;
  for (genvar w = 0; w < int'(back_pkg::WORDS); w++) begin : gen_word
    if (w < HERE) begin : gen_here
      assign wr[w]      = u_dut.gen_places.gen_word[w].gen_lut.u_words.wr_en_i && u_dut.gen_places.gen_word[w].gen_lut.u_words.wr_addr_i == at_q;
      assign wr_data[w] = u_dut.gen_places.gen_word[w].gen_lut.u_words.wr_data_i;
      assign rd[w]      = u_dut.gen_places.gen_word[w].gen_lut.u_words.rd_addr_i == at_q;
      assign rd_data[w] = u_dut.gen_places.gen_word[w].gen_lut.u_words.rd_data_o;
    end else begin : gen_none
      assign {wr[w], rd[w], wr_data[w], rd_data[w]} = '0;
    end
  end
  assign here  = u_dut.gen_places.tail_q == at_q;
  assign given = take_words[word_q];
  always_ff @(posedge clk_i) begin
    at_q   <= at_q;
    word_q <= word_q;
    lane_q <= lane_q;
    bit_q  <= bit_q;
    if (u_dut.gen_places.gen_row.u_row.wr_en_i && u_dut.gen_places.gen_row.u_row.wr_addr_i == at_q) about_q <= u_dut.gen_places.gen_row.u_row.wr_data_i;
    if (u_dut.gen_places.gen_row.u_row.wr_en_i) ends_q[u_dut.gen_places.gen_row.u_row.wr_addr_i] <= row.dest.last;
    if (wr[word_q]) kept_q <= wr_data[word_q][lane_q][bit_q];
  end
  `GIVEN(g_word, 32'(word_q) < HERE)
  `GIVEN(g_about, u_dut.gen_places.gen_row.u_row.rd_addr_i != at_q || head == about_q)
  `GIVEN(g_lines, !there || of_line(head))
  `GIVEN(g_kept, !rd[word_q] || rd_data[word_q][lane_q][bit_q] == kept_q)
  `GIVEN(g_ends, head.dest.last == ends_q[u_dut.gen_places.gen_row.u_row.rd_addr_i])

  // ---- a row that is followed: in the queue behind `before_q` others, then out for its passes ---------------
  logic            given_q, bit_now_q;     // of the row that comes: its bit
  logic            in_q, out_q, has_q, value_q;
  logic [AT_W-1:0] before_q;
  logic [2:0]      pass_q, left_q;
  back_pkg::row_t  row_q;
  logic            oldest, leaves_now;
  assign oldest     = in_q && before_q == '0;
  assign leaves_now = oldest && leave;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || last) given_q <= 1'b0;
    else if (given) given_q <= 1'b1;
    if (given) bit_now_q <= words[word_q][lane_q][bit_q];
    if (!rst_ni) in_q <= 1'b0;
    else if (!in_q && !out_q && last && here && watch) begin
      in_q     <= 1'b1;
      before_q <= AT_W'(rows_q) - AT_W'(leave);
      row_q    <= row;
      has_q    <= given_q || given;
      value_q  <= given ? words[word_q][lane_q][bit_q] : bit_now_q;
    end else if (in_q && leave) begin
      in_q     <= before_q != '0;
      before_q <= before_q - 1'b1;
    end
    if (!rst_ni) out_q <= 1'b0;
    else if (leaves_now) {out_q, pass_q} <= {1'b1, 3'd0};
    else if (out_q) {out_q, pass_q} <= {pass_q != 3'(PASSES - 1), pass_q + 3'd1};
    if (!rst_ni) left_q <= '0;
    else if (leave) left_q <= 3'(PASSES - 1);
    else if (left_q != '0) left_q <= left_q - 3'd1;
  end

  // Issue's count: instructions with a last row that has not left, and that in S1.
  logic [1:0]    in_room;
  logic [AT_W:0] counted;
  assign in_room = 2'(u_room.gen_queues.in_q[LINE]);
  assign counted = (owed_q + rows_q + (AT_W+1)'(went_q)) >> cfg_pkg::BEAT_W;

  // Rows that wait are one behind the other, every BEATS of them an instruction, and all that may come have places.
  // Its place holds the row; and so, lane by lane, does the output behind the queue.
  logic   exact, placed, timed, shown, passed;
  logic   turn;       // the lane is among those of this pass
  logic   read;       // the pipe reads the word
  logic [1:0] down;
  logic [3:0][LANES-1:0][31:0] out;
  assign out  = {line.words.x, line.words.c, line.words.b, line.words.a};
  assign turn = 32'(lane_q) >= 32'(pass_q) * PASS && 32'(lane_q) < 32'(pass_q) * PASS + PASS;
  assign down = 2'(32'(lane_q) - 32'(pass_q) * PASS);
  always_comb begin
    read = row_q.dest.pipe == '0;
    for (int p = 0; p < int'(cfg_pkg::PIPES); p++) if (row_q.dest.pipe[p]) read = back_pkg::reads_word(p, 32'(word_q));
  end
  always_comb begin
    exact  = u_dut.gen_places.rows_q == rows_q && 32'(rows_q) <= DEPTH && u_dut.gen_places.tail_q == u_dut.gen_places.head_q + AT_W'(rows_q)
      && 3'(u_dut.left_q) == left_q
      && (!given_q || !here || kept_q == bit_now_q)
      && 32'(owed_q) + 32'(rows_q) <= DEPTH && 32'(owed_q) + 32'(rows_q) + 32'(went_q) == BEATS * 32'(in_room)
      && 32'(in_room) + 32'(s1_q && mine) <= MOST && came_q == went_q + cfg_pkg::BEAT_W'(rows_q);
    for (int d = 0; d < int'(DEPTH); d++) begin
      if (d < int'(rows_q) && ends_q[u_dut.gen_places.head_q + AT_W'(d)] != (cfg_pkg::BEAT_W'(went_q + d) == '1)) exact = 1'b0;
    end
    placed = !in_q || (32'(before_q) < 32'(rows_q) && at_q == u_dut.gen_places.head_q + before_q && about_q == row_q
      && (!has_q || kept_q == value_q));
    timed  = !out_q || (!in_q && left_q == 3'(PASSES - 1) - pass_q);
    shown  = !out_q || (line.row.dest == row_q.dest && line.row.valid == (pass_q == '0) && line.row.ctl == row_q.ctl
      && line.more == (pass_q != '0) && 3'(line.left) == left_q);
    passed = !out_q || 32'(lane_q) < 32'(pass_q) * PASS || ((!has_q || !read || out[word_q][down][bit_q] == value_q)
      && {line.row.ps2[down], line.row.ps1[down], line.row.ps0[down]}
        == {row_q.ps2[lane_q], row_q.ps1[lane_q], row_q.ps0[lane_q]});
  end
  // Banks of its registers: of one, or of two.
  logic [cfg_pkg::BANKS-1:0] ports;
  always_comb begin
    ports = '0;
    if (row_q.dest.rd_en) begin
      ports[back_pkg::bank_of(row_q.dest.wreg)] = 1'b1;
      if (row_q.dest.rd_n != 2'd0) ports[back_pkg::bank_of(row_q.dest.wreg + 1'b1)] = 1'b1;
    end
  end

  // Rows leave in the order in which they came, each as it came: each in its turn, and what is then on the line.
  `PROVE(p_order, exact && placed && timed && shown)
  // As many wait as have come and have not left: none is lost, none leaves twice.
  `PROVE(p_count, exact && (rows_q != '0 || !leave))
  // Every lane of words that its pipe reads is at the lowest ones of the pipe in its pass; and so are its predicates.
  `PROVE(p_lanes, exact && placed && timed && passed)
  // The oldest row claims its pipe's cycle, the banks of its registers and the port of its predicates, until it
  // leaves.
  `PROVE(p_claim, exact && placed && (!oldest || (claim.pipe == ((left_q == '0) ? row_q.dest.pipe : '0)
    && (claim.pipe == '0 || (claim.ports == ports && claim.preds == (row_q.dest.preds
      || row_q.dest.pd0 != isa_pkg::PT || row_q.dest.pd1 != isa_pkg::PT))))))
  // The next row claims nothing, and does not leave, before the passes of the one before it are made but one.
  `PROVE(p_passes, exact && (left_q == '0 || (!leave && claim.pipe == '0)))
  // The oldest row leaves as soon as they are, and its ports will be free.
  `PROVE(p_soon, exact && placed && (!oldest || left_q != '0 || !rs_ok || leave))
  // Issue gets the end of an instruction as its last row leaves, and no other end.
  `PROVE(p_gone, exact && placed && (leave || !gone) && (!leaves_now || (gone == row_q.dest.last
    && (!gone || gone_slot == core_pkg::local_slot(row_q.dest.id.slot)))))
  // An instruction that issues finds places for all its rows.
  `PROVE(p_room, exact && (!goes || 32'(owed_q) + 32'(rows_q) + BEATS <= DEPTH)
    && ((take_words == '0 && !last) || 32'(u_dut.gen_places.rows_q) < DEPTH))
  // None waits while it has places: issue counts those of instructions with a last row that has not left, and the one in
  // S1.
  `PROVE(p_open, exact && 32'(counted) == 32'(in_room) && (!pick_gen || pick_line != 1'(LINE)
    || full.rows[0] == (32'(counted) + 32'(s1_q && mine) >= MOST)))
  // All places are taken, and the last one is followed.
  `REACH(r_full, 32'(rows_q) == DEPTH && in_q && 32'(before_q) == DEPTH - 1)
  // In a row with words that came at different times the highest lane is in its pass.
  `REACH(r_lane, out_q && turn && lane_q == 2'd3 && has_q && value_q && line.row.dest.last)
endmodule
