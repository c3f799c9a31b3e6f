// SPDX-License-Identifier: Apache-2.0
// Sizes and structs of a bank of the cache that all SMs share (README.md).
// Latency, handshake: none, this is a package.
// A "place" holds a line; a "row" is a beat of the bus, as the bank stores it. An "entry" is a request, from its credit on, and the
// AXI id of its fetch. A "park" holds the requests of a line that wait for memory. A "back" is a write-back, and its AXI id.
package l2_pkg;

  /* verilator lint_off UNUSEDPARAM */

  // A machine without this cache has none of these modules: its sizes are those of a small one.
  localparam bit          THERE    = cfg_pkg::L2_BYTES != 0;
  localparam int unsigned BANKS    = line_pkg::MEM_BANKS;
  localparam int unsigned BANK_LOG = $clog2(BANKS);
  localparam int unsigned WAYS     = THERE ? cfg_pkg::L2_WAYS : 2;
  localparam int unsigned PLACES   = (THERE ? cfg_pkg::L2_BYTES / BANKS : 1024) / line_pkg::LINE_BYTES;
  localparam int unsigned SETS     = PLACES / WAYS;          // two or more
  localparam int unsigned SET_W    = $clog2(SETS);
  localparam int unsigned WAY_W    = (WAYS > 1) ? $clog2(WAYS) : 1;
  localparam int unsigned REST_W   = line_pkg::LINE_W - BANK_LOG - SET_W;

  localparam int unsigned BITS     = line_pkg::BITS;         // of a row
  localparam int unsigned BYTES    = line_pkg::BYTES;
  localparam int unsigned WORDS    = (BITS < 64) ? 2 : BITS / 32;
  localparam int unsigned ROWS     = line_pkg::BEATS;
  localparam int unsigned ROW_W    = line_pkg::BEAT_W;
  localparam int unsigned SECTORS  = line_pkg::SECTORS;

  // As many requests and atomics as `order` has room for: credits and store data of order_pkg serve here, too; l2_bank asserts that
  // they are equal.
  localparam int unsigned ALL      = line_pkg::SENDERS * line_pkg::TAGS;
  localparam int unsigned ENTRIES  = (line_pkg::SENDERS == 1 || ALL <= 128) ? ALL : 128;
  localparam int unsigned ENTRY_W  = $clog2(ENTRIES);
  localparam int unsigned SLOTS    = (line_pkg::SENDERS * line_pkg::ATOMS <= 32) ? line_pkg::SENDERS * line_pkg::ATOMS : 32;
  localparam int unsigned SLOT_W   = (SLOTS > 1) ? $clog2(SLOTS) : 1;
  localparam int unsigned ID_W     = (ENTRY_W > 4) ? ENTRY_W : 4;
  localparam int unsigned PORTS    = line_pkg::AXI_PORTS;    // of the machine to memory, and banks behind one
  localparam int unsigned PER_PORT = BANKS / PORTS;
  localparam int unsigned AXI_ID_W = ID_W + $clog2(PER_PORT); // of a port: {which of its banks, id}

  // Lines that wait for memory, and write-backs: as many as cover a latency of 200 cycles where there are so many requests.
  localparam int unsigned PARKS    = (ENTRIES < 64) ? ENTRIES : 64;
  localparam int unsigned PARK_W   = (PARKS > 1) ? $clog2(PARKS) : 1;
  localparam int unsigned BACKS    = (ENTRIES <= 16) ? 4 : 32;
  localparam int unsigned BACK_W   = (BACKS > 1) ? $clog2(BACKS) : 1;

  /* verilator lint_on UNUSEDPARAM */

  // Host control: a flush of a range of lines, and its state.
  typedef struct packed {
    logic                         valid;     // a level, until flushed
    logic                         keep;      // lines stay, clean
    logic [line_pkg::LINE_W-1:0]  base;      // of lines from here on,
    logic [line_pkg::LINE_W:0]    limit;     // ... to this one, exclusive
  } flush_t;

  typedef struct packed {
    logic                         flushed;
    logic                         dirty;     // something is not in memory yet
    logic                         lost;      // a write-back failed: the first one's line
    logic [line_pkg::LINE_W-1:0]  lost_line;
  } flushed_t;

  typedef struct packed {
    logic [SET_W-1:0]             index;     // of its set
    logic [WAY_W-1:0]             way;
  } place_t;

  // A tag.
  typedef struct packed {
    logic                         valid;
    logic [REST_W-1:0]            rest;      // of its number, above bank and set
    logic [SECTORS-1:0]           there;     // each byte of it is valid, or will be when the fetches have come
    logic [ROWS-1:0]              dirty;     // rows written since the fill
  } way_t;

  typedef struct packed {
    logic [WAY_W-1:0]             turn;      // next victim
    way_t [WAYS-1:0]              way;
  } set_t;

  // A request, for the tags.
  typedef struct packed {
    logic [ENTRY_W-1:0]           entry;
    line_pkg::kind_e              kind;
    logic [line_pkg::LINE_W-1:0]  line;
    logic [SECTORS-1:0]           sectors;
    logic [SECTORS-1:0]           full;      // of a store: sectors written whole,
    logic [ROWS-1:0]              rows;      // and rows touched
  } ask_t;

  // A task, in this order: the place's line is evicted, then a request is performed, or part of a line fetched.
  typedef enum logic [1:0] {NOTHING = 2'd0, PERFORM = 2'd1, FETCHES = 2'd2} what_e;

  typedef struct packed {
    place_t                       place;
    logic                         gives;     // the line of this place is written back first,
    logic                         keeps;     // ... and stays, clean:
    logic [BACK_W-1:0]            back;
    logic [ROWS-1:0]              back_rows; // these rows of it
    what_e                        what;
    logic [ENTRY_W-1:0]           entry;     // of the request, or of the fetch
    logic [ROWS-1:0]              fresh;     // of a store: rows without a valid byte before it
    logic                         err;       // it ends with an error
  } task_t;

  // A fetch.
  typedef struct packed {
    logic [PARK_W-1:0]            park;      // its park
    place_t                       place;
    logic [line_pkg::LINE_W-1:0]  line;
    logic [SECTORS-1:0]           sectors;
    logic [ROWS-1:0]              dirty;     // rows with newer bytes
  } fetch_t;

  // Its end.
  typedef struct packed {
    logic                         valid;
    logic [PARK_W-1:0]            park;
    logic [SECTORS-1:0]           failed;
  } fetched_t;

  // An entry's request, for its steps.
  typedef struct packed {
    logic [line_pkg::BANK_TAG_W-1:0] tag;
    line_pkg::kind_e              kind;
    logic [SECTORS-1:0]           sectors;
    logic [SLOT_W-1:0]            slot;
    logic [5:0]                   op;
    logic                         wide;
    logic                         gives;
  } meta_t;

  // A step of the rows' pipeline.
  typedef enum logic [3:0] {
    S_LOAD,    // a row is read and sent
    S_STORE,   // ... written, with a store's bytes
    S_LANE,    // one or two words of it are changed by an atomic's lane
    S_WORDS,   // words of it, by a lane each
    S_BACK,    // it is read, to be written back
    S_CLEAN,   // ... and stays, clean
    S_MERGE,   // it comes from memory; newer bytes stay
    S_SHOW,    // no access: a sector of an atomic is recorded, a request ends
    S_ADD      // it is read, and a lane's word goes to the float adder; S_LANE follows with the sum
  } step_e;

  typedef struct packed {
    step_e                        kind;
    place_t                       place;
    logic [ROW_W-1:0]             row;
    logic [ENTRY_W-1:0]           entry;
    meta_t                        meta;
    logic                         shows;     // record of this sector,
    logic [1:0]                   sector;
    logic                         ends;      // the request's last step
    logic                         err;
    logic                         fresh;     // of a store: the whole row is written
    logic [4:0]                   lane;      // of S_LANE, S_ADD
    logic [4:0]                   word;      // ... and its word of the line
    logic [WORDS-1:0]             words;     // of S_WORDS
    logic [BACK_W-1:0]            back;      // of S_BACK, S_CLEAN
    logic                         dirty;     // ... the row is dirty
    logic                         last;      // ... the last row of it
  } step_t;

  // Bytes of a row, nine bits each: the ninth is 1 while memory lacks the byte.
  typedef logic [BYTES-1:0][8:0]  row_t;

  // A performed step, for the retire port.
  typedef struct packed {
    logic                         valid;
    step_t                        step;
    logic [WORDS-1:0][31:0]       found;
    logic [BYTES-1:0]             strb;      // bytes written
    logic [WORDS-1:0][31:0]       data;
  } done_t;

  // ---- where a line lies ------------------------------------------------------------------------
  function automatic logic [SET_W-1:0] set_of(logic [line_pkg::LINE_W-1:0] line);
    set_of = SET_W'(line >> BANK_LOG);
  endfunction
  function automatic logic [REST_W-1:0] rest_of(logic [line_pkg::LINE_W-1:0] line);
    rest_of = REST_W'(line >> (BANK_LOG + SET_W));
  endfunction
  function automatic logic [line_pkg::LINE_W-1:0] line_of(logic [REST_W-1:0] rest, logic [SET_W-1:0] set,
                                                          int unsigned bank);
    line_of = (line_pkg::LINE_W'({rest, set}) << BANK_LOG) | line_pkg::LINE_W'(bank);
  endfunction

  // Rows of sectors, and the sector of a row.
  function automatic logic [ROWS-1:0] rows_of(logic [SECTORS-1:0] sectors);
    for (int unsigned r = 0; r < ROWS; r++) rows_of[r] = sectors[r * SECTORS / ROWS];
  endfunction
  function automatic logic [1:0] sector_of(logic [ROW_W-1:0] row);
    sector_of = 2'(32'(row) * SECTORS / ROWS);
  endfunction

  // First and last of a set of rows.
  function automatic logic [ROW_W-1:0] first_row(logic [ROWS-1:0] rows);
    first_row = '0;
    for (int r = int'(ROWS) - 1; r >= 0; r--) if (rows[r]) first_row = ROW_W'(r);
  endfunction
  function automatic logic [ROW_W-1:0] last_row(logic [ROWS-1:0] rows);
    last_row = '0;
    for (int r = 0; r < int'(ROWS); r++) if (rows[r]) last_row = ROW_W'(r);
  endfunction

endpackage
