// SPDX-License-Identifier: Apache-2.0
// What travels together in the back half of a partition: between its parts (operand stage, pipes,
// write ports, late results) and to its neighbours. As in front_pkg, a struct holds nets of one
// producer that are known at the same time: where one field could depend on what another one causes
// they are two structs, or a simulator would see a loop.
package bus_pkg;

  // Users pick what they need.
  /* verilator lint_off UNUSEDPARAM */

  // ---- a row of operands on its way from the memories to the bus, or some early words of one ------
  typedef struct packed {
    logic                             last_read;   // its last words arrive now
    logic [1:0][cfg_pkg::BANKS-1:0]   early;       // words a, b arrive, each from its bank
    logic [kind_pkg::QUEUES-1:0]      into;        // ... of a row for this queue of units, as the last ones
    logic [back_pkg::WORDS-1:0][cfg_pkg::BANKS-1:0] from_bank;   // one-hot, or none
    logic [1:0]                       from_early;
    logic                             from_tid;    // word b from the thread ids
    logic [2:0]                       fill;        // the reuse cache keeps words a, b, c
    logic                             line;        // of a row for the pipes, and of its early words: it is for fma, or of a branch
    back_pkg::beat_t                  beat;
  } coming_t;

  // ---- from a reader of operands: to issue; to the other reader; to the register file and the thread ids ------------------
  typedef struct packed {
    logic                             ready;      // as front_pkg::operand_t has them
    logic                             hold;
    logic                             disp_valid;
    logic [cfg_pkg::WARP_W-1:0]       disp_slot;
    logic [2:0]                       disp_rbar;
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

  typedef struct packed {
    logic                             en;
    logic [cfg_pkg::WARP_W-1:0]       slot;
    logic [cfg_pkg::BEAT_W-1:0]       beat;
    logic                             y, z;       // a cycle later: which of x, y, z
  } tid_read_t;

  // ---- the operand bus: a row of operands, what it is and what it carries -----------------------
  typedef struct packed {
    logic                             valid;   // of a fixed pipe, or of a register branch
    logic [kind_pkg::QUEUES-1:0]      into;    // ... or for one of these queues of units
    back_pkg::dest_t                  dest;
    logic [core_pkg::SLOTS-1:0]       used;    // operand words that it shows
    logic [exec_pkg::CTL_W-1:0]       ctl;     // what the pipes do
    logic [cfg_pkg::LANES-1:0]        ps0, ps1, ps2;
  } row_t;

  typedef struct packed {
    logic [cfg_pkg::LANES-1:0][31:0]  x, c, b, a;   // back_pkg::WORD_*
  } words_t;

  // A row as its pipes take it: on the bus, or behind their queue.
  typedef struct packed {
    row_t                             row;
    words_t                           words;
  } line_t;

  // ---- to the reservation table: what a beat will need, two cycles before it is on the bus, or as it leaves its queue ------
  typedef struct packed {
    logic [cfg_pkg::BANKS-1:0]        ports;
    logic [cfg_pkg::PIPES-1:0]        pipe;    // one-hot, or none
    logic                             preds;
  } claim_t;

  localparam int unsigned CLAIM_W = $bits(claim_t);

  // From it to writeback: beats whose results stand at the end of each pipe.
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

  // ... and whose it is, at each port: the register file does not ask.
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
