// SPDX-License-Identifier: Apache-2.0
// What travels together between the front of a partition, its parts and their neighbours. A struct
// holds nets of one producer that are known at the same time: where one field could depend on what
// another one causes they are two structs, or a simulator would see a loop.
package front_pkg;

  // Users pick what they need.
  /* verilator lint_off UNUSEDPARAM */

  // ---- from fetch and the constant prefetch ----------------------------------------------------
  typedef struct packed {
    logic [cfg_pkg::WARPS-1:0]  bad_pc;   // its PC is no place of code
    logic [cfg_pkg::WARPS-1:0]  leaves;   // its buffer is about to be emptied, and filled anew
  } place_t;

  // Of the warp in S1.
  typedef struct packed {
    logic [31:0]                pc;
    logic                       lost;     // the host has said that it has no page for its word
    logic                       lost_cst; // ... for its constant operand
  } at_t;

  // ... its constant operand: why there is none.
  typedef struct packed {
    logic                       range;
    core_pkg::err_t             err;
  } const_t;

  // ---- to the instruction buffer: selected, issued, refused -----------------------------------
  typedef struct packed {
    logic [cfg_pkg::WARPS-1:0]  sel;
    logic [cfg_pkg::WARPS-1:0]  pop;
    logic [cfg_pkg::WARPS-1:0]  back;     // its entry is the head again
  } take_t;

  // ---- to fetch: the entry of S1's warp has no page, and is to be fetched anew ------------------
  typedef struct packed {
    logic                       valid;
    logic                       cst;      // ... of its constant operand
  } absent_t;

  // ---- to and from the uniform datapath --------------------------------------------------------
  typedef struct packed {
    logic                       read;     // an instruction that issues now may read it
    logic                       valid;    // a cycle later: it is one of its own
  } uni_t;

  typedef struct packed {
    logic                       starved;  // late results wait for its write port
    logic [6:0]                 pred;     // of the warp in S1
    logic                       done_valid;
    core_pkg::done_t            done;
  } uniform_t;

  // ---- to operand: what issues now; a cycle later, beside the uop ------------------------------
  typedef struct packed {
    logic                       valid;
    logic [cfg_pkg::WARP_W-1:0] slot;
    logic [15:0]                rbase;
    isa_pkg::dec_t              dec;
  } pre_t;

  typedef struct packed {
    logic [core_pkg::READERS-1:0] valid;  // the uop of this reader reads operands, and stands until its `ready`
    logic                       first;    // ... of one, in the first cycle of it
    logic                       ctl;      // it is one for divergence
  } issued_t;

  // ---- from operand ----------------------------------------------------------------------------
  typedef struct packed {
    logic [core_pkg::READERS-1:0] ready;  // the uop of this reader is not wanted any more (two readers: it goes on into its reader)
    logic                       hold;     // one reader: no row is completed: stall counts stand still
    logic [kind_pkg::QUEUES-1:0][1:0] leave;   // places of each queue of units that are free again
    logic [core_pkg::READERS-1:0] disp_valid;
    logic [core_pkg::READERS-1:0][cfg_pkg::WARP_W-1:0] disp_slot;
    logic [core_pkg::READERS-1:0][2:0] disp_rbar;
    logic [core_pkg::LINES-1:0] gone;     // row queues: the last row of an instruction has left its queue; two readers: its warp goes on
    logic [core_pkg::LINES-1:0] done;     // two readers: the last row of an instruction is read, of the same warp
    logic [core_pkg::LINES-1:0][cfg_pkg::WARP_W-1:0] gone_slot;
  } operand_t;

  // The predicates of a beat are read, a cycle ahead.
  typedef struct packed {
    logic                       en;
    logic [cfg_pkg::WARP_W-1:0] slot;
    logic [4:0]                 beat;
  } pred_read_t;

  // ---- from writeback: instructions that end, predicates of a beat -----------------------------
  typedef struct packed {
    logic            [cfg_pkg::GROUPS-1:0] fixed_valid;
    core_pkg::done_t [cfg_pkg::GROUPS-1:0] fixed;
    logic                                  late_valid;  // of the load/store unit, of units
    core_pkg::done_t                       late;
  } ends_t;

  typedef struct packed {
    logic                               valid;
    core_pkg::id_t                      id;
    logic [4:0]                         beat;
    logic [2:0]                         pd0, pd1;
    logic [cfg_pkg::LANES-1:0]          mask, d0, d1;
    logic                               all;   // instead of pd0, pd1: each in lanes `en`
    logic [6:0][cfg_pkg::LANES-1:0]     en, val;
  } pred_write_t;

  // ---- from the load/store unit: checks passed, traps ------------------------------------------
  typedef struct packed {
    logic                       checked_valid;
    logic [cfg_pkg::WARP_W-1:0] checked_slot;
    logic                       trap_valid;
    core_pkg::trap_t            trap;
  } checks_t;

  // ---- to and from divergence: a warp and one of its barriers, looked up; ends and traps -------
  typedef struct packed {
    logic [cfg_pkg::WARP_W-1:0] slot;
    logic [3:0]                 bx;
  } look_t;

  typedef struct packed {
    logic [31:0]                active;
    logic [31:0]                live;
    logic [31:0]                members;
    logic [31:0]                parked;
    logic [31:0]                parkpc;
  } paths_t;

  typedef struct packed {
    logic                       valid;
    logic [cfg_pkg::WARP_W-1:0] slot;
    logic                       redirect;       // it goes on where fetch is not
    logic                       moved;          // ... not behind the instruction
    logic                       ended;
    logic [31:0]                pc;
  } moved_t;

  typedef struct packed {
    logic                       valid;
    core_pkg::trap_t            trap;
  } control_trap_t;

  // ---- to the cache: a fence or an emptying has issued -------------------------------------------
  typedef struct packed {
    logic                       valid;
    l1_pkg::fence_e             kind;
    core_pkg::id_t              id;
  } fence_t;

  // ---- to and from the barriers between warps --------------------------------------------------
  typedef struct packed {
    logic                       ask;
    logic [cfg_pkg::WARP_W-1:0] slot;
    core_pkg::bar_t             bar;
  } arrive_t;

  typedef struct packed {
    logic                       grant;    // it is this partition's turn to ask
    logic                       misuse;
  } answer_t;

  typedef struct packed {
    logic                       valid;
    logic [cfg_pkg::WARPS-1:0]  warps;
    core_pkg::red_t             red;
    logic                       busy;     // a release may come
  } release_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
