// SPDX-License-Identifier: Apache-2.0
// What is read beside the register file with the last words of a row (the reuse cache, thread ids,
// predicates), and what the row takes along while all of it is on its way to the bus.
// Latency: reads are asked for at once; what goes along stands from the next cycle on, until the
// next row is completed.
// Handshake: none; a row is completed when it is.
// It does not read anything itself, nor say which words of a row lie where (operand_map).
module row_reads (
  input  logic                        clk_i,
  input  logic                        rst_ni,
  // from issue, operand_map and the reuse cache: the instruction that is read, its row
  input  logic                        valid_i,
  input  logic [cfg_pkg::WARP_W-1:0]  slot_i,
  input  logic [kind_pkg::QUEUES-1:0] into_i,      // the queue of units that it goes to
  input  logic                        line_i,      // for fma, or a register branch: which queue of rows it is for
  input  back_pkg::beat_t             beat_i,
  input  logic [2:0]                  side_i,      // read from the side memory of this place
  input  logic                        tid_i,       // ... which for b is that of the thread ids
  input  logic [2:0]                  fill_i,      // the reuse cache keeps these words
  // from the reader: reads of early words; of the last words of a row, which completes it
  input  logic [1:0]                  early_i,
  input  logic                        complete_i,
  input  logic                        last_i,
  input  logic [1:0]                  got_i,
  input  logic [cfg_pkg::BEAT_W-1:0]  number_i,    // the beat's
  input  logic [back_pkg::WORDS-1:0][cfg_pkg::BANKS-1:0] read_i,
  // to the side memories, and to issue for predicates: whatever is younger writes those later
  output logic [2:0]                  reuse_en_o,
  output logic                        tid_en_o,
  output front_pkg::pred_read_t       op_pr_o,
  // to dispatch
  output bus_pkg::coming_t            coming_o
);

  logic [2:0] side;

  assign side       = complete_i ? side_i : '0;
  assign reuse_en_o = {side[2], side[1] && !tid_i, side[0]};
  assign tid_en_o   = side[1] && tid_i;
  assign op_pr_o    = '{
    en:   complete_i && beat_i.preds_c,
    slot: slot_i,
    beat: 5'(number_i)
  };

  back_pkg::beat_t                                beat_q;
  logic                                           last_read_q, line_q, from_tid_q;
  logic [kind_pkg::QUEUES-1:0]                    into_q;
  logic [1:0][cfg_pkg::BANKS-1:0]                 early_q;
  logic [back_pkg::WORDS-1:0][cfg_pkg::BANKS-1:0] from_bank_q;
  logic [1:0]                                     from_early_q;
  logic [2:0]                                     fill_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      last_read_q <= 1'b0;
      early_q     <= '0;
    end else begin
      last_read_q <= complete_i;
      early_q     <= {early_i[1] ? read_i[1] : '0, early_i[0] ? read_i[0] : '0};
    end
  end

  always_ff @(posedge clk_i) begin
    if (valid_i) begin
      into_q <= into_i;
      line_q <= line_i;
    end
    if (complete_i) begin
      beat_q           <= beat_i;
      beat_q.dest.last <= last_i;
      from_bank_q      <= read_i;
      from_early_q     <= got_i;
      from_tid_q       <= side_i[1] && tid_i;
      fill_q           <= fill_i;
    end
  end

  assign coming_o = '{
    last_read:  last_read_q,
    early:      early_q,
    into:       into_q,
    from_bank:  from_bank_q,
    from_early: from_early_q,
    from_tid:   from_tid_q,
    fill:       fill_q,
    line:       line_q,
    beat:       beat_q
  };

endmodule
