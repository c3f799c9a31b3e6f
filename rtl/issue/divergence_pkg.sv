// SPDX-License-Identifier: Apache-2.0
// What the parts of the divergence unit hand to each other.
// Latency: none.
// Handshake: none.
// It does not hold logic.
package divergence_pkg;

  // What a control instruction is, once its word is gone.
  typedef enum logic [3:0] {
    KIND_BRANCH, KIND_TARGET, KIND_BSSY, KIND_BSYNC, KIND_BREAK, KIND_EXIT, KIND_WARPSYNC, KIND_SET, KIND_CLEAR, KIND_YIELD,
    KIND_SLEEP, KIND_NONE
  } kind_e;

  // The barrier of WARPSYNC, beside B0-B15.
  localparam logic [4:0] BX_W = 5'd16;

  // Where an instruction lies, and so what comes after it: its PC, and in the lowest bit, which is 0 in every PC, whether it is a
  // short word. So the same PC is the same number, and what is parked needs no bit more. (All words long: the PC.)
  function automatic logic [31:0] at_of(logic [31:0] pc, logic is_short);
    at_of = pc | 32'(isa_pkg::HAS_SHORT && is_short);
  endfunction

  function automatic logic [31:0] pc_of(logic [31:0] at);
    pc_of = at & ~32'(isa_pkg::HAS_SHORT);
  endfunction

  // Bytes from it to the next one.
  /* verilator lint_off UNUSEDSIGNAL */
  function automatic logic [31:0] size_of(logic [31:0] at);
    size_of = (isa_pkg::HAS_SHORT && at[0]) ? 32'd8 : 32'd16;
  endfunction
  /* verilator lint_on UNUSEDSIGNAL */

  typedef struct packed {
    kind_e         kind;
    logic          counts;     // towards the end of a turn
    logic          followed;   // fetch has gone on at the target
    core_pkg::id_t id;
    logic [31:0]   at;         // at_of(PC, size)
    logic [31:0]   exec;
    logic [31:0]   target;
    logic [4:0]    bx;
  } ctl_t;

  // What is wanted of it before its memory can be read.
  typedef struct packed {
    kind_e         kind;
    logic          counts;
    logic [4:0]    bx;
  } first_t;

  // A warp's row: all of its divergence state but paths and sets. The upper fields are those of `its`.
  typedef struct packed {
    logic [31:0]   strays;      // lanes that are parked, but not in the first path of their barrier
    logic [5:0]    stray_paths; // how many paths they make
    logic [5:0]    turn;        // instructions of this turn
    logic [4:0]    first;       // place of the path that waits longest
    logic [5:0]    depth;       // how many paths wait
    logic          parked_w, written_w;
    logic [15:0]   has_parked;  // where lanes are parked
    logic [15:0]   written;     // which sets have been written since the warp started: the others are empty
    logic [31:0]   live;
    logic [31:0]   active;
  } row_t;
  localparam int unsigned ROW_Q_W = 80, ROW_STACK_W = 104, ROW_W = 153;   // what issue asks for; `stack`; `its`

  // A convergence barrier; parkpc is where its first path is parked (at_of).
  typedef struct packed {
    logic [31:0]   parkpc;
    logic [31:0]   parked;
    logic [31:0]   members;
  } sets_t;

  // Of a path that is parked, pc is where (at_of); of one that waits, where it goes on.
  typedef struct packed {
    logic [31:0]   pc;
    logic [31:0]   mask;
  } path_t;

  // For observers (rtl/retire/retire_hash.sv): places of a warp's memories, and what is stored there.
  typedef struct packed {
    logic [cfg_pkg::WARP_W-1:0] slot;
    logic [4:0]                 bx;      // 16: W
    logic [4:0]                 entry;   // of the list
    logic [4:0]                 path;
  } look_t;

  typedef struct packed {
    sets_t sets;
    path_t entry;
    path_t path;
  } stored_t;

  // What a step does there, in the cycle in which it is written.
  typedef struct packed {
    look_t       look;
    logic        bar;         // a barrier is written
    logic        park;        // ... and with it an entry of the list
    logic        listed;      // with push: an entry leaves the list
    logic        push;        // a path comes to wait
    logic        pop;         // one goes on
    logic [4:0]  name;        // of the path: depth, or lowest lane
    path_t       top;         // the path that goes on
    sets_t       sets;        // the barrier before
    logic [31:0] strays;      // of its parked lanes those beside its first path
    path_t       entry;       // of the list, as it is written or leaves
    logic [31:0] entry_old;   // its lanes before
  } did_t;

endpackage
