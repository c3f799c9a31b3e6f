// SPDX-License-Identifier: Apache-2.0
// Widths and structs that only the back half (operand, execute, writeback) shares.
// A "warp register" is a row group of the register file: rbase of the warp + architectural register number.
// Consecutive warp registers are in different banks (bank_of, group_of, row_of).
package back_pkg;

  localparam int unsigned WREG_W = $clog2(cfg_pkg::REGS);

  // A beat for pipe alu, fma or cvt is on the bus for so many cycles: the pipe takes ALU_LANES, FMA_LANES or CVT_LANES
  // lanes in each. One of a register branch is there like one for fma. With row queues (core_pkg::QUEUED) all rows pass the bus
  // in one cycle, and make their passes behind the queue.
  localparam int unsigned PASSES = core_pkg::QUEUED ? 1 : cfg_pkg::PASSES_MAX;   // on the bus, at the most
  localparam int unsigned STAY_W = (cfg_pkg::PASSES_MAX > 1) ? $clog2(cfg_pkg::PASSES_MAX) : 1;

  // Pipes with results of two words.
  localparam logic [cfg_pkg::PIPES-1:0] PAIRS = cfg_pkg::PIPES'(1) << cfg_pkg::PIPE_FMA;
  // Pipes that write predicates, all of them equally late. (Of one that the machine lacks there is no bit.)
  localparam logic [cfg_pkg::PIPES-1:0] PREDS = cfg_pkg::PIPES'(1 << cfg_pkg::PIPE_ALU | 1 << cfg_pkg::PIPE_HALF);

  // Where the results of one dispatched beat go. It travels beside the pipe, which carries data only.
  typedef struct packed {
    core_pkg::id_t    id;
    logic [cfg_pkg::PIPES-1:0] pipe;      // one-hot; none for register branches
    logic [4:0]       beat;
    logic             last;      // last beat of the instruction
    logic [cfg_pkg::LANES-1:0] mask;
    logic             rd_en;     // writes registers (RZ does not)
    logic [7:0]       rd;
    logic [1:0]       rd_n;      // words - 1: 0 or 1
    logic [WREG_W-1:0] wreg;     // warp register of rd
    logic [2:0]       pd0;       // 7 = none
    logic [2:0]       pd1;
    logic             preds;     // R2P: any of the predicates
    logic [2:0]       wbar;
  } dest_t;

  // The groups of these pipes.
  function automatic logic [cfg_pkg::GROUPS-1:0] groups_of(logic [cfg_pkg::PIPES-1:0] pipes);
    groups_of = '0;
    for (int unsigned p = 0; p < cfg_pkg::PIPES; p++) if (pipes[p]) groups_of[cfg_pkg::PIPE_GROUP[p]] = 1'b1;
  endfunction

  // Arrays of these are passed as plain vectors, of these widths.
  localparam int unsigned ID_W   = $bits(core_pkg::id_t);
  localparam int unsigned DEST_W = $bits(dest_t);

  // Register files are read by row group: a warp register without its bank number.
  localparam int unsigned GROUP_W = WREG_W - cfg_pkg::BANK_W;

  // Writes that the reuse cache gets in a cycle: one a group of pipes, and late rows a cycle after.
  localparam int unsigned DROPS = cfg_pkg::GROUPS + core_pkg::LATE_PORTS;

  // Rows of a bank: a row group has one for each beat. BANKS and BEATS are powers of two.
  localparam int unsigned ROWS  = cfg_pkg::REGS / cfg_pkg::BANKS * cfg_pkg::BEATS;
  localparam int unsigned ROW_W = $clog2(ROWS);

  // The reuse cache is filled from the operand bus, if the next instruction's same beat is read late enough; else a cycle earlier.
  localparam bit FILL_LATE = cfg_pkg::BEATS >= 4;

  // Words that are read for a beat, and where they go:
  //   general: a0, b0, c0, and x (the second word of a register branch's a or of IMAD.WIDE's c, a register or a constant)
  //   collected (memory, units with a latency of their own): both words of a, two of b; b's third and fourth, or operand c,
  //   follow as a second row c, x. Where no operand has two words, c takes the place of a's second one (kind_pkg::near_c)
  localparam int unsigned WORDS = 4, WORD_A = 0, WORD_B = 1, WORD_C = 2, WORD_X = 3;

  // Does a pipe read this word? (Register branches read as fma does.)
  function automatic logic reads_word(int unsigned pipe, int unsigned word);
    reads_word = pipe == cfg_pkg::PIPE_FMA || (word != WORD_X && (word != WORD_C || pipe != cfg_pkg::PIPE_CVT));
  endfunction

  // Special registers that follow from a lane's number, as `side_values` makes them: which bits of a 32-bit mask are set.
  typedef struct packed {
    logic number;      // no mask: the number itself
    logic earlier;     // bits of lanes in earlier beats
    logic below;       // bits of lower lanes of this beat
    logic own;         // the lane's bit
    logic flip;        // complement of all that
  } lane_kind_t;

  // What an instruction reads and writes, whatever its row and beat (operand_map). Warp registers are those of the first words.
  typedef struct packed {
    logic              coll;      // for a unit of varying latency
    logic              late;      // ... of the partition
    logic              c_near;    // kind_pkg::near_c
    logic [1:0]        last_row;  // rows of a beat, less one
    logic [2:0]        kept;      // operands a, b, c are in the reuse cache
    logic              a_reg, b_reg, c_reg;     // reads a register there, from its bank: not RZ, not kept
    logic              a_pair, b_pair, c_pair;  // ... and the next one
    logic              a_more;                  // ... of a also the third and fourth
    logic              c_any;     // has an operand c of any kind
    logic [WREG_W-1:0] a, b, c, d;              // operands; rd
    logic              rd_en;     // a fixed pipe writes it
    logic [cfg_pkg::PIPES-1:0]  pipe;      // one-hot; none for register branches and what is collected
    logic              preds;     // a fixed pipe writes predicates
    logic [cfg_pkg::BANKS-1:0] ports;  // write ports of each beat
  } plan_t;

  // Which of the queues of units its rows go to: none, or one.
  /* verilator lint_off UNUSEDSIGNAL */   // of the plan, some
  function automatic logic [kind_pkg::QUEUES-1:0] queue_of(plan_t plan);
    queue_of                        = '0;
    queue_of[kind_pkg::QUEUE_UNITS] = plan.late;
    queue_of[kind_pkg::QUEUE_MEM]   = plan.coll && !plan.late;
  endfunction
  /* verilator lint_on UNUSEDSIGNAL */

  // Passes, beyond one, of a row for one of these pipes, or of a register branch.
  function automatic logic [STAY_W-1:0] stay_of(logic [cfg_pkg::PIPES-1:0] pipe, logic branch);
    stay_of = branch ? STAY_W'(cfg_pkg::FMA_PASSES - 1) : '0;
    for (int unsigned p = 0; p < cfg_pkg::PIPES; p++) if (pipe[p]) stay_of |= STAY_W'(cfg_pkg::PIPE_PASSES[p] - 1);
  endfunction

  // Pipes that take rows from line k (core_pkg::LINES).
  function automatic logic [cfg_pkg::PIPES-1:0] pipes_of(int unsigned line);
    for (int unsigned p = 0; p < cfg_pkg::PIPES; p++) pipes_of[p] = core_pkg::line_of(p) == line;
  endfunction

  // With two readers: are its results there for what its warp issues after the next instruction that reads operands? Else its warp
  // issues the next one when all its rows have been read.
  /* verilator lint_off UNUSEDSIGNAL */   // of the plan, some
  function automatic logic soon_of(plan_t plan);
    soon_of = !plan.preds || cfg_pkg::LATENCY_ALU + 3 <= cfg_pkg::BEATS;
    for (int unsigned p = 0; p < cfg_pkg::PIPES; p++) begin
      if (plan.pipe[p] && cfg_pkg::PIPE_LATENCY[p] + 2 > 2 * cfg_pkg::BEATS) soon_of = 1'b0;
    end
  endfunction
  /* verilator lint_on UNUSEDSIGNAL */

  // The words of a row: which of them are read from the banks, and where they are.
  typedef struct packed {
    logic [WORDS-1:0]             need;
    logic [WORDS-1:0][WREG_W-1:0] wreg;
  } words_t;

  // What is still to be read of the row that is read now. Words that want one bank are read one after the other.
  typedef struct packed {
    logic [WORDS-1:0][cfg_pkg::BANKS-1:0] bank;     // of each word its bank; of one that is read, or not wanted, none
    logic [2:0]                           clash_a;  // word a wants the bank of b, c, x
    logic [1:0]                           clash_b;  // word b that of c, x
    logic                                 apart;    // no two want one: what is left is read in one cycle
  } reads_t;

  // A row of operands, but for its words. `dest` goes on to the write ports.
  typedef struct packed {
    logic                        valid;  // of a fixed pipe, or of a register branch
    logic [kind_pkg::QUEUES-1:0] into;   // ... or for one of these queues of units
    dest_t                       dest;
    logic [2:0]                  rbar;   // the read counter that falls with an instruction's last row
    logic [core_pkg::SLOTS-1:0]  used;   // operand words that it shows
    logic [exec_pkg::CTL_W-1:0]  ctl;    // what the pipes do
    logic [cfg_pkg::LANES-1:0]   ps0, ps1, ps2;
  } row_t;

  // What a row takes along from its last read to its dispatch.
  typedef struct packed {
    row_t              row;
    logic [31:0]       sval;      // immediate, constant, CTAID
    logic [31:0]       sval_hi;   // ... second word
    logic              sval_a;    // word a is sval: ULDC's address
    logic              sval_b;    // word b is sval (of a collected row with an operand c there: sval_hi)
    logic              sval_c;    // word c is sval
    logic              sval_x;    // word x is sval_hi
    logic              lane_b;    // operand b follows from the number of the lane
    lane_kind_t        lane;
    logic              tid_b;     // operand b is a thread id: y, z, else x
    logic              preds_c;   // P2R: operand c are the predicates
    logic              tid_y, tid_z;
  } beat_t;

  // A row of which the reuse cache may keep words.
  typedef struct packed {
    logic                              valid;
    logic [cfg_pkg::WARP_W-1:0]        slot;
    logic [cfg_pkg::BEAT_W-1:0]        beat;
    logic [2:0]                        fill;      // words a, b, c that it keeps
    logic [2:0][cfg_pkg::LANES-1:0][31:0] word;
  } kept_t;

  // The warp register of an architectural one, from where its warp's begin.
  /* verilator lint_off UNUSEDSIGNAL */   // of rbase the bits that a register file has
  function automatic logic [WREG_W-1:0] wreg_of(logic [15:0] rbase, logic [7:0] number);
    wreg_of = WREG_W'(rbase) + WREG_W'(number);
  endfunction
  /* verilator lint_on UNUSEDSIGNAL */

  // Where it is: the bank, the row group in it, and the row of a beat.
  function automatic logic [cfg_pkg::BANK_W-1:0] bank_of(logic [WREG_W-1:0] wreg);
    bank_of = cfg_pkg::BANK_W'(32'(wreg) % cfg_pkg::BANKS);
  endfunction

  function automatic logic [GROUP_W-1:0] group_of(logic [WREG_W-1:0] wreg);
    group_of = GROUP_W'(32'(wreg) / cfg_pkg::BANKS);
  endfunction

  function automatic logic [ROW_W-1:0] row_of(logic [GROUP_W-1:0] group, logic [cfg_pkg::BEAT_W-1:0] beat);
    row_of = ROW_W'(32'(group) * cfg_pkg::BEATS + ((cfg_pkg::BEATS > 1) ? 32'(beat) : 32'd0));
  endfunction

  // A tuple starts at a multiple of its size, its warp's registers anywhere.
  function automatic logic [WREG_W-1:0] word(logic [WREG_W-1:0] first, logic [1:0] number);
    word = first + WREG_W'(number);
  endfunction

  // Is it the row of operand c? The second row of a collected instruction: b's third and fourth word, or c (its b has none of
  // these), with it a's third and fourth. The third row: those of c.
  function automatic logic row_of_c(logic coll, logic c_any, logic [1:0] row);
    row_of_c = coll && c_any && row != '0;
  endfunction

  /* verilator lint_off UNUSEDSIGNAL */   // of the plan, some
  function automatic words_t words_of(plan_t plan, logic [1:0] row);
    logic second;
    second = row != '0;
    if (row_of_c(plan.coll, plan.c_any, row)) begin
      words_of.need = {plan.c_pair, plan.c_reg, {2{plan.a_more && plan.a_reg && !row[1]}}};
      words_of.wreg = {word(plan.c, {row[1], 1'b1}), word(plan.c, {row[1], 1'b0}), {(2*WREG_W){1'b0}}};
      if (core_pkg::HAS_QUADS) {words_of.wreg[1], words_of.wreg[0]} = {word(plan.a, 2'd3), word(plan.a, 2'd2)};
    end else if (plan.coll) begin
      words_of.need = {plan.b_pair, plan.b_reg, plan.c_near ? plan.c_reg : plan.a_pair && !second, plan.a_reg && !second};
      words_of.wreg = {word(plan.b, {second, 1'b1}), word(plan.b, {second, 1'b0}),
                       plan.c_near ? plan.c : word(plan.a, 2'd1), plan.a};
    end else begin
      words_of.need = {plan.a_pair || plan.c_pair, plan.c_reg, plan.b_reg, plan.a_reg};
      words_of.wreg = {word(plan.a_pair ? plan.a : plan.c, 2'd1), plan.c, plan.b, plan.a};
    end
  endfunction
  /* verilator lint_on UNUSEDSIGNAL */

  // What the answer of a unit with a latency of its own waits for, and the bank of its row: beside it, since the choice
  // comes late.
  typedef struct packed {
    logic             row;       // a row for the register file
    logic             free;      // ... that may be written now, if it gets a port
    logic             pred;
    logic             uni;
    logic             last;
    logic [cfg_pkg::BANK_W-1:0] bank;
  } need_t;

  // What r needs, while the ports of these banks are free.
  /* verilator lint_off UNUSEDSIGNAL */   // of the answer, some
  function automatic need_t needs(core_pkg::result_t r, logic [cfg_pkg::BANKS-1:0] free);
    automatic core_pkg::tag_t tag = r.tag;
    needs.row  = tag.row && tag.to.has_rd && r.mask != '0 && !tag.to.uni;
    needs.pred = tag.pred && (tag.to.pd0 != isa_pkg::PT || tag.to.pd1 != isa_pkg::PT) && r.mask != '0 && !tag.to.uni;
    needs.uni  = cfg_pkg::HAS_UNI && tag.to.uni && (tag.row || tag.pred);
    needs.last = tag.last;
    needs.bank = bank_of(wreg_of(tag.rbase, core_pkg::reg_of(tag)));
    // A second word above the last register is written nowhere.
    needs.free = (tag.word != '0 && core_pkg::reg_of(tag) == isa_pkg::RZ) || free[needs.bank];
  endfunction
  /* verilator lint_on UNUSEDSIGNAL */

endpackage
