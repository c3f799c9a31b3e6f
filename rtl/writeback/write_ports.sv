// SPDX-License-Identifier: Apache-2.0
// The write ports of the register file, one a bank. Results of fixed pipes come in the cycle that they reserved; a late row takes
// its bank's port in any other cycle, two rows (LATE_PORTS) those of two banks.
// Latency: none. The reuse cache drops a register of a late row a cycle after its write.
// Handshake: a row of lt_wb is written where its bank is free; it may be withdrawn. After 8 cycles of waiting reservations of the
// first row's port stop until it is written (wb_starved).
// It does not order late rows against each other, and writes no lane outside the mask.
`include "heddle_assert.svh"
`include "heddle_idle.svh"

module write_ports #(
  localparam int unsigned LANES = cfg_pkg::LANES,
  localparam int unsigned BANKS = cfg_pkg::BANKS,
  localparam int unsigned PIPES = cfg_pkg::PIPES,
  localparam int unsigned LATE  = core_pkg::LATE_PORTS
) (
  input  logic                          clk_i,
  input  logic                          rst_ni,
  // from the reservation table: banks of fixed results, and their beats; from the pipes: a word for a bank of even, one of odd
  // number
  input  logic [BANKS-1:0]              rs_taken_i,
  input  bus_pkg::due_t                 rs_i,
  input  logic [PIPES-1:0][1:0][LANES-1:0][31:0] ex_word_i,
  // to the reservation table
  output logic [BANKS-1:0]              wb_starved_o,
  // from late_join
  input  bus_pkg::late_rows_t           lt_wb_i,      // in different banks
  output logic [BANKS-1:0]              wb_free_o,    // a late row of this bank is written
  // to the reuse cache: registers that are written, by groups of pipes; above them late rows
  output bus_pkg::drop_t                wb_drop_o,
  // to the register file, and beside it the instruction at each port
  output bus_pkg::write_t               wb_write_o,
  output bus_pkg::writer_t [BANKS-1:0]  wb_writer_o
);

  localparam int unsigned WREG_W   = back_pkg::WREG_W;
  localparam int unsigned WAIT_MAX = 8;
  localparam int unsigned GROUPS   = cfg_pkg::GROUPS;
  localparam int unsigned SRCS     = LATE + PIPES;
  localparam int unsigned SRC_W    = $clog2(SRCS);

  // ---- sources: late rows, and the words of each pipe ---------------------------------------------------------------
  // All of a port but its data.
  typedef struct packed {
    core_pkg::id_t     id;
    logic [7:0]        rd;
    logic [WREG_W-1:0] wreg;
    logic [4:0]        beat;
    logic [LANES-1:0]  mask;
  } to_t;

  // A source has a word for banks of even number, and one for banks of odd number: one is written, or both.
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
    to_t to;
    assign to.id   = lt_wb_i.row[i].tag.id;
    assign to.rd   = core_pkg::reg_of(lt_wb_i.row[i].tag);
    assign to.wreg = back_pkg::wreg_of(lt_wb_i.row[i].tag.rbase, to.rd);
    assign to.beat = lt_wb_i.row[i].tag.beat;
    assign to.mask = lt_wb_i.row[i].mask;
    for (genvar k = 0; k < 2; k++) begin : gen_word
      assign src[k][i]       = to;
      assign src_valid[k][i] = lt_wb_i.valid[i] && to.rd != isa_pkg::RZ && lt_wb_i.row[i].mask != '0 && to.wreg[0] == 1'(k);
      assign src_data[k][i]  = lt_wb_i.row[i].data;
    end
  end

  // The second word lies in the bank after that of the first.
  for (genvar p = 0; p < PIPES; p++) begin : gen_pipe
    to_t  first, second;
    logic two;
    assign first  = '{id: rs_i.dest[p].id, rd: rs_i.dest[p].rd, wreg: rs_i.dest[p].wreg, beat: rs_i.dest[p].beat,
                      mask: rs_i.dest[p].mask};
    assign two    = back_pkg::PAIRS[p] && rs_i.dest[p].rd_n != 2'd0;
    always_comb begin
      second      = first;
      second.rd   = first.rd + 8'd1;
      second.wreg = first.wreg + WREG_W'(1);
    end
    for (genvar k = 0; k < 2; k++) begin : gen_word
      logic here;   // the first one lies in a bank of such a number
      assign here                 = first.wreg[0] == 1'(k);
      assign src[k][LATE+p]       = (here || !back_pkg::PAIRS[p]) ? first : second;
      assign src_valid[k][LATE+p] = rs_i.valid[p] && rs_i.dest[p].rd_en && (here || two);
      assign src_data[k][LATE+p]  = ex_word_i[p][k];
    end
  end

  // ---- choice: fixed results, else late rows ---------------------------------------------------------------------------
  // The reservation table has the banks of fixed results in a register, where all that waits for a free port begins.
  assign fixed     = rs_taken_i;
  assign wb_free_o = ~rs_taken_i;

  // A late row takes the port of its bank where no fixed result does: which source has a port follows from the fixed ones alone,
  // and with one late port the first source is the one that is left.
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

  // How long the late row, the first of two, has waited.
  logic [3:0] wait_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || !lt_wb_i.valid[0] || late_ok[0]) wait_q <= '0;
    else if (wait_q != 4'(WAIT_MAX)) wait_q <= wait_q + 4'd1;
  end
  // Known a cycle ahead: what waits stands there, and reservations begin at a register.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) wb_starved_o <= '0;
    else         wb_starved_o <= (lt_wb_i.valid[0] && !late_ok[0] && wait_q >= 4'(WAIT_MAX - 1)) ? hit[0] : '0;
  end

  // ---- the reuse cache drops -----------------------------------------------------------------------------------------
  // A fixed result may be read by the next instruction that issues, so its register drops at once, with an empty mask too; a late
  // one is not read before its instruction's end. Where a group's result goes all of its pipes say alike.
  logic [GROUPS-1:0] group_valid, group_pair;
  assign group_valid = back_pkg::groups_of(rs_i.valid);
  assign group_pair  = back_pkg::groups_of(rs_i.valid & back_pkg::PAIRS);

  for (genvar g = 0; g < GROUPS; g++) begin : gen_drop
    localparam int unsigned P = cfg_pkg::GROUP_LEADER[g];
    assign wb_drop_o.valid[g] = group_valid[g] && rs_i.dest[P].rd_en;
    assign wb_drop_o.pair[g]  = group_pair[g] && rs_i.dest[P].rd_en && rs_i.dest[P].rd_n != 2'd0;
    assign wb_drop_o.rd[g]    = rs_i.dest[P].rd;
    assign wb_drop_o.slot[g]  = core_pkg::local_slot(rs_i.dest[P].id.slot);
  end

  for (genvar i = 0; i < LATE; i++) begin : gen_drop_late
    logic                       valid_q;
    logic [cfg_pkg::WARP_W-1:0] slot_q;
    logic [7:0]                 rd_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) valid_q <= 1'b0;
      else         valid_q <= hit[i] != '0 && late_ok[i];
    end
    always_ff @(posedge clk_i) begin
      if (lt_wb_i.valid[i]) begin
        slot_q <= core_pkg::local_slot(src[0][i].id.slot);
        rd_q   <= src[0][i].rd;
      end
    end
    assign wb_drop_o.valid[GROUPS+i] = valid_q;
    assign wb_drop_o.pair[GROUPS+i]  = 1'b0;
    assign wb_drop_o.slot[GROUPS+i]  = slot_q;
    assign wb_drop_o.rd[GROUPS+i]    = rd_q;
  end

  // ---- ports ---------------------------------------------------------------------------------------------------------
  always_comb begin
    for (int unsigned b = 0; b < BANKS; b++) begin
      wb_write_o.row[b] = back_pkg::row_of(back_pkg::group_of(port[b].wreg), port[b].beat[cfg_pkg::BEAT_W-1:0]);
      wb_write_o.en[b]  = write[b] ? port[b].mask : '0;
    end
    wb_write_o.data = port_data;
  end

  always_comb begin
    `HEDDLE_IDLE(wb_writer_o, 'x);
    if (`HEDDLE_LIVE(write != '0)) begin
      for (int unsigned b = 0; b < BANKS; b++) wb_writer_o[b] = '{id: port[b].id, rd: port[b].rd, beat: port[b].beat};
    end
  end

  // Predicates and ends have other ports.
  logic unused;
  assign unused = ^{rs_i, lt_wb_i};

  // The two words of a pair lie in banks of even and odd number.
  if (BANKS % 2 != 0) begin : gen_odd
    $error("write_ports: an odd number of banks");
  end

  // The ports that were reserved are those that are used.
  `ASSERT(a_taken, fixed == seen)
  // Two fixed results never meet at one port.
  `ASSERT(a_clash, clash == '0)
  // Nor do two late rows.
  `ASSERT(a_late, LATE == 1 || (hit[0] & hit[LATE-1]) == '0)

endmodule
