// SPDX-License-Identifier: Apache-2.0
// Widths, structs and small functions that the folder shares.
// Latency, handshake: none, this is a package. An "entry" is a request of memory, from its credit on; its number is the AXI id.
// A "slot" is an atomic among them. A "beat" is BITS bits of a line of 128 bytes, a "row" a beat as a memory holds it.
// It has no bit number of the instruction word.
package order_pkg;

  /* verilator lint_off UNUSEDPARAM */

  // Room for the requests of all senders, up to a table that compares all of them.
  localparam int unsigned ALL     = line_pkg::SENDERS * line_pkg::TAGS;
  localparam int unsigned ENTRIES = (line_pkg::SENDERS == 1 || ALL <= 128) ? ALL : 128;
  localparam int unsigned ENTRY_W = $clog2(ENTRIES);
  localparam int unsigned SLOTS   = (line_pkg::SENDERS * line_pkg::ATOMS <= 32) ? line_pkg::SENDERS * line_pkg::ATOMS : 32;
  localparam int unsigned SLOT_W  = (SLOTS > 1) ? $clog2(SLOTS) : 1;
  localparam int unsigned BITS    = line_pkg::BITS;
  localparam int unsigned BEATS   = line_pkg::BEATS;
  localparam int unsigned BEAT_W  = line_pkg::BEAT_W;

  // Words kept for the retire port that are few enough for LUT memory: 30 block RAMs fewer beside `tiny`.
  localparam int unsigned FEW = 32;

  // A line of an atomic is in rows of whole pairs of words.
  localparam int unsigned ROW_BITS  = (BITS < 64) ? 64 : BITS;
  localparam int unsigned ROW_WORDS = ROW_BITS / 32;
  localparam int unsigned ROWS      = 1024 / ROW_BITS;
  localparam int unsigned ROW_W     = (ROWS > 1) ? $clog2(ROWS) : 1;

  /* verilator lint_on UNUSEDPARAM */

  // Events: each counts in the cycle in which it is valid.
  // A request with its places; before it comes, those of the next one.
  typedef struct packed {
    logic                           valid;
    logic [ENTRY_W-1:0]             entry;
    logic [SLOT_W-1:0]              slot;      // of an atomic
    line_pkg::request_t             rq;
  } asked_t;

  // A request that waits for its line, and goes on.
  typedef struct packed {
    logic [ENTRY_W-1:0]             entry;
    line_pkg::kind_e                kind;
    logic [line_pkg::LINE_W-1:0]    line;
    logic [line_pkg::SECTORS-1:0]   sectors;
  } going_t;

  // A write: a store, an atomic's line.
  typedef struct packed {
    logic                           atom;
    logic [ENTRY_W-1:0]             entry;
    logic [SLOT_W-1:0]              slot;
  } towrite_t;

  // An entry's request, for its responses.
  typedef struct packed {
    logic [line_pkg::BANK_TAG_W-1:0] tag;
    line_pkg::kind_e                kind;
    logic [line_pkg::SECTORS-1:0]   sectors;
    logic [SLOT_W-1:0]              slot;
  } meta_t;

  /* verilator lint_off UNUSEDSIGNAL */   // of the request, this part
  function automatic meta_t meta_of(asked_t asked);
    meta_of = '{tag: line_pkg::bank_tag(asked.rq.sm, asked.rq.tag), kind: asked.rq.kind, sectors: asked.rq.sectors, slot: asked.slot};
  endfunction
  /* verilator lint_on UNUSEDSIGNAL */

  // An atomic with its line from memory.
  typedef struct packed {
    logic [ENTRY_W-1:0]             entry;
    logic [line_pkg::BANK_TAG_W-1:0] tag;
    logic [5:0]                     op;
    logic                           wide;
    logic                           gives;
  } atom_t;

  // An INCR burst: a request's beats from `first` on.
  typedef struct packed {
    logic [ENTRY_W-1:0]             entry;
    logic [line_pkg::LINE_W-1:0]    line;
    logic [BEAT_W-1:0]              first;
    logic [BEAT_W-1:0]              more;      // beats after the first
  } burst_t;

  // A beat that was read, and its place in the line.
  typedef struct packed {
    logic                           valid;
    logic                           atom;      // of an atomic's line
    logic [ENTRY_W-1:0]             entry;
    logic [SLOT_W-1:0]              slot;      // of an atomic
    logic [BEAT_W-1:0]              beat;
    logic [BITS-1:0]                data;
  } found_t;

  // A row to be written and its bytes: a store's by entry, an atomic's line by slot.
  typedef struct packed {
    logic                           valid;
    logic                           atom;
    logic [ENTRY_W-1:0]             entry;
    logic [SLOT_W-1:0]              slot;
    logic [BEAT_W-1:0]              beat;
  } row_t;

  typedef struct packed {
    logic [line_pkg::BYTES-1:0]     strb;
    logic [BITS-1:0]                data;
  } bytes_t;

  // A request after its memory accesses.
  typedef struct packed {
    logic [ENTRY_W-1:0]             entry;
    logic                           err;
  } ended_t;

  // Its end: its places are free.
  typedef struct packed {
    logic                           valid;
    logic [ENTRY_W-1:0]             entry;
    logic                           atom;
    logic [SLOT_W-1:0]              slot;
  } leave_t;

  // Bytes of a store, nine bits each, with the strobe; the first bytes of a row overwrite all of it.
  typedef struct packed {
    logic                                valid;
    logic [ENTRY_W-1:0]                  entry;
    logic [BEAT_W-1:0]                   beat;
    logic [line_pkg::BYTES-1:0]          en;
    logic [line_pkg::BYTES-1:0][8:0]     data;
  } stored_t;

  // Words of an atomic's line, 33 bits each, with a change bit.
  typedef struct packed {
    logic                           valid;
    logic [SLOT_W-1:0]              slot;
    logic [ROW_W-1:0]               row;
    logic [ROW_WORDS-1:0]           en;
    logic [ROW_WORDS-1:0][32:0]     data;
  } changed_t;

  // A performed sector of a request.
  typedef struct packed {
    logic                           valid;
    logic [ENTRY_W-1:0]             entry;
    logic [line_pkg::BANK_TAG_W-1:0] tag;
    logic [SLOT_W-1:0]              slot;
    line_pkg::kind_e                kind;
    logic [1:0]                     sector;
  } shown_t;

  // First and last beat of the touched sectors.
  function automatic logic [BEAT_W-1:0] first_beat(logic [line_pkg::SECTORS-1:0] sectors);
    first_beat = '0;
    for (int s = 3; s >= 0; s--) if (sectors[s]) first_beat = BEAT_W'(s * 256 / BITS);
  endfunction

  function automatic logic [BEAT_W-1:0] last_beat(logic [line_pkg::SECTORS-1:0] sectors);
    last_beat = '0;
    for (int s = 0; s < 4; s++) if (sectors[s]) last_beat = BEAT_W'((s * 256 + 255) / BITS);
  endfunction

  function automatic burst_t burst(logic [ENTRY_W-1:0] entry, logic [line_pkg::LINE_W-1:0] line,
                                   logic [line_pkg::SECTORS-1:0] sectors);
    burst.entry = entry;
    burst.line  = line;
    burst.first = first_beat(sectors);
    burst.more  = last_beat(sectors) - first_beat(sectors);
  endfunction

  // The address of a beat.
  function automatic logic [39:0] address(logic [line_pkg::LINE_W-1:0] line, logic [BEAT_W-1:0] beat);
    address = {line, 7'd0} | (40'(beat) << $clog2(BITS / 8));
  endfunction

  // Has a beat some of them?
  function automatic logic in_beat(logic [line_pkg::SECTORS-1:0] sectors, logic [BEAT_W-1:0] beat);
    in_beat = 1'b0;
    for (int s = 0; s < 4; s++) begin
      if (sectors[s] && 32'(beat) >= s * 256 / BITS && 32'(beat) <= (s * 256 + 255) / BITS) in_beat = 1'b1;
    end
  endfunction

endpackage
