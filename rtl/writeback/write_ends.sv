// SPDX-License-Identifier: Apache-2.0
// Ends of instructions, as issue gets them: of each group of fixed pipes with the last beat, results or not; of the load/store
// unit and of the partition's units on one line, a cycle after their last result.
// Latency: none for fixed pipes; a cycle for late ends, for one of a unit another one while memory has an end.
// Handshake: events. A unit's end comes only while wb_end_free; memory has none in the cycle after wb_hold.
// It does not look at what has been written.
`include "heddle_assert.svh"

module write_ends (
  input  logic                clk_i,
  input  logic                rst_ni,
  // from the reservation table
  input  bus_pkg::due_t       rs_i,
  // from late_rows
  input  bus_pkg::late_end_t  ls_end_i,
  output logic                wb_hold_o,
  // from the units, by way of late_join
  output logic                wb_end_free_o,
  input  logic                lt_end_i,
  input  core_pkg::tag_t      lr_tag_i,
  // to issue
  output front_pkg::ends_t    wb_ends_o
);

  localparam int unsigned GROUPS = cfg_pkg::GROUPS;

  // ---- fixed pipes: a group has one result at the most, and all of it name the same one ------------------------------
  logic [GROUPS-1:0] valid;
  assign valid = back_pkg::groups_of(rs_i.valid);

  for (genvar g = 0; g < GROUPS; g++) begin : gen_group
    localparam int unsigned P = cfg_pkg::GROUP_LEADER[g];
    core_pkg::target_t to;
    core_pkg::done_t   done;
    assign to   = '{uni: 1'b0, has_rd: rs_i.dest[P].rd_en, rd: rs_i.dest[P].rd, rd_n: rs_i.dest[P].rd_n, pd0: rs_i.dest[P].pd0,
                    pd1: rs_i.dest[P].pd1, wbar: rs_i.dest[P].wbar};
    assign done = '{slot: core_pkg::local_slot(rs_i.dest[P].id.slot), to: to, preds: rs_i.dest[P].preds, load: 1'b0};
    assign wb_ends_o.fixed_valid[g] = valid[g] && rs_i.dest[P].last;
    assign wb_ends_o.fixed[g]       = done;
  end

  // ---- late ends: memory's goes first ----------------------------------------------------------------------------------
  logic            ls_valid_q, lr_valid_q;
  core_pkg::done_t ls_q, lr_q;

  assign wb_end_free_o        = !lr_valid_q || !ls_valid_q;
  assign wb_hold_o            = lr_valid_q && ls_valid_q;
  assign wb_ends_o.late_valid = ls_valid_q || lr_valid_q;
  assign wb_ends_o.late       = ls_valid_q ? ls_q : lr_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      ls_valid_q <= 1'b0;
      lr_valid_q <= 1'b0;
    end else begin
      ls_valid_q <= ls_end_i.valid;
      lr_valid_q <= lt_end_i || !wb_end_free_o;
    end
  end

  // ULDC alone of memory writes a uniform register, and its warp waits for it.
  always_ff @(posedge clk_i) begin
    if (ls_end_i.valid)
      ls_q <= '{slot: core_pkg::local_slot(ls_end_i.tag.id.slot), to: ls_end_i.tag.to, preds: 1'b0, load: ls_end_i.tag.to.uni};
    if (lt_end_i)
      lr_q <= '{slot: core_pkg::local_slot(lr_tag_i.id.slot), to: lr_tag_i.to, preds: 1'b0, load: 1'b0};
  end

  // Data and rows have other ports.
  logic unused;
  assign unused = ^{rs_i, ls_end_i, lr_tag_i};

  // An end is never lost.
  `ASSERT(a_hold, !(lr_valid_q && ls_valid_q && (ls_end_i.valid || lt_end_i)))

endmodule
