// SPDX-License-Identifier: Apache-2.0
// Sizes and structs of the cache between an SM's load/store unit and the request channel (README.md).
// Latency, handshake: none, this is a package.
package l1_pkg;

  /* verilator lint_off UNUSEDPARAM */

  // A machine without a cache has none of these modules: its sizes are those of a small one.
  localparam bit          THERE    = cfg_pkg::L1_BYTES != 0;
  localparam int unsigned WAYS     = THERE ? cfg_pkg::L1_WAYS : 1;
  localparam int unsigned PLACES   = (THERE ? cfg_pkg::L1_BYTES : 1024) / line_pkg::LINE_BYTES;
  localparam int unsigned SETS     = PLACES / WAYS;
  localparam int unsigned SET_W    = (SETS > 1) ? $clog2(SETS) : 1;
  localparam int unsigned WAY_W    = (WAYS > 1) ? $clog2(WAYS) : 1;
  localparam int unsigned PLACE_W  = $clog2(PLACES);
  localparam int unsigned SECTORS  = line_pkg::SECTORS;
  localparam int unsigned LOADS    = line_pkg::LINES;             // tags of the load/store unit
  localparam int unsigned LOAD_W   = (LOADS > 1) ? $clog2(LOADS) : 1;
  // A line: where it lies, and whether it is one of local memory.
  localparam int unsigned KEY_W    = line_pkg::LINE_W + 1;
  localparam int unsigned REST_W   = KEY_W - ((SETS > 1) ? SET_W : 0);

  // A sector of a place.
  typedef enum logic [1:0] {
    EMPTY,    // nothing of the line
    COMING,   // asked for: a load may wait for it
    HERE,
    STALE     // given up while a load was to read it: nothing, but nothing else may come either
  } sector_e;

  typedef struct packed {
    logic [REST_W-1:0]       rest;     // of its line's key, above the set
    sector_e [SECTORS-1:0]   sector;
  } entry_t;

  // A fence as records have it; an emptying.
  typedef enum logic [1:0] {FENCE_CTA = 2'd0, FENCE_GPU = 2'd1, EMPTYING = 2'd2} fence_e;

  // The outcome of a request that passes.
  typedef struct packed {
    logic                    valid;
    logic                    keeps;    // a load for which the cache answers: now, or when it comes
    logic                    asks;     // ... of which sectors are asked for
    logic                    evicts;   // ... in the place of another line
    logic                    takes;    // a store to local memory: bytes go into the cache, too
    logic                    drops;    // sectors of its line are given up: those that it wants and `taken` has not
    logic [SECTORS-1:0]      taken;
    logic [SECTORS-1:0]      here;     // of a load: sectors that are there,
    logic [SECTORS-1:0]      coming;   // that come already,
    logic [SECTORS-1:0]      asked;    // that are asked for
    logic [SECTORS-1:0]      evicted;  // sectors of the other line that were there
    logic [PLACE_W-1:0]      place;    // of a load: where it lies
  } passed_t;

  // A refill has ended.
  typedef struct packed {
    logic                    valid;
    logic                    err;
    logic [PLACE_W-1:0]      place;
    logic [SECTORS-1:0]      sectors;
  } filled_t;

  // Lines of a set lie side by side.
  function automatic logic [PLACE_W-1:0] place_of(logic [SET_W-1:0] set, logic [WAY_W-1:0] way);
    place_of = PLACE_W'((32'(set) * WAYS + 32'(way)) % PLACES);
  endfunction
  function automatic logic [SET_W-1:0] set_of(logic [PLACE_W-1:0] place);
    set_of = SET_W'(32'(place) / WAYS);
  endfunction
  function automatic logic [WAY_W-1:0] way_of(logic [PLACE_W-1:0] place);
    way_of = WAY_W'(32'(place) % WAYS);
  endfunction

  /* verilator lint_on UNUSEDPARAM */

endpackage
