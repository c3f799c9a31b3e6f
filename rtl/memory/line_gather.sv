// SPDX-License-Identifier: Apache-2.0
// Takes what comes back from memory and hands it to the lanes. Beats of lines lie in line_buffer, by
// tag; with the end of a request its words are picked for the lanes and written into the result rows
// of the instruction's gslot: with few lanes a row of lanes and a register a cycle, with 32 lanes all
// registers of the lanes of a sector (line_pkg::WHOLE: of the line). All that a lane of an atomic found goes the same way, alone.
// Latency: an answer waits a cycle, is looked up, and its first row is written three cycles later; a
// cycle for each row with lanes (32 lanes: each sector, or one) and each register.
// Handshake: answers valid/ready; dn_ events come when the rows are written. Result rows are read one
// cycle after rd_en_i.
// It does not count lines: global_track does. Byte offsets lie here from the check on.
`include "heddle_assert.svh"
`include "heddle_idle.svh"

module line_gather #(
  localparam int unsigned LANES = cfg_pkg::LSU_LANES,
  localparam int unsigned ROWS  = mem_pkg::BEATS,
  localparam int unsigned PAR   = mem_pkg::PAR,
  localparam int unsigned ROW_W = mem_pkg::GROW_W,
  localparam int unsigned TAG_W = line_pkg::TAG_W
) (
  input  logic                          clk_i,
  input  logic                          rst_ni,
  // from the check: places of the lanes in their lines
  input  logic                          ck_row_valid_i,
  input  logic [ROW_W-1:0]              ck_row_i,
  input  logic [LANES-1:0][6:0]         ck_offset_i,
  // from the request channel
  input  logic                          ld_valid_i,
  input  line_pkg::back_t               ld_i,
  input  logic                          la_valid_i,
  output logic                          la_ready_o,
  input  line_pkg::answer_t             la_i,
  // from and to line_tags
  output logic [TAG_W-1:0]              of_o,
  input  mem_pkg::tagged_t              tagged_i,
  output logic                          give_o,
  output logic [TAG_W-1:0]              give_tag_o,
  // to global_track
  output logic                          dn_valid_o,    // event: a line of this instruction is finished
  output mem_pkg::finished_t            dn_o,
  // result rows, from and to global_track
  input  logic                          rd_en_i,
  input  logic [ROW_W-1:0]              rd_row_i,
  input  logic [1:0]                    rd_word_i,
  input  logic                          rd_live_i,     // what was read is used: only saves work in simulation
  output logic [LANES-1:0][31:0]        rd_data_o,
  output logic [LANES-1:0][1:0]         rd_sub_o
);

  // A line is given row by row, where rows are narrow, or sector by sector, or at once.
  localparam int unsigned PARTS  = line_pkg::WHOLE ? 1 : (PAR == 4) ? line_pkg::SECTORS : ROWS;
  localparam int unsigned PART_W = (PARTS > 1) ? $clog2(PARTS) : 1;

  // ---- an answer waits, then is looked up ------------------------------------------------------------
  line_pkg::answer_t  waits, look_q;
  logic               waits_valid, waits_ready, look_valid_q, look_free;
  logic [PARTS-1:0]   touched;                // by the request of waits: parts with lanes
  logic               gives;
  mem_pkg::tagged_t   look_of_q;
  logic [PARTS-1:0]   look_parts_q;

  fifo #(.WIDTH($bits(line_pkg::answer_t)), .DEPTH(2)) u_waits (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .in_valid_i  (la_valid_i),
    .in_ready_o  (la_ready_o),
    .in_data_i   (la_i),
    .out_valid_o (waits_valid),
    .out_ready_i (waits_ready),
    .out_data_o  (waits),
    .count_o     ()
  );

  assign of_o         = waits.tag;
  assign waits_ready  = look_free;
  assign gives        = waits.done && !waits.err && tagged_i.load;

  if (line_pkg::WHOLE) begin : gen_touched
    assign touched = 1'b1;
  end else if (PAR == 4) begin : gen_touched
    assign touched = tagged_i.sectors;
  end else begin : gen_touched
    for (genvar r = 0; r < ROWS; r++) begin : gen_row
      assign touched[r] = tagged_i.lanes[r*LANES +: LANES] != '0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (look_free && waits_valid) begin
      look_q       <= waits;
      look_of_q    <= tagged_i;
      look_parts_q <= gives ? touched : '0;
    end
  end

  // ---- and is given to its lanes, a part and a register at a time: the line buffer is read ----------------
  logic                   busy_q, one_q, loads_q, part_done, step_done, leave;
  line_pkg::answer_t      at_q;
  /* verilator lint_off UNUSEDSIGNAL */        // which parts is worked out before
  mem_pkg::tagged_t       of_q;
  /* verilator lint_on UNUSEDSIGNAL */
  logic [PARTS-1:0]       left_q, part_hot;
  logic [PART_W-1:0]      part;
  logic [1:0]             step_q, steps;
  logic [ROW_W-1:0]       row;
  logic [LANES-1:0][6:0]  offset;
  logic [LANES-1:0]       mine;

  lowest_one #(.N(PARTS)) u_part (
    .in_i     (left_q),
    .onehot_o (part_hot),
    .index_o  (part),
    .any_o    ()
  );

  assign steps     = (PAR == 4) ? 2'd0 : (of_q.size == isa_pkg::SIZE_128) ? 2'd3 : (of_q.size == isa_pkg::SIZE_64) ? 2'd1 : 2'd0;
  assign step_done = !(loads_q || one_q) || step_q == steps;
  assign part_done = (left_q & ~part_hot) == '0;
  assign leave     = busy_q && step_done && part_done;
  assign look_free = !look_valid_q || !busy_q || leave;
  assign row       = ROW_W'(32'(of_q.slot) * ROWS + (one_q ? 32'(at_q.lane) / LANES : (PAR == 4) ? 32'd0 : 32'(part)));

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      look_valid_q <= 1'b0;
      busy_q       <= 1'b0;
      step_q       <= '0;
    end else begin
      if (look_free)          look_valid_q <= waits_valid;
      if (!busy_q || leave)   busy_q <= look_valid_q;
      if (busy_q)             step_q <= step_done ? '0 : step_q + 1'b1;
    end
  end
  always_ff @(posedge clk_i) begin
    if (!busy_q || leave) begin
      if (`HEDDLE_LIVE(look_valid_q)) begin
        at_q    <= look_q;
        of_q    <= look_of_q;
        left_q  <= look_parts_q;
        one_q   <= !look_q.done;
        loads_q <= look_parts_q != '0;
      end
    end else if (step_done) begin
      left_q <= left_q & ~part_hot;
    end
  end

  ram_live #(.WIDTH(LANES * 7), .DEPTH(mem_pkg::GROWS)) u_offset (
    .clk_i     (clk_i),
    .wr_en_i   (ck_row_valid_i),
    .wr_addr_i (ck_row_i),
    .wr_data_i (ck_offset_i),
    .rd_live_i (busy_q && loads_q),
    .rd_addr_i (row),
    .rd_data_o (offset)
  );

  always_comb begin
    mine = '0;
    `HEDDLE_ONLY(busy_q && (loads_q || one_q)) begin
      if (one_q)         mine = LANES'(1) << (32'(at_q.lane) % LANES);
      else if (line_pkg::WHOLE) mine = LANES'(of_q.lanes);
      else if (PAR != 4) mine = of_q.lanes[32'(part)*LANES +: LANES];
      else for (int unsigned l = 0; l < LANES; l++) mine[l] = of_q.lanes[l] && offset[l][6:5] == 2'(part);
    end
  end

  // ---- words that were read are picked, and written in the next cycle ------------------------------------
  // All that goes with them: which lanes, their bytes, and where the row lies.
  localparam int unsigned CELLS  = mem_pkg::GROWS * mem_pkg::PAR_STEPS;
  localparam int unsigned CELL_W = $clog2(CELLS);

  logic                             read_valid_q, read_one_q, read_last_q, read_wide_q;
  logic [LANES-1:0]                 read_mine_q, wr_en_q;
  logic [LANES-1:0][6:0]            read_offset_q;
  logic [CELL_W-1:0]                read_cell_q, cell_q;
  logic [2:0]                       read_size_q, size_q;
  logic [1:0]                       read_part_q, part_q;
  logic [63:0]                      read_old_q;
  logic                             read_high_q;             // of an atomic: the second word
  mem_pkg::finished_t               read_done_q;
  logic [TAG_W-1:0]                 read_tag_q;
  logic [LANES-1:0][PAR-1:0][31:0]  picked, word_q, result;
  logic [LANES-1:0][1:0]            sub_q;
  logic                             wide_q, narrow;

  function automatic logic [CELL_W-1:0] cell_of(logic [ROW_W-1:0] in_row, logic [1:0] word);
    cell_of = CELL_W'((PAR == 4) ? 32'(in_row) : 32'(in_row) * 4 + 32'(word));
  endfunction

  line_buffer u_lines (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .ld_valid_i (ld_valid_i),
    .ld_i       (ld_i),
    .rd_en_i    (busy_q && loads_q),
    .rd_tag_i   (at_q.tag),
    .rd_part_i  (2'(part)),
    .rd_word_i  (step_q),
    .rd_place_i (offset),
    .at_place_i (read_offset_q),
    .at_wide_i  (read_wide_q),
    .words_o    (picked)
  );

  always_ff @(posedge clk_i) begin
    if (busy_q) begin
      read_one_q    <= one_q;
      read_mine_q   <= mine;
      read_offset_q <= offset;
      read_cell_q   <= cell_of(row, step_q | (one_q ? 2'd0 : of_q.part));
      read_size_q   <= of_q.size;
      read_part_q   <= of_q.part;
      read_wide_q   <= mem_pkg::size_mask(of_q.size) > 4'd3;
      read_old_q    <= at_q.old;
      read_high_q   <= step_q[0];
      read_tag_q    <= at_q.tag;
      read_done_q   <= '{slot: of_q.slot, err: at_q.err, lanes: of_q.lanes, key: of_q.key};
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      read_valid_q <= 1'b0;
      read_last_q  <= 1'b0;
      wr_en_q      <= '0;
      dn_valid_o   <= 1'b0;
    end else begin
      read_valid_q <= busy_q && (loads_q || one_q);
      read_last_q  <= leave && at_q.done;
      wr_en_q      <= read_valid_q ? read_mine_q : '0;
      dn_valid_o   <= read_last_q;
    end
  end

  always_ff @(posedge clk_i) begin
    if (read_valid_q) begin
      cell_q <= read_cell_q;
      size_q <= read_size_q;
      part_q <= read_part_q;
      wide_q <= read_wide_q;
      for (int unsigned l = 0; l < LANES; l++) begin
        if (read_mine_q[l]) begin
          sub_q[l] <= read_one_q ? '0 : read_offset_q[l][1:0];
          for (int unsigned w = 0; w < PAR; w++) begin
            word_q[l][w] <= !read_one_q ? picked[l][w] : (read_high_q || w % 2 == 1) ? read_old_q[63:32] : read_old_q[31:0];
          end
        end
      end
    end
    if (read_last_q) dn_o <= read_done_q;
  end

  assign give_o     = read_last_q;
  assign give_tag_o = read_tag_q;
  assign narrow     = mem_pkg::size_mask(size_q) < 4'd3;

  // ---- result rows ------------------------------------------------------------------------------------
  logic [LANES-1:0][PAR-1:0][31:0] value;
  logic [LANES-1:0][PAR-1:0]       put;

  always_comb begin
    `HEDDLE_IDLE(value, 'x);
    put = '0;
    `HEDDLE_ONLY(wr_en_q != '0) begin
      value = word_q;
      for (int unsigned l = 0; l < LANES; l++) begin
        // With all words of a sector at once they are extended here: that changes nothing where they leave.
        if (PAR == 4 && `HEDDLE_LIVE(narrow)) value[l][0] = mem_pkg::extend(size_q, sub_q[l], word_q[l][0]);
        // One word of several (local memory) leaves the others alone.
        for (int unsigned w = 0; w < PAR; w++) put[l][w] = wr_en_q[l] && (PAR == 1 || wide_q || part_q == 2'(w));
      end
    end
  end

  for (genvar l = 0; l < LANES; l++) begin : gen_lane
    if (PAR == 4) begin : gen_words
      ram_apart #(.WIDTH(32 * PAR), .DEPTH(CELLS), .PARTS(PAR)) u_result (
        .clk_i     (clk_i),
        .rst_ni    (rst_ni),
        .wr_en_i   (put[l]),
        .wr_addr_i (cell_q),
        .wr_data_i (value[l]),
        .rd_en_i   (rd_en_i),
        .rd_addr_i (cell_of(rd_row_i, rd_word_i)),
        .rd_data_o (result[l])
      );
      assign rd_sub_o[l] = '0;
    end else begin : gen_word
      ram_apart #(.WIDTH(34), .DEPTH(CELLS)) u_result (
        .clk_i     (clk_i),
        .rst_ni    (rst_ni),
        .wr_en_i   (put[l]),
        .wr_addr_i (cell_q),
        .wr_data_i ({sub_q[l], value[l]}),
        .rd_en_i   (rd_en_i),
        .rd_addr_i (cell_of(rd_row_i, rd_word_i)),
        .rd_data_o ({rd_sub_o[l], result[l]})
      );
    end
  end

  if (PAR == 4) begin : gen_word
    logic [1:0] read_word_q;
    always_ff @(posedge clk_i) begin
      if (rd_en_i) read_word_q <= rd_word_i;
    end
    always_comb begin
      rd_data_o = 'x;
      if (`HEDDLE_LIVE(rd_live_i)) begin
        for (int unsigned l = 0; l < LANES; l++) rd_data_o[l] = result[l][read_word_q];
      end
    end
  end else begin : gen_one
    logic unused;
    assign unused    = rd_live_i;
    assign rd_data_o = result;
  end

endmodule
