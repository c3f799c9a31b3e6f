// SPDX-License-Identifier: Apache-2.0
// What travels together in the back half of a partition: between its parts (operand stage, pipes,
// write ports, late results) and to its neighbours. As in front_pkg, a struct holds nets of one
// producer that are known at the same time: where one field could depend on what another one causes
// they are two structs, or a simulator would see a loop.
package bus_pkg;

  // Users pick what they need.
  /* verilator lint_off UNUSEDPARAM */

  // ---- words of a row on their way from the memories to the bus and the queues ---------------------
  typedef struct packed {
    logic [back_pkg::WORDS-1:0]       take;    // words that arrive now: early ones, or the last ones
    logic [back_pkg::WORDS-1:0][cfg_pkg::LANES-1:0][31:0] words;   // zeros among them
    logic                             last;    // its last words arrive: the row is complete
    logic [kind_pkg::QUEUES-1:0]      into;    // of a row for this queue of units, early ones too
    logic                             fma;     // ... for fma, or of a register branch; else of alu, cvt, half
    back_pkg::row_t                   row;     // with the last ones
  } coming_t;

  // ---- from a reader of operands: an instruction comes to a queue of units, before its first row ---
  typedef struct packed {
    logic [kind_pkg::QUEUES-1:0]      into;        // to this one
    logic [1:0]                       last_row;    // its beats are so many rows and one
    core_pkg::uop_t                   uop;
  } entry_t;

  // ---- from a reader of operands: to issue; to the other reader; to the register file ------------------
  typedef struct packed {
    logic                             ready;      // as front_pkg::operand_t has them
    logic                             hold;
    logic                             gone;
    logic                             done;
    logic [cfg_pkg::WARP_W-1:0]       gone_slot;
  } read_t;

  typedef struct packed {
    logic                             valid;
    logic [cfg_pkg::WARP_W-1:0]       slot;
  } reads_warp_t;

  typedef struct packed {
    logic [cfg_pkg::BANKS-1:0]                        en;
    logic [cfg_pkg::BANKS-1:0][back_pkg::GROUP_W-1:0] group;   // zero without en
    logic [cfg_pkg::BANKS-1:0][cfg_pkg::BEAT_W-1:0]   beat;
  } bank_read_t;

  // ---- the operand bus: a row of operands, what it is (back_pkg) and what it carries ------------
  typedef struct packed {
    logic [cfg_pkg::LANES-1:0][31:0]  x, c, b, a;   // back_pkg::WORD_*
  } words_t;

  // A row as its pipes take it: on the bus, or behind their queue. row.valid comes with its first pass.
  typedef struct packed {
    back_pkg::row_t                   row;
    words_t                           words;
    logic                             more;    // a later pass of it
    logic [back_pkg::STAY_W-1:0]      left;    // passes that are still to come
  } line_t;

  // ---- to the reservation table: what a beat will need, two cycles before it is on the bus, or as it leaves its queue ------
  typedef struct packed {
    logic [cfg_pkg::BANKS-1:0]        ports;
    logic [cfg_pkg::PIPES-1:0]        pipe;    // one-hot, or none
    logic                             preds;
  } claim_t;

  localparam int unsigned CLAIM_W = $bits(claim_t);

  // What a row claims; of one that is not there, nothing.
  /* verilator lint_off UNUSEDSIGNAL */   // of where results go, some
  function automatic claim_t claim_of(logic valid, back_pkg::dest_t dest);
    claim_of.pipe  = valid ? dest.pipe : '0;
    claim_of.preds = dest.preds || dest.pd0 != isa_pkg::PT || dest.pd1 != isa_pkg::PT;
    claim_of.ports = '0;
    if (dest.rd_en) begin
      claim_of.ports[back_pkg::bank_of(dest.wreg)] = 1'b1;
      if (dest.rd_n != 2'd0) claim_of.ports[back_pkg::bank_of(dest.wreg + back_pkg::WREG_W'(1))] = 1'b1;
    end
  endfunction
  /* verilator lint_on UNUSEDSIGNAL */

  // From it to writeback: beats with results at the end of each pipe.
  typedef struct packed {
    logic [cfg_pkg::PIPES-1:0]            valid;
    back_pkg::dest_t [cfg_pkg::PIPES-1:0] dest;
  } due_t;

  // Back to it: late results have waited long for these ports.
  typedef struct packed {
    logic [cfg_pkg::BANKS-1:0]        banks;
    logic                             preds;
  } starved_t;

  // ---- results of the fixed pipes ---------------------------------------------------------------
  typedef struct packed {
    // A word for a bank of even, one for a bank of odd number: the same, where a result has not two (back_pkg::PAIRS).
    logic [cfg_pkg::PIPES-1:0][1:0][cfg_pkg::LANES-1:0][31:0] word;
    logic [cfg_pkg::LANES-1:0]        pd0, pd1;
  } results_t;

  // ---- to the units of the partition, and to memory: a beat of a collected instruction ----------
  typedef struct packed {
    logic [kind_pkg::UNITS-1:0]       valid;
    core_pkg::varop_t                 op;
    logic [4:0]                       beat;
    logic [core_pkg::SLOTS-1:0][cfg_pkg::LANES-1:0][31:0] data;
  } unit_beat_t;

  typedef struct packed {
    logic                             valid;
    core_pkg::memop_t                 op;
    logic [4:0]                       beat;
    logic [core_pkg::MEM_SLOTS-1:0][cfg_pkg::LANES-1:0][31:0] data;
  } mem_beat_t;

  // ---- late register rows, and the end of a late instruction ------------------------------------
  typedef struct packed {
    logic [core_pkg::LATE_PORTS-1:0]              valid;
    core_pkg::result_t [core_pkg::LATE_PORTS-1:0] row;
  } late_rows_t;

  typedef struct packed {
    logic                             valid;
    core_pkg::tag_t                   tag;
  } late_end_t;

  // ---- from the write ports: to the register file, to the reuse cache ---------------------------
  typedef struct packed {
    logic [cfg_pkg::BANKS-1:0][cfg_pkg::LANES-1:0]       en;
    logic [cfg_pkg::BANKS-1:0][back_pkg::ROW_W-1:0]      row;
    logic [cfg_pkg::BANKS-1:0][cfg_pkg::LANES-1:0][31:0] data;
  } write_t;

  // ... and the writer of each port, which the register file does not see.
  typedef struct packed {
    core_pkg::id_t                    id;
    logic [7:0]                       rd;
    logic [4:0]                       beat;
  } writer_t;

  typedef struct packed {
    logic [back_pkg::DROPS-1:0]                      valid;
    logic [back_pkg::DROPS-1:0]                      pair;   // and the next register
    logic [back_pkg::DROPS-1:0][cfg_pkg::WARP_W-1:0] slot;
    logic [back_pkg::DROPS-1:0][7:0]                 rd;
  } drop_t;

  // ---- to divergence: what control instructions read, some lanes at a time -----------------------
  typedef struct packed {
    logic                                  valid;
    logic [cfg_pkg::WARP_W-1:0]            slot;
    logic [4:0]                            beat;
    logic [core_pkg::BR_LANES-1:0][31:0]   lo, hi;
  } branch_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
