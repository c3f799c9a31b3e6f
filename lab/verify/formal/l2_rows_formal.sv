// SPDX-License-Identifier: Apache-2.0
// rtl/l2/l2_rows.sv, as `backed` has it. One byte of any row is followed, with its mark (memory does not have it yet), through
// steps of all kinds and memory's data. Results of atomics are not judged here.
// config: backed
// memories: free
// without u_dut.a_apart: g_apart assumes it of the byte that is followed
`include "properties.svh"

module l2_rows_formal (
  input logic                            clk_i,
  input logic                            step_valid,
  input l2_pkg::step_t                   step,
  input logic                            fill_valid,
  input logic                            merge_valid,
  input l2_pkg::place_t                  come_place,
  input logic [l2_pkg::ROW_W-1:0]        come_row,
  input logic [l2_pkg::BITS-1:0]         come_data,
  input order_pkg::bytes_t               stored,
  input logic [127:0]                    lane,
  input logic [l2_pkg::WORDS-1:0][31:0]  low,
  input logic [l2_pkg::WORDS/2-1:0][31:0] high,
  input logic                            add_done,
  input logic [63:0]                     add_sum,
  input logic                            ld_ready,
  input logic                            at_ready
);
  `RESET

  logic                    step_ready, fill_ready, merge_ready, merged, lane_en, words_en, ld_valid, at_valid, row_valid, row_last;
  order_pkg::row_t         store;
  l2_pkg::step_t           first;
  atom_pkg::add_req_t      add_req;
  line_pkg::bank_read_t    ld;
  line_pkg::bank_answer_t  at;
  logic [l2_pkg::BYTES-1:0] row_strb;
  logic [l2_pkg::BITS-1:0] row_data;
  order_pkg::leave_t       leave;
  l2_pkg::done_t           done;

  l2_rows u_dut (
    .clk_i         (clk_i),
    .rst_ni        (rst_ni),
    .step_valid_i  (step_valid),
    .step_ready_o  (step_ready),
    .step_i        (step),
    .fill_valid_i  (fill_valid),
    .fill_ready_o  (fill_ready),
    .merge_valid_i (merge_valid),
    .merge_ready_o (merge_ready),
    .merged_o      (merged),
    .come_place_i  (come_place),
    .come_row_i    (come_row),
    .come_data_i   (come_data),
    .store_o       (store),
    .store_i       (stored),
    .lane_en_o     (lane_en),
    .words_en_o    (words_en),
    .first_o       (first),
    .lane_i        (lane),
    .low_i         (low),
    .high_i        (high),
    .add_req_o     (add_req),
    .add_done_i    (add_done),
    .add_sum_i     (add_sum),
    .ld_valid_o    (ld_valid),
    .ld_ready_i    (ld_ready),
    .ld_o          (ld),
    .at_valid_o    (at_valid),
    .at_ready_i    (at_ready),
    .at_o          (at),
    .row_valid_o   (row_valid),
    .row_last_o    (row_last),
    .row_strb_o    (row_strb),
    .row_data_o    (row_data),
    .leave_o       (leave),
    .done_o        (done)
  );

  // ---- any byte, and what memory holds of it -----------------------------------------------------
  localparam int unsigned ADDR_W = $clog2(l2_pkg::PLACES * l2_pkg::ROWS);
  logic [ADDR_W-1:0]  watch_q, wr_addr;
  logic [2:0]         byte_q;           // of the row
  logic [8:0]         cell_q, read_q, found;
  logic               known_q, rd, wr, touch1, touch2;

  assign wr_addr = u_dut.fill ? u_dut.fill_addr : u_dut.addr2_q;
  assign wr      = u_dut.write_en[byte_q] && wr_addr == watch_q;
  assign rd      = u_dut.fire && (first.kind != l2_pkg::S_STORE && first.kind != l2_pkg::S_SHOW) && u_dut.addr0 == watch_q;
  assign found   = u_dut.found[byte_q];
  always_ff @(posedge clk_i) begin
    watch_q <= watch_q;
    byte_q  <= byte_q;
    if (rst_ni && wr) cell_q <= u_dut.write_data[byte_q];
    // The last read, unless it was written in that cycle.
    if (!rst_ni) known_q <= 1'b0;
    else if (u_dut.fire && first.kind != l2_pkg::S_STORE && first.kind != l2_pkg::S_SHOW) known_q <= rd && !wr;
    if (rd) read_q <= cell_q;
  end
  // The memory gives its content.
  `GIVEN(g_ram, !known_q || found == read_q)

  // ---- what neighbours keep ----------------------------------------------------------------------
  logic                    held_q, came_q, merging_q, st_q, ln_q, wd_q;
  l2_pkg::step_t           step_q;
  l2_pkg::place_t          place_q;
  logic [l2_pkg::ROW_W-1:0] row_q;
  logic [l2_pkg::BITS-1:0] data_q;
  order_pkg::bytes_t       stored_q;
  logic [127:0]            lane_q;
  logic [l2_pkg::WORDS-1:0][31:0] low_q;
  logic                    fill_q, merge_q;
  always_ff @(posedge clk_i) begin
    held_q   <= rst_ni && step_valid && !step_ready;
    step_q   <= step;
    came_q   <= rst_ni && ((fill_valid && !fill_ready) || (merge_valid || merging_q) && !merged);
    fill_q   <= fill_valid;
    merge_q  <= merge_valid && !merge_ready;
    merging_q <= rst_ni && ((merging_q || (merge_valid && merge_ready)) && !merged);
    {place_q, row_q, data_q} <= {come_place, come_row, come_data};
    st_q     <= store.valid;
    ln_q     <= lane_en;
    wd_q     <= words_en;
    stored_q <= stored;
    lane_q   <= lane;
    low_q    <= low;
  end
  // A step that is offered stays; what comes from memory, until it is written, one at a time.
  `GIVEN(g_step, !held_q || (step_valid && step == step_q))
  `GIVEN(g_come, !came_q || (come_place == place_q && come_row == row_q && come_data == data_q))
  `GIVEN(g_one, !(fill_valid && (merge_valid || merging_q)) && !(merge_valid && merging_q)
    && !(came_q && fill_q && !fill_valid) && !(merge_q && !merge_valid))
  // A merge is no step of a task, and rows and places are there.
  `GIVEN(g_kind, step.kind != l2_pkg::S_MERGE && step.kind <= l2_pkg::S_SHOW)
  // A lane's word, and words, are in the row; only a performing step ends, gives, or is of 64 bits at an even word.
  `GIVEN(g_word, step.kind != l2_pkg::S_LANE || (32'(step.row) == 32'(step.word) / l2_pkg::WORDS && (!step.meta.wide || !step.word[0])))
  `GIVEN(g_wide, !step.meta.wide || !step.words[1])
  // Bytes and operands hold until others are requested.
  `GIVEN(g_stored, st_q || stored == stored_q)
  `GIVEN(g_lane, (ln_q || lane == lane_q) && (wd_q || low == low_q))

  // ---- what the byte should be -------------------------------------------------------------------
  logic [8:0] right_q, right, was_q;
  logic       snap_q, effect, wrote;
  logic [1:0] word;             // of the row
  assign word   = 2'(byte_q[2]);
  assign touch1 = u_dut.valid1_q && u_dut.addr1_q == watch_q && u_dut.step1_q.kind != l2_pkg::S_SHOW;
  assign touch2 = u_dut.valid2_q && u_dut.addr2_q == watch_q && u_dut.step2_q.kind != l2_pkg::S_SHOW;
  assign effect = touch2 && u_dut.go;

  always_comb begin
    right = right_q;
    wrote = 1'b0;
    if (effect) begin
      case (u_dut.step2_q.kind)
        l2_pkg::S_STORE: begin
          wrote = u_dut.bytes2_q.strb[byte_q] || u_dut.step2_q.fresh;
          if (wrote) right = {u_dut.bytes2_q.strb[byte_q], u_dut.bytes2_q.data[8*byte_q +: 8]};
        end
        l2_pkg::S_MERGE: begin
          wrote = !right_q[8];
          if (wrote) right = {1'b0, come_data[8*byte_q +: 8]};
        end
        l2_pkg::S_LANE, l2_pkg::S_WORDS: begin
          wrote = u_dut.words[word[0]];
          if (wrote) right = {1'b1, u_dut.changed[word[0]][8*byte_q[1:0] +: 8]};
        end
        l2_pkg::S_CLEAN: begin
          wrote = 1'b1;
          right = {1'b0, right_q[7:0]};
        end
        default: ;
      endcase
    end
    if (u_dut.fill && u_dut.fill_addr == watch_q) right = {1'b0, come_data[8*byte_q +: 8]};
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) right_q <= cell_q;
    else         right_q <= right;
    // A line that is evicted may still be on its way out when the next one comes.
    if (u_dut.fill && u_dut.fill_addr == watch_q && !snap_q) was_q <= right_q;
    snap_q <= rst_ni && ((u_dut.fill && u_dut.fill_addr == watch_q) || snap_q) && (u_dut.go ? touch1 : touch1 || touch2);
  end
  // A row that comes finds no step that writes or changes there; later ones come when those before it are through.
  `GIVEN(g_apart, !(u_dut.fill && u_dut.fill_addr == watch_q) || ((!touch1 || u_dut.step1_q.kind == l2_pkg::S_BACK)
    && (!touch2 || u_dut.step2_q.kind == l2_pkg::S_BACK)))
  `GIVEN(g_after, !(snap_q || (u_dut.fill && u_dut.fill_addr == watch_q)) || !(u_dut.fire && u_dut.addr0 == watch_q))

  // ---- what is promised --------------------------------------------------------------------------
  // The byte is there as all steps before have left it, with its mark: none is lost, none comes back.
  `BOUND(9, p_byte, cell_q == right_q)
  // A load sends it as the steps before have left it.
  `BOUND(9, p_load, !(touch2 && u_dut.step2_q.kind == l2_pkg::S_LOAD) || ld.data[8*byte_q +: 8] == right_q[7:0])
  // A line that is evicted, or is cleaned, takes it along where memory does not have it, and only there.
  `BOUND(9, p_back, !(touch2 && u_dut.is_back && u_dut.step2_q.dirty)
    || (row_data[8*byte_q +: 8] == (snap_q ? was_q[7:0] : right_q[7:0])
    && row_strb[byte_q] == (snap_q ? was_q[8] : right_q[8])))
  // A lane of an atomic works on it as the lane before has left it.
  `BOUND(9, p_lane, !(touch2 && u_dut.step2_q.kind == l2_pkg::S_LANE && u_dut.step2_q.word[0] == word[0])
    || u_dut.v2_q[0][8*byte_q[1:0] +: 8] == right_q[7:0])
  // A taken step has been performed: no beat goes twice, no end without its step.
  `PROVE(p_once, (!(ld_valid && ld_ready) || u_dut.go) && (!at_valid || (u_dut.go && at_ready)) && (!leave.valid || at_valid))
  // A step waits for one that writes its row, or for what comes, no more than two cycles in which the pipeline goes.
  logic [1:0] waits_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || u_dut.fire || !step_valid) waits_q <= '0;
    else if (u_dut.go && !merge_valid) waits_q <= waits_q + 2'd1;
  end
  `PROVE(p_begins, waits_q != 2'd3)
  // A byte that memory lacks is overtaken by what comes, and goes back.
  `REACH(r_merge, touch2 && u_dut.step2_q.kind == l2_pkg::S_MERGE && right_q[8])
  // A line is on its way out while the next one comes.
  `REACH(r_old, snap_q && touch2 && u_dut.step2_q.dirty)
endmodule
