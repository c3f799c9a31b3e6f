// SPDX-License-Identifier: Apache-2.0
// Sizes and structs of a bank of the cache that all SMs share (README.md).
// Latency, handshake: none, this is a package. A "place" is where a line lies in the bank, a "row" a
// beat of the bus as the bank holds it; an "entry" is a request, from its credit on, and the AXI id of
// what it fetches; a "park" holds the requests of a line that wait for memory, a "back" is a
// write-back under way, and the AXI id of it.
// It knows no bit number of the instruction word.
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

  // As many requests, and atomics among them, as `order` has room for (order_pkg, whose credits and
  // bytes of stores serve here too: l2_bank asks that they are the same).
  localparam int unsigned ALL      = line_pkg::SENDERS * line_pkg::TAGS;
  localparam int unsigned ENTRIES  = (line_pkg::SENDERS == 1 || ALL <= 128) ? ALL : 128;
  localparam int unsigned ENTRY_W  = $clog2(ENTRIES);
  localparam int unsigned SLOTS    = (line_pkg::SENDERS * line_pkg::ATOMS <= 32) ? line_pkg::SENDERS * line_pkg::ATOMS : 32;
  localparam int unsigned SLOT_W   = (SLOTS > 1) ? $clog2(SLOTS) : 1;
  localparam int unsigned ID_W     = (ENTRY_W > 4) ? ENTRY_W : 4;
  localparam int unsigned PORTS    = line_pkg::AXI_PORTS;    // of the machine to memory, and banks behind one
  localparam int unsigned PER_PORT = BANKS / PORTS;
  localparam int unsigned AXI_ID_W = ID_W + $clog2(PER_PORT); // of a port: {which of its banks, id}

  // Lines that wait for memory, and that are on their way back to it: as many as cover a latency of
  // 200 cycles where there are requests for so many.
  localparam int unsigned PARKS    = (ENTRIES < 64) ? ENTRIES : 64;
  localparam int unsigned PARK_W   = (PARKS > 1) ? $clog2(PARKS) : 1;
  localparam int unsigned BACKS    = (ENTRIES <= 16) ? 4 : 32;
  localparam int unsigned BACK_W   = (BACKS > 1) ? $clog2(BACKS) : 1;

  /* verilator lint_on UNUSEDPARAM */

  // From and to the host's control: a flush of the lines of a range, and how it stands.
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

  // What the tags know of a line.
  typedef struct packed {
    logic                         valid;
    logic [REST_W-1:0]            rest;      // of its number, above bank and set
    logic [SECTORS-1:0]           there;     // every byte of it is right, or will be once what was asked for has come
    logic [ROWS-1:0]              dirty;     // rows that have been written since the line has this place
  } way_t;

  typedef struct packed {
    logic [WAY_W-1:0]             turn;      // that gives way next
    way_t [WAYS-1:0]              way;
  } set_t;

  // A request as the tags see it.
  typedef struct packed {
    logic [ENTRY_W-1:0]           entry;
    line_pkg::kind_e              kind;
    logic [line_pkg::LINE_W-1:0]  line;
    logic [SECTORS-1:0]           sectors;
    logic [SECTORS-1:0]           full;      // of a store: those that it writes entirely,
    logic [ROWS-1:0]              rows;      // and rows of which it writes something
  } ask_t;

  // What is to be done, in this order: the line that has a place gives way, then a request is
  // performed, or part of a line is fetched.
  typedef enum logic [1:0] {NOTHING = 2'd0, PERFORM = 2'd1, FETCHES = 2'd2} what_e;

  typedef struct packed {
    place_t                       place;
    logic                         gives;     // the line at this place is written back first,
    logic                         keeps;     // ... and stays, clean:
    logic [BACK_W-1:0]            back;
    logic [ROWS-1:0]              back_rows; // these rows of it
    what_e                        what;
    logic [ENTRY_W-1:0]           entry;     // of the request, or whose fetch it is
    logic [ROWS-1:0]              fresh;     // of a store: rows in which nothing means anything before it
    logic                         err;       // it ends with an error
  } task_t;

  // Part of a line that is fetched.
  typedef struct packed {
    logic [PARK_W-1:0]            park;      // who waits for it
    place_t                       place;
    logic [line_pkg::LINE_W-1:0]  line;
    logic [SECTORS-1:0]           sectors;
    logic [ROWS-1:0]              dirty;     // rows in which bytes stand that are newer
  } fetch_t;

  // It has come, or failed.
  typedef struct packed {
    logic                         valid;
    logic [PARK_W-1:0]            park;
    logic [SECTORS-1:0]           failed;
  } fetched_t;

  // What an entry is for, where it is performed.
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
    S_LOAD,    // a row is read, and sent
    S_STORE,   // ... written, with a store's bytes
    S_LANE,    // a word of it, or two, are changed by a lane of an atomic
    S_WORDS,   // words of it by a lane each
    S_BACK,    // it is read, to be written back
    S_CLEAN,   // ... and stays: memory has all of it from then on
    S_MERGE,   // it comes from memory, and bytes of it that are newer stay
    S_SHOW,    // nothing: a sector of an atomic is shown, a request ends
    S_ADD      // it is read, and a lane's word goes to the adder of floats; S_LANE follows with the sum
  } step_e;

  typedef struct packed {
    step_e                        kind;
    place_t                       place;
    logic [ROW_W-1:0]             row;
    logic [ENTRY_W-1:0]           entry;
    meta_t                        meta;
    logic                         shows;     // a record: of this sector,
    logic [1:0]                   sector;
    logic                         ends;      // its request's last step
    logic                         err;
    logic                         fresh;     // of a store: all of the row is written
    logic [4:0]                   lane;      // of S_LANE, S_ADD
    logic [4:0]                   word;      // ... and which of the line it changes
    logic [WORDS-1:0]             words;     // of S_WORDS
    logic [BACK_W-1:0]            back;      // of S_BACK, S_CLEAN
    logic                         dirty;     // ... the row has something to be written
    logic                         last;      // ... the last row of it
  } step_t;

  // Bytes of a row as they lie: nine bits each, the ninth says that memory does not have it yet.
  typedef logic [BYTES-1:0][8:0]  row_t;

  // A step has been performed: what of it the retire port shows.
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

  // First and last of some rows.
  function automatic logic [ROW_W-1:0] first_row(logic [ROWS-1:0] rows);
    first_row = '0;
    for (int r = int'(ROWS) - 1; r >= 0; r--) if (rows[r]) first_row = ROW_W'(r);
  endfunction
  function automatic logic [ROW_W-1:0] last_row(logic [ROWS-1:0] rows);
    last_row = '0;
    for (int r = 0; r < int'(ROWS); r++) if (rows[r]) last_row = ROW_W'(r);
  endfunction

endpackage
