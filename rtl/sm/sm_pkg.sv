// SPDX-License-Identifier: Apache-2.0
// What travels together between the partitions of an SM and what they share. As in front_pkg, a
// struct holds nets of one producer that are known at the same time.
package sm_pkg;

  // Users pick what they need.
  /* verilator lint_off UNUSEDPARAM */

  // ---- from the dispatcher ---------------------------------------------------------------------
  // One row of thread ids: of a beat of a warp.
  typedef struct packed {
    logic [cfg_pkg::SM_WARP_W-1:0]    slot;
    logic [4:0]                       beat;
    logic [cfg_pkg::LANES-1:0][10:0]  x, y, z;
  } tid_t;

  // Blocks that begin and end.
  typedef struct packed {
    logic                             start_valid;
    logic [7:0]                       bslot;
    logic [cfg_pkg::SM_WARPS-1:0]     warps;      // warp i of the block is the i-th set bit
    logic [2:0][31:0]                 ctaid;      // x at index 0
    logic [23:0]                      shm_base;
    logic                             end_valid;
    logic [7:0]                       end_bslot;
  } blocks_t;

  // ---- to and from the caches, beside valid, ready and a tag -------------------------------------
  typedef struct packed {
    logic [4:0]                       bank;
    logic [15:0]                      off;
  } const_at_t;

  typedef struct packed {
    logic [cfg_pkg::FETCH_WORDS-1:0][127:0] word;
    core_pkg::err_t                   err;
  } group_t;

  typedef struct packed {
    logic [31:0]                      data;
    logic                             range;
    core_pkg::err_t                   err;
  } const_word_t;

  // ---- from the load/store unit: checks passed, traps --------------------------------------------
  typedef struct packed {
    logic                             checked_valid;
    logic [cfg_pkg::SM_WARP_W-1:0]    checked_slot;
    logic                             trap_valid;
    core_pkg::trap_t                  trap;
  } checks_t;

  // ---- from the barriers -------------------------------------------------------------------------
  typedef struct packed {
    logic                             valid;
    logic [7:0]                       bslot;
    logic [3:0]                       id;
    logic [cfg_pkg::SM_WARPS-1:0]     warps;
    core_pkg::red_t                   red;
    logic                             busy;       // a release may come
  } release_t;

  /* verilator lint_on UNUSEDPARAM */

  // ---- a bit for each warp: of the partitions by their own slots, of the SM by its slots ---------
  function automatic logic [cfg_pkg::SM_WARPS-1:0] sm_warps(logic [cfg_pkg::PARTITIONS-1:0][cfg_pkg::WARPS-1:0] own);
    for (int unsigned p = 0; p < cfg_pkg::PARTITIONS; p++)
      for (int unsigned w = 0; w < cfg_pkg::WARPS; w++) sm_warps[w*cfg_pkg::PARTITIONS+p] = own[p][w];
  endfunction

  function automatic logic [cfg_pkg::PARTITIONS-1:0][cfg_pkg::WARPS-1:0] part_warps(logic [cfg_pkg::SM_WARPS-1:0] all);
    for (int unsigned p = 0; p < cfg_pkg::PARTITIONS; p++)
      for (int unsigned w = 0; w < cfg_pkg::WARPS; w++) part_warps[p][w] = all[w*cfg_pkg::PARTITIONS+p];
  endfunction

endpackage
