// SPDX-License-Identifier: Apache-2.0
// Shows each sector of a request on the retire port, as its last row has been performed; sectors of a
// refill all at once. Rows are gathered until then, and words of an atomic with lanes that come one by
// one. Without the port all of it is pruned, and nothing waits for it.
// Latency: a cycle after the step.
// Handshake: events.
// It does not decide what is shown, and when. The stamp counts cycles since reset. What a store or a load does not
// write or read is zero; of an atomic's sector words that no lane changes.
`include "heddle_idle.svh"

module retire_l2 #(
  parameter int unsigned BANK = 0           // which one this is
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,
  /* verilator lint_off UNUSEDSIGNAL */   // of these, what is shown
  // a request
  input  order_pkg::asked_t           asked_i,
  input  line_pkg::note_t [line_pkg::SENDERS-1:0] note_i,
  // a step of one has been performed
  input  l2_pkg::done_t               done_i,
  /* verilator lint_on UNUSEDSIGNAL */
  // retire port
  output logic                        ret_global_valid_o,
  output retire_pkg::global_t         ret_global_o,
  output logic [retire_pkg::LINE-1:0]                ret_fill_valid_o,
  output retire_pkg::fill_t [retire_pkg::LINE-1:0]   ret_fill_o
);

  localparam int unsigned WORDS  = l2_pkg::WORDS;
  localparam int unsigned PARTS  = 8 / WORDS;          // rows of a sector

  // ---- a sector: what is gathered of it, with the row that is performed now -----------------------
  typedef struct packed {
    logic [7:0][31:0] found;
    logic [31:0]      strb;
    logic [7:0][31:0] data;
  } sector_t;

  sector_t    kept_q, now;
  logic       by_row, show;

  assign by_row = done_i.step.kind != l2_pkg::S_LANE && done_i.step.kind != l2_pkg::S_SHOW;
  assign show   = done_i.valid && done_i.step.shows;

  always_comb begin
    now = kept_q;
    `HEDDLE_ONLY(done_i.valid && by_row) begin
      for (int unsigned p = 0; p < PARTS; p++) begin
        if (32'(done_i.step.row) % PARTS == p) begin
          now.found[p*WORDS +: WORDS]      = done_i.found;
          now.strb[4*p*WORDS +: 4*WORDS]   = done_i.strb;
          now.data[p*WORDS +: WORDS]       = done_i.data;
        end
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni)                       kept_q <= '0;
    else if (show && by_row)           kept_q <= '0;
    else if (done_i.valid && by_row)   kept_q <= now;
  end

  // ---- words of an atomic with lanes that come one by one: before the first, after the last -----------
  logic [31:0]        changed_q, words;
  logic [31:0][31:0]  old_q, new_q;
  logic [4:0]         word;

  assign word = {done_i.step.word[4:1], done_i.step.word[0] & ~done_i.step.meta.wide};
  always_comb begin
    words = '0;
    if (done_i.valid && done_i.step.kind == l2_pkg::S_LANE)
      words = (done_i.step.meta.wide ? 32'd3 : 32'd1) << word;
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni)                                              changed_q <= '0;
    else if (show && !by_row && done_i.step.ends)             changed_q <= '0;
    else                                                      changed_q <= changed_q | words;
    if (words != '0) begin
      for (int unsigned w = 0; w < 32; w++) begin
        if (words[w] && !changed_q[w]) old_q[w] <= done_i.found[w % WORDS];
        if (words[w])                  new_q[w] <= done_i.data[w % WORDS];
      end
    end
  end

  // ---- when: in the cycle after -----------------------------------------------------------------
  /* verilator lint_off UNUSEDSIGNAL */   // of these, what is shown
  line_pkg::request_t  rq;
  line_pkg::note_t     note;
  l2_pkg::step_t       step_q;
  /* verilator lint_on UNUSEDSIGNAL */
  sector_t             sector_q;
  logic                valid_q, fill;
  logic [63:0]         stamp_q;    // cycles

  ram_apart #(.WIDTH($bits(line_pkg::request_t)), .DEPTH(l2_pkg::ENTRIES)) u_request (
    .clk_i     (clk_i),
    .rst_ni    (rst_ni),
    .wr_en_i   (asked_i.valid),
    .wr_addr_i (asked_i.entry),
    .wr_data_i (asked_i.rq),
    .rd_en_i   (show),
    .rd_addr_i (done_i.step.entry),
    .rd_data_o (rq)
  );
  retire_notes u_notes (
    .clk_i    (clk_i),
    .rst_ni   (rst_ni),
    .note_i   (note_i),
    .rd_en_i  (show),
    .rd_tag_i (done_i.step.meta.tag),
    .note_o   (note)
  );

  always_ff @(posedge clk_i) begin
    if (show) begin
      step_q <= done_i.step;
      if (by_row) begin
        sector_q <= now;
      end else begin
        for (int unsigned w = 0; w < 8; w++) begin
          sector_q.found[w]      <= old_q[{done_i.step.sector, 3'(w)}] & {32{changed_q[{done_i.step.sector, 3'(w)}]}};
          sector_q.strb[4*w +: 4] <= {4{changed_q[{done_i.step.sector, 3'(w)}]}};
          sector_q.data[w]       <= new_q[{done_i.step.sector, 3'(w)}];
        end
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q <= 1'b0;
      stamp_q <= '0;
    end else begin
      valid_q <= show;
      stamp_q <= stamp_q + 1'b1;
    end
  end

  // ---- the record --------------------------------------------------------------------------------
  logic store, atom;

  assign fill  = l1_pkg::THERE && step_q.meta.kind == line_pkg::FILL;
  assign store = step_q.meta.kind == line_pkg::STORE;
  assign atom  = step_q.meta.kind == line_pkg::ATOM;

  assign ret_global_valid_o = valid_q && !fill;
  assign ret_fill_valid_o   = (valid_q && fill) ? rq.sectors : '0;

  always_comb begin
    ret_fill_o = 'x;
    `HEDDLE_ONLY(valid_q && fill) begin
      for (int unsigned s = 0; s < line_pkg::SECTORS; s++) begin
        ret_fill_o[s]          = '0;
        ret_fill_o[s].sector   = rq.is_local ? 64'({rq.slot, note.word, 2'(s)}) : 64'({rq.line, 2'(s)});
        ret_fill_o[s].stamp    = stamp_q;
        ret_fill_o[s].number   = note.seq;
        ret_fill_o[s].sm       = rq.sm;
        ret_fill_o[s].bank     = 8'(BANK);
        ret_fill_o[s].is_local = 8'(rq.is_local);
      end
    end
  end

  always_comb begin
    ret_global_o = 'x;
    `HEDDLE_ONLY(ret_global_valid_o) begin
      ret_global_o        = '0;
      ret_global_o.id     = core_pkg::who('{slot: rq.slot, gen: note.gen, seq: note.seq}, core_pkg::part_of(rq.slot));
      ret_global_o.id.sm  = rq.sm;
      ret_global_o.bank   = 8'(BANK);
      ret_global_o.stamp  = stamp_q;
      ret_global_o.access = 8'(step_q.meta.kind) + (rq.is_local ? 8'd3 : 8'd0);
      ret_global_o.sector = rq.is_local ? 64'({rq.slot, note.word, step_q.sector}) : 64'({rq.line, step_q.sector});
      for (int unsigned l = 0; l < 32; l++) ret_global_o.lanes[l] = rq.lanes[l] && note.at[l] == step_q.sector;
      for (int unsigned b = 0; b < 32; b++) begin
        ret_global_o.wstrb[b] = sector_q.strb[b];
        if (sector_q.strb[b])                     ret_global_o.wdata[8*b +: 8] = sector_q.data[b/4][8*(b%4) +: 8];
        if (!store && (!atom || sector_q.strb[b])) ret_global_o.rdata[8*b +: 8] = sector_q.found[b/4][8*(b%4) +: 8];
      end
    end
  end

endmodule
