// SPDX-License-Identifier: Apache-2.0
// Hands the words of returned sectors to their lanes: picks them and writes them into the
// result rows of the instruction's gslot, a row of lanes and a register a cycle (32 lanes: all
// registers at once, extended), and with each which bytes of it are wanted.
// Latency: one cycle from an answer to the row memory; a cycle for each row with lanes in the
// sector and each register.
// Handshake: answers valid/ready; dn_ events follow when the rows are written. Result rows are
// read one cycle after rd_en_i.
// It does not count sectors: global_track does. Byte offsets lie here from the check on.
`default_nettype none
`include "heddle_idle.svh"

module load_gather #(
  localparam int unsigned LANES = cfg_pkg::LSU_LANES,
  localparam int unsigned BEATS = mem_pkg::BEATS,
  localparam int unsigned PAR   = mem_pkg::PAR,
  localparam int unsigned STEPS = mem_pkg::PAR_STEPS,
  localparam int unsigned ROW_W = mem_pkg::GROW_W
) (
  input  logic                          clk_i,
  input  logic                          rst_ni,
  // from the check: byte offsets of the lanes
  input  logic                          ck_row_valid_i,
  input  logic [ROW_W-1:0]              ck_row_i,
  input  logic [LANES-1:0][4:0]         ck_offset_i,
  // from gmem
  input  logic                          gm_valid_i,
  output logic                          gm_ready_o,
  output logic                          gm_one_ready_o,  // an answer for one lane, of an atomic, known without looking which
  input  mem_pkg::grsp_t                gm_rsp_i,
  input  logic                          gm_next_i,       // event: the next answer that is not an atomic's is another
  input  logic [BEATS-1:0]              gm_next_rows_i,  // rows that it has something for
  input  logic [mem_pkg::GSLOT_W-1:0]   gm_next_slot_i,
  input  logic [mem_pkg::BEAT_W-1:0]    gm_next_beat_i,  // the first of them
  output logic                          gm_read_o,       // event: words for the lanes of a row, in the next cycle
  output logic                          gm_here_o,       // of this answer, not of the next one
  output logic [LANES-1:0][2:0]         gm_at_o,
  input  logic [LANES-1:0][31:0]        gm_words_i,
  // to global_track
  output logic                          dn_valid_o,    // event: a sector of this instruction is finished
  output logic [mem_pkg::GSLOT_W-1:0]   dn_slot_o,
  output logic                          dn_err_o,
  output logic [31:0]                   dn_lanes_o,
  output logic [mem_pkg::KEY_W-1:0]     dn_sector_o,
  // result rows, from and to global_track
  input  logic                          rd_en_i,
  input  logic [ROW_W-1:0]              rd_row_i,
  input  logic [1:0]                    rd_word_i,
  input  logic                          rd_live_i,     // somebody looks at what was read: only saves work in simulation
  output logic [LANES-1:0][31:0]        rd_data_o,
  output logic [LANES-1:0][1:0]         rd_sub_o,
  output logic                          idle_o
);

  localparam int unsigned CELLS  = mem_pkg::GROWS * STEPS;
  localparam int unsigned CELL_W = $clog2(CELLS);

  logic [BEATS-1:0]               left_q, left, beat_hot;
  logic [mem_pkg::BEAT_W-1:0]     beat, left_beat;
  logic [ROW_W-1:0]               row, read_row;
  logic [LANES-1:0][4:0]          offset;
  logic [LANES-1:0]               mine, wr_en_q;
  logic [LANES-1:0][PAR-1:0][31:0] picked, word_q, result;
  logic [1:0]                     step_q, steps;
  logic [CELL_W-1:0]              cell_q;
  logic [LANES-1:0][1:0]          sub, sub_q;
  logic [2:0]                     size_q;
  logic [1:0]                     part_q;
  logic                           final_step, few_q, narrow, wide, wide_q, unused_any;

  ram_live #(.WIDTH(LANES * 5), .DEPTH(mem_pkg::GROWS)) u_offset (
    .clk_i     (clk_i),
    .wr_en_i   (ck_row_valid_i),
    .wr_addr_i (ck_row_i),
    .wr_data_i (ck_offset_i),
    .rd_live_i (PAR == 1 ? gm_read_o : gm_valid_i),
    .rd_addr_i (PAR == 1 ? read_row : row),
    .rd_data_o (offset)
  );

  // ---- rows of an answer that are still to do ---------------------------------------------------
  // They stand in registers from before it is shown, with whether they are one at most: who is served next waits for that.
  lowest_one #(.N(BEATS)) u_beat (
    .in_i     (left_q),
    .onehot_o (beat_hot),
    .index_o  (left_beat),
    .any_o    (unused_any)
  );

  assign left = left_q & ~beat_hot;
  assign beat = gm_rsp_i.one ? mem_pkg::BEAT_W'(32'(gm_rsp_i.lane) / LANES) : left_beat;

  always_ff @(posedge clk_i) begin
    if (gm_next_i) begin
      left_q <= gm_next_rows_i;
      few_q  <= (gm_next_rows_i & (gm_next_rows_i - BEATS'(1))) == '0;
    end else if (gm_valid_i && !gm_rsp_i.one && final_step) begin
      left_q <= left;
      few_q  <= (left & (left - BEATS'(1))) == '0;
    end
  end

  assign steps      = (PAR == 4) ? 2'd0 : (gm_rsp_i.size == isa_pkg::SIZE_128) ? 2'd3 : (gm_rsp_i.size == isa_pkg::SIZE_64) ? 2'd1 : 2'd0;
  assign final_step = !gm_rsp_i.give || step_q == steps;
  assign gm_ready_o = few_q && final_step;
  assign gm_one_ready_o = final_step;
  assign row        = ROW_W'(32'(gm_rsp_i.gslot) * BEATS + 32'(beat));
  assign mine       = !(gm_valid_i && gm_rsp_i.give) ? '0 : gm_rsp_i.one ? LANES'(1) << (32'(gm_rsp_i.lane) % LANES)
                    : LANES'(gm_rsp_i.lanes >> (32'(left_beat) * LANES));

  // ---- words for the lanes ------------------------------------------------------------------------
  // A word at a time is chosen by memory: asked for in the cycle before, with the next row or word of this answer, or the first
  // one of the next answer.
  if (PAR == 1) begin : gen_asked
    logic [BEATS-1:0]            unused_hot;
    logic [mem_pkg::BEAT_W-1:0]  next_beat;
    logic                        unused_next;

    lowest_one #(.N(BEATS)) u_next (
      .in_i     (left),
      .onehot_o (unused_hot),
      .index_o  (next_beat),
      .any_o    (unused_next)
    );

    assign gm_here_o = gm_valid_i && !gm_rsp_i.one && !gm_ready_o;
    assign gm_read_o = gm_next_i || gm_here_o;
    assign read_row  = gm_here_o ? ROW_W'(32'(gm_rsp_i.gslot) * BEATS + 32'(final_step ? next_beat : left_beat))
                     : ROW_W'(32'(gm_next_slot_i) * BEATS + 32'(gm_next_beat_i));

    always_comb begin
      gm_at_o = 'x;
      `HEDDLE_ONLY(gm_read_o) begin
        for (int unsigned l = 0; l < LANES; l++) begin
          gm_at_o[l] = offset[l][4:2] | ((gm_here_o && !final_step) ? 3'(step_q + 2'd1) : 3'd0);
        end
      end
    end

    always_ff @(posedge clk_i) begin
      if (gm_read_o) begin
        for (int unsigned l = 0; l < LANES; l++) sub[l] <= offset[l][1:0];
      end
    end

    always_comb begin
      for (int unsigned l = 0; l < LANES; l++) picked[l] = gm_rsp_i.one ? gm_rsp_i.words[step_q[0]] : gm_words_i[l];
    end
    logic unused;
    assign unused = ^gm_rsp_i.rdata;
  end else begin : gen_picked
    logic [255:0]                    words;
    logic [LANES-1:0][PAR-1:0][2:0]  at;

    // An atomic's value is picked as if it were the first two words of a sector.
    always_comb begin
      words = 'x;
      at    = 'x;
      `HEDDLE_ONLY(gm_valid_i) begin
        words = gm_rsp_i.rdata;
        if (gm_rsp_i.one) words[63:0] = gm_rsp_i.words;
        for (int unsigned l = 0; l < LANES; l++) begin
          for (int unsigned w = 0; w < PAR; w++) begin
            if (gm_rsp_i.one) at[l][w] = 3'(step_q[0] || w % 2 == 1);
            else              at[l][w] = offset[l][4:2] | (wide ? 3'(step_q) | 3'(w) : 3'd0);
          end
        end
      end
    end

    always_comb begin
      `HEDDLE_IDLE(picked, 'x);
      `HEDDLE_ONLY(gm_valid_i) begin
        for (int unsigned l = 0; l < LANES; l++) begin
          sub[l] = offset[l][1:0];
          for (int unsigned w = 0; w < PAR; w++) picked[l][w] = words[{at[l][w], 5'd0} +: 32];
        end
      end
    end
    logic unused;
    assign unused    = ^{gm_next_slot_i, gm_next_beat_i, gm_words_i};
    assign gm_read_o = 1'b0;
    assign gm_here_o = 1'b0;
    assign gm_at_o   = '0;
    assign read_row  = '0;
  end

  // Picked in one cycle, written in the next; of an atomic it is a whole word. Registers beyond those of a wide
  // access are written too, and never read.
  always_ff @(posedge clk_i) begin
    if (gm_valid_i) begin
      size_q <= gm_rsp_i.size;
      part_q <= gm_rsp_i.part;
      wide_q <= wide;
      for (int unsigned l = 0; l < LANES; l++) begin
        if (mine[l]) begin
          sub_q[l]  <= gm_rsp_i.one ? '0 : sub[l];
          word_q[l] <= picked[l];
        end
      end
    end
  end

  assign wide   = mem_pkg::size_mask(gm_rsp_i.size) > 4'd3;
  assign narrow = mem_pkg::size_mask(size_q) < 4'd3;

  // ---- result rows ------------------------------------------------------------------------------
  logic [LANES-1:0][PAR-1:0][31:0] value;
  logic [LANES-1:0][PAR-1:0]       take;

  always_comb begin
    `HEDDLE_IDLE(value, 'x);
    take  = '0;
    `HEDDLE_ONLY(wr_en_q != '0) begin
      value = word_q;
      for (int unsigned l = 0; l < LANES; l++) begin
        // With all words of a sector at once they are extended here: that changes nothing where they leave.
        if (PAR == 4 && `HEDDLE_LIVE(narrow)) value[l][0] = mem_pkg::extend(size_q, sub_q[l], word_q[l][0]);
        // One word of several (local memory) leaves the others alone.
        for (int unsigned w = 0; w < PAR; w++) take[l][w] = wr_en_q[l] && (PAR == 1 || wide_q || part_q == 2'(w));
      end
    end
  end

  for (genvar l = 0; l < LANES; l++) begin : gen_lane
    if (PAR == 4) begin : gen_words
      ram_apart #(.WIDTH(32 * PAR), .DEPTH(CELLS), .PARTS(PAR)) u_result (
        .clk_i     (clk_i),
        .rst_ni    (rst_ni),
        .wr_en_i   (take[l]),
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
        .wr_en_i   (take[l]),
        .wr_addr_i (cell_q),
        .wr_data_i ({sub_q[l], value[l]}),
        .rd_en_i   (rd_en_i),
        .rd_addr_i (cell_of(rd_row_i, rd_word_i)),
        .rd_data_o ({rd_sub_o[l], result[l]})
      );
    end
  end

  function automatic logic [CELL_W-1:0] cell_of(logic [ROW_W-1:0] in_row, logic [1:0] word);
    cell_of = CELL_W'((PAR == 4) ? 32'(in_row) : 32'(in_row) * 4 + 32'(word));
  endfunction

  if (PAR == 4) begin : gen_word
    logic [1:0] read_q;
    always_ff @(posedge clk_i) begin
      if (rd_en_i) read_q <= rd_word_i;
    end
    always_comb begin
      rd_data_o = 'x;
      if (`HEDDLE_LIVE(rd_live_i)) begin
        for (int unsigned l = 0; l < LANES; l++) rd_data_o[l] = result[l][read_q];
      end
    end
  end else begin : gen_one
    logic unused;
    assign unused    = rd_live_i;
    assign rd_data_o = result;
  end

  always_ff @(posedge clk_i) begin
    if (gm_valid_i) begin
      cell_q      <= cell_of(row, step_q | gm_rsp_i.part);
      dn_slot_o   <= gm_rsp_i.gslot;
      dn_err_o    <= gm_rsp_i.err;
      if (gm_rsp_i.err) begin
        dn_lanes_o  <= gm_rsp_i.lanes;
        dn_sector_o <= gm_rsp_i.sector;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      step_q     <= '0;
      wr_en_q    <= '0;
      dn_valid_o <= 1'b0;
    end else begin
      wr_en_q    <= mine;
      dn_valid_o <= gm_valid_i && gm_ready_o && gm_rsp_i.done;
      if (gm_valid_i) step_q <= final_step ? '0 : step_q + 1'b1;
    end
  end

  assign idle_o = !gm_valid_i && !dn_valid_o;

endmodule

`default_nettype wire
