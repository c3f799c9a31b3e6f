// SPDX-License-Identifier: Apache-2.0
// Writeback: one write port a register bank and one predicate port. Results of the fixed pipes come in the cycle that they
// reserved; a late row (late_join) takes its bank's port in any other cycle, two rows (LATE_PORTS) the ports of two banks.
// Latency: none; results stand at the ports in the cycle in which they leave their pipe, and late ones in that of lt_wb.
// Handshake: a row of lt_wb is written where its bank is free, rows may be withdrawn; lt_pred is written when lt_pred_ready and
// valid. A late row (the first) or a late predicate that has waited for 8 cycles stops reservations of its port until it is written.
// It does not order late rows against each other, and writes no lane outside the mask.
`include "heddle_assert.svh"
`include "heddle_idle.svh"

module writeback #(
  localparam int unsigned LANES = cfg_pkg::LANES,
  localparam int unsigned BANKS = cfg_pkg::BANKS,
  localparam int unsigned PIPES = cfg_pkg::PIPES,
  localparam int unsigned LATE  = core_pkg::LATE_PORTS,
  localparam int unsigned LS_W  = $bits(core_pkg::memwb_t)
) (
  input  logic                                     clk_i,
  input  logic                                     rst_ni,
  // from the reservation table and the pipes
  input  logic [BANKS-1:0]                         rs_taken_i,  // banks that fixed results are written in
  input  logic [PIPES-1:0]                         rs_valid_i,
  input  logic [PIPES-1:0][back_pkg::DEST_W-1:0]   rs_dest_i,   // dest_t each
  input  logic                                     rs_pred_i,   // predicates, of the beat of alu's rs_dest
  input  bus_pkg::results_t                        ex_i,
  // to the reservation table
  output logic [BANKS-1:0]                         wb_starved_o,
  output logic                                     wb_pred_starved_o,
  // from late_join
  input  logic [LATE-1:0]                          lt_wb_valid_i,
  input  logic [LATE-1:0][LS_W-1:0]                lt_wb_i,     // core_pkg::memwb_t each; in different banks
  output logic [BANKS-1:0]                         wb_free_o,   // a late row of this bank is written
  input  logic                                     lt_pred_ask_i,
  output logic                                     lt_pred_ready_o,
  input  logic                                     lt_pred_valid_i,
  input  core_pkg::varres_t                        lr_i,        // its predicates
  // to the reuse cache: registers that are written, by groups of pipes; above them late rows, a cycle after their write
  output logic [back_pkg::DROPS-1:0]                      wb_drop_valid_o,
  output logic [back_pkg::DROPS-1:0]                      wb_drop_pair_o,   // and the next one
  output logic [back_pkg::DROPS-1:0][cfg_pkg::WARP_W-1:0] wb_drop_slot_o,
  output logic [back_pkg::DROPS-1:0][7:0]                 wb_drop_rd_o,
  // to the register file
  output logic [BANKS-1:0][LANES-1:0]              wb_wr_en_o,
  output logic [BANKS-1:0][back_pkg::ROW_W-1:0]    wb_wr_row_o,
  output logic [BANKS-1:0][LANES-1:0][31:0]        wb_wr_data_o,
  // with it: whose words these are
  output bus_pkg::writer_t [BANKS-1:0]             wb_writer_o,
  // to issue: predicate results, and the ends of instructions
  output logic                                     wb_pred_valid_o,
  output core_pkg::id_t                            wb_pred_id_o,
  output logic [4:0]                               wb_pred_beat_o,
  output logic [LANES-1:0]                         wb_pred_mask_o,
  output logic [2:0]                               wb_pred_pd0_o,
  output logic [2:0]                               wb_pred_pd1_o,
  output logic [LANES-1:0]                         wb_pred_d0_o,
  output logic [LANES-1:0]                         wb_pred_d1_o,
  output logic                                     wb_pred_all_o,   // R2P: instead of pd0, pd1 all seven, in these lanes
  output logic [6:0][LANES-1:0]                    wb_pred_en_o,
  output logic [6:0][LANES-1:0]                    wb_pred_val_o,
  output logic [cfg_pkg::GROUPS-1:0]               wb_done_valid_o,   // of each group of pipes
  output logic [cfg_pkg::GROUPS-1:0][$bits(core_pkg::done_t)-1:0] wb_done_o   // done_t each
);

  localparam int unsigned WREG_W = back_pkg::WREG_W;
  localparam int unsigned ID_W = back_pkg::ID_W;
  localparam int unsigned WAIT_MAX = 8;

  // ---- register results: late rows, and the words of each pipe --------------------------------------------------
  localparam int unsigned GROUPS = cfg_pkg::GROUPS;
  localparam int unsigned SRCS   = LATE + PIPES;
  localparam int unsigned SRC_W  = $clog2(SRCS);

  // What a port shows but for its data.
  typedef struct packed {
    logic [ID_W-1:0]   id;
    logic [7:0]        rd;
    logic [WREG_W-1:0] wreg;
    logic [4:0]        beat;
    logic [LANES-1:0]  mask;
  } to_t;

  // Of each source the word for banks of even number, and that for banks of odd number: one is written, or both.
  to_t                                   src [2][SRCS];
  logic [1:0][SRCS-1:0]                  src_valid;
  logic [1:0][SRCS-1:0][LANES-1:0][31:0] src_data;
  logic [SRCS-1:0][BANKS-1:0]            hit;       // which source writes which bank
  logic [BANKS-1:0]                      fixed, late, seen, clash, write;
  logic [BANKS-1:0][SRC_W-1:0]           pick;
  logic [LATE-1:0]                       late_ok;   // written, or nothing to write
  to_t                                   port [BANKS];
  logic [BANKS-1:0][LANES-1:0][31:0]     port_data;

  for (genvar i = 0; i < LATE; i++) begin : gen_late
    core_pkg::memwb_t row;
    to_t              to;
    assign row = lt_wb_i[i];
    assign to  = '{id: row.id, rd: row.rd, wreg: back_pkg::wreg_of(row.rbase, row.rd), beat: row.beat, mask: row.mask};
    for (genvar k = 0; k < 2; k++) begin : gen_word
      assign src[k][i]       = to;
      assign src_valid[k][i] = lt_wb_valid_i[i] && row.rd != isa_pkg::RZ && row.mask != '0 && to.wreg[0] == 1'(k);
      assign src_data[k][i]  = row.data;
    end
    logic unused_row;   // uniform results have another port
    assign unused_row = ^{row.rbase, row.uni};
  end

  // The second word lies in the bank after that of the first.
  for (genvar p = 0; p < PIPES; p++) begin : gen_pipe
    back_pkg::dest_t dest;
    to_t             first, second;
    logic            two;
    assign dest   = rs_dest_i[p];
    assign first  = '{id: dest.id, rd: dest.rd, wreg: dest.wreg, beat: dest.beat, mask: dest.mask};
    assign second = '{id: dest.id, rd: dest.rd + 8'd1, wreg: dest.wreg + WREG_W'(1), beat: dest.beat, mask: dest.mask};
    assign two    = back_pkg::PAIRS[p] && dest.rd_n != 2'd0;
    for (genvar k = 0; k < 2; k++) begin : gen_word
      logic here;   // the first one lies in a bank of such a number
      assign here                 = dest.wreg[0] == 1'(k);
      assign src[k][LATE+p]       = (here || !back_pkg::PAIRS[p]) ? first : second;
      assign src_valid[k][LATE+p] = rs_valid_i[p] && dest.rd_en && (here || two);
      assign src_data[k][LATE+p]  = ex_i.word[p][k];
    end
    logic unused_dest;
    assign unused_dest = ^dest;
  end

  // Where fixed results are written was known when their ports were reserved: so much of it stands in a register, where all that
  // waits for a free port begins.
  assign fixed     = rs_taken_i;
  assign wb_free_o = ~rs_taken_i;

  // A late row takes the port of its bank where no fixed result does: which source has a port follows from the fixed ones alone,
  // and with one late port the first source is whoever is left.
  always_comb begin
    for (int unsigned s = 0; s < SRCS; s++) begin
      for (int unsigned b = 0; b < BANKS; b++) begin
        hit[s][b] = src_valid[b%2][s] && 32'(back_pkg::bank_of(src[b%2][s].wreg)) / 2 == b / 2;
      end
    end
  end

  always_comb begin
    late  = '0;
    clash = '0;
    seen  = '0;
    pick  = '0;
    for (int unsigned s = LATE; s < SRCS; s++) begin
      clash |= seen & hit[s];
      seen  |= hit[s];
      for (int unsigned b = 0; b < BANKS; b++) begin
        if (hit[s][b]) pick[b] |= SRC_W'(s);
      end
    end
    for (int unsigned s = 0; s < LATE; s++) late |= hit[s];
    for (int unsigned b = 0; b < BANKS; b++) begin
      if (LATE > 1 && !fixed[b] && hit[LATE-1][b]) pick[b] = SRC_W'(LATE - 1);
    end
  end

  assign write = fixed | late;

  for (genvar b = 0; b < BANKS; b++) begin : gen_port
    assign port[b] = src[b%2][pick[b]];
    choice #(.WIDTH(LANES * 32), .N(SRCS)) u_data (
      .live_i (write[b]),
      .sel_i  (pick[b]),
      .data_i (src_data[b%2]),
      .also_i ('0),
      .data_o (port_data[b])
    );
  end

  for (genvar i = 0; i < LATE; i++) begin : gen_ready
    assign late_ok[i] = (hit[i] & fixed) == '0;
  end

  // How long the late row, the first of two, has waited, and a late predicate.
  logic [3:0] wait_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || !lt_wb_valid_i[0] || late_ok[0]) wait_q <= '0;
    else if (wait_q != 4'(WAIT_MAX)) wait_q <= wait_q + 4'd1;
  end
  // Known a cycle ahead: what waits stands there, and reservations begin at a register.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) wb_starved_o <= '0;
    else         wb_starved_o <= (lt_wb_valid_i[0] && !late_ok[0] && wait_q >= 4'(WAIT_MAX - 1)) ? hit[0] : '0;
  end

  logic [3:0] pred_wait_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || !lt_pred_ask_i || lt_pred_valid_i) pred_wait_q <= '0;
    else if (pred_wait_q != 4'(WAIT_MAX)) pred_wait_q <= pred_wait_q + 4'd1;
  end
  assign wb_pred_starved_o = pred_wait_q == 4'(WAIT_MAX);

  // ---- ports ----------------------------------------------------------------------------------------------------
  // What of the reuse cache drops. A fixed pipe's result may be read by whoever issues now, so it drops at once, with an empty mask
  // too. A late one nobody may read before its instruction's end, and it comes late: a cycle after.
  // Of a group of pipes one at most has a result: where it goes all of them say alike.
  logic [GROUPS-1:0] group_valid, group_pair;
  always_comb begin
    group_valid = '0;
    group_pair  = '0;
    for (int unsigned p = 0; p < PIPES; p++) begin
      if (rs_valid_i[p]) group_valid[cfg_pkg::PIPE_GROUP[p]] = 1'b1;
      if (rs_valid_i[p] && back_pkg::PAIRS[p]) group_pair[cfg_pkg::PIPE_GROUP[p]] = 1'b1;
    end
  end

  for (genvar g = 0; g < GROUPS; g++) begin : gen_drop
    back_pkg::dest_t dest;
    assign dest               = rs_dest_i[cfg_pkg::GROUP_LEADER[g]];
    assign wb_drop_valid_o[g] = group_valid[g] && dest.rd_en;
    assign wb_drop_pair_o[g]  = group_pair[g] && dest.rd_en && dest.rd_n != 2'd0;
    assign wb_drop_rd_o[g]    = dest.rd;
    assign wb_drop_slot_o[g]  = core_pkg::local_slot(dest.id.slot);
    logic unused_dest;
    assign unused_dest = ^dest;
  end

  logic [LATE-1:0]                      late_valid_q;
  logic [LATE-1:0][cfg_pkg::WARP_W-1:0] late_slot_q;
  logic [LATE-1:0][7:0]                 late_rd_q;

  for (genvar i = 0; i < LATE; i++) begin : gen_drop_late
    always_ff @(posedge clk_i) begin
      if (!rst_ni) late_valid_q[i] <= 1'b0;
      else         late_valid_q[i] <= hit[i] != '0 && late_ok[i];
    end
    always_ff @(posedge clk_i) begin
      if (lt_wb_valid_i[i]) begin
        late_slot_q[i] <= core_pkg::local_slot(src[0][i].id[ID_W-1 -: cfg_pkg::SM_WARP_W]);
        late_rd_q[i]   <= src[0][i].rd;
      end
    end
    assign wb_drop_valid_o[GROUPS+i] = late_valid_q[i];
    assign wb_drop_pair_o[GROUPS+i]  = 1'b0;
    assign wb_drop_slot_o[GROUPS+i]  = late_slot_q[i];
    assign wb_drop_rd_o[GROUPS+i]    = late_rd_q[i];
  end

  // The address of each bank's memory.
  always_comb begin
    for (int unsigned b = 0; b < BANKS; b++) begin
      wb_wr_row_o[b] = back_pkg::row_of(back_pkg::group_of(port[b].wreg), port[b].beat[cfg_pkg::BEAT_W-1:0]);
    end
  end

  assign wb_wr_data_o = port_data;

  always_comb begin
    for (int unsigned b = 0; b < BANKS; b++) begin
      wb_wr_en_o[b]     = write[b] ? port[b].mask : '0;
    end
  end

  always_comb begin
    `HEDDLE_IDLE(wb_writer_o, 'x);
    if (`HEDDLE_LIVE(write != '0)) begin
      for (int unsigned b = 0; b < BANKS; b++) wb_writer_o[b] = '{id: port[b].id, rd: port[b].rd, beat: port[b].beat};
    end
  end

  // ---- predicates: alu and half have some, in the same cycle after dispatch; a late result's wait for a cycle without them ---
  back_pkg::dest_t pred;
  logic            pred_fixed;
  assign pred            = rs_dest_i[cfg_pkg::PIPE_ALU];
  assign pred_fixed      = rs_pred_i && pred.mask != '0 && (pred.preds || pred.pd0 != isa_pkg::PT || pred.pd1 != isa_pkg::PT);
  assign lt_pred_ready_o = !pred_fixed;

  always_comb begin
    wb_pred_valid_o = pred_fixed || lt_pred_valid_i;
    wb_pred_id_o    = pred.id;
    wb_pred_beat_o  = pred.beat;
    wb_pred_mask_o  = pred.mask;
    wb_pred_pd0_o   = pred.pd0;
    wb_pred_pd1_o   = pred.pd1;
    wb_pred_d0_o    = ex_i.pd0;
    wb_pred_d1_o    = ex_i.pd1;
    if (!pred_fixed && `HEDDLE_LIVE(lt_pred_valid_i)) begin
      wb_pred_id_o   = lr_i.id;
      wb_pred_beat_o = lr_i.beat;
      wb_pred_mask_o = lr_i.mask;
      wb_pred_pd0_o  = lr_i.pd0;
      wb_pred_pd1_o  = lr_i.pd1;
      wb_pred_d0_o   = lr_i.d0;
      wb_pred_d1_o   = lr_i.d1;
    end
  end

  // R2P: alu's words have the values, and above them which predicates they are for.
  always_comb begin
    wb_pred_all_o = pred_fixed && pred.preds;
    wb_pred_en_o  = '0;
    wb_pred_val_o = '0;
    if (`HEDDLE_LIVE(wb_pred_all_o)) begin
      for (int unsigned l = 0; l < LANES; l++) begin
        for (int unsigned p = 0; p < 7; p++) begin
          wb_pred_en_o[p][l]  = ex_i.word[cfg_pkg::PIPE_ALU][0][l][8+p] && wb_pred_mask_o[l];
          wb_pred_val_o[p][l] = ex_i.word[cfg_pkg::PIPE_ALU][0][l][p];
        end
      end
    end
  end

  // ---- the end of an instruction --------------------------------------------------------------------------------
  for (genvar g = 0; g < GROUPS; g++) begin : gen_done
    back_pkg::dest_t  dest;
    core_pkg::done_t  done;
    assign dest               = rs_dest_i[cfg_pkg::GROUP_LEADER[g]];
    assign wb_done_valid_o[g] = group_valid[g] && dest.last;
    assign wb_done_o[g]       = done;
    always_comb begin
      done.slot   = core_pkg::local_slot(dest.id.slot);
      done.wbar   = dest.wbar;
      done.has_rd = dest.rd_en;
      done.rd     = dest.rd;
      done.rd_n   = dest.rd_n;
      done.pd0    = dest.pd0;
      done.pd1    = dest.pd1;
      done.preds  = dest.preds;
      done.rd_uni = 1'b0;
      done.pd_uni = 1'b0;
      done.load   = 1'b0;
    end
    logic unused_dest;
    assign unused_dest        = ^dest;
  end

  logic unused;
  assign unused = ^{pred, lr_i};

  // The two words of a pair lie in banks of even and odd number.
  if (BANKS % 2 != 0) begin : gen_odd
    $error("writeback: an odd number of banks");
  end

  // The ports that were reserved are those that are used.
  `ASSERT(a_taken, fixed == seen)
  // Two fixed results never meet at one port.
  `ASSERT(a_clash, clash == '0)
  // Nor do two late rows.
  `ASSERT(a_late, LATE == 1 || (hit[0] & hit[LATE-1]) == '0)

endmodule
