// SPDX-License-Identifier: Apache-2.0
// Sizes and numbers of the stream (docs/stream-format.md). The layout of a record is generated: retire_stream_pkg.
package stream_pkg;

  localparam int unsigned WRITERS = cfg_pkg::BANKS;   // write ports that say anything
  localparam int unsigned BUSES   = core_pkg::READERS; // of operands; memory's are on the last one
  localparam int unsigned SOURCES = 11 + BUSES + WRITERS;
  localparam int unsigned SOURCE_W = $clog2(SOURCES);

  // The records of one cycle, and which of them are there: the first source is the lowest bit.
  typedef struct packed {
    retire_pkg::block_end_t               block_end;
    retire_pkg::trap_t                    trap;
    retire_pkg::uniform_write_t           uniform_write;
    retire_pkg::uniform_read_t            uniform_read;
    retire_pkg::issue_t                   issue;
    retire_pkg::barrier_t                 barrier;
    retire_pkg::operands_t                operands_memory;
    retire_pkg::operands_t [BUSES-1:0]    operands;
    retire_pkg::predicate_t               predicate;
    retire_pkg::write_t [WRITERS-1:0]     write;
    retire_pkg::shared_t                  shared;
    retire_pkg::global_t                  global_access;
    retire_pkg::block_start_t             block_start;
  } records_t;

  typedef struct packed {
    logic               block_end;
    logic               trap;
    logic               uniform_write;
    logic               uniform_read;
    logic               issue;
    logic               barrier;
    logic               operands_memory;
    logic [BUSES-1:0]   operands;
    logic               predicate;
    logic [WRITERS-1:0] write;
    logic               shared;
    logic               global_access;
    logic               block_start;
  } sources_t;

  localparam int unsigned GAP_W = 32;
  typedef struct packed {
    sources_t         sources;
    logic [GAP_W-1:0] gap;      // cycles since the entry before
  } tag_t;

  function automatic int most(input int a, input int b);
    most = (a > b) ? a : b;
  endfunction
  // Words of the longest record.
  localparam int WORDS_MAX = most(most(most(retire_stream_pkg::GLOBAL_WORDS, retire_stream_pkg::SHARED_WORDS),
                                       most(retire_stream_pkg::WRITE_WORDS, retire_stream_pkg::PREDICATE_WORDS)),
                                  most(retire_stream_pkg::OPERANDS_WORDS, retire_stream_pkg::ISSUE_WORDS));
  localparam int unsigned WORD_W = $clog2(WORDS_MAX);

  // Contexts by number, then those at bits of a key.
  localparam int unsigned KEY_LOW = 4, KEY_W = 7;
  localparam int unsigned PLACE_W = KEY_W + 3;
  localparam int unsigned PLACES  = 1 << PLACE_W;

  // Cycles from stream_launch's start to the first one that a kernel's clock counts (heddle/stream.h has it too).
  localparam int unsigned CLOCK_BEHIND = 7;

  // The meaning of a nibble. W: the word, P: the one before in its context, S: P less the one before it.
  typedef enum logic [3:0] {
    SAME1 = 4'd0,   // W = P
    SAME2 = 4'd1,   // so for two words
    SAME4 = 4'd2,   // so for four
    STEP  = 4'd3,   // W = P + S
    ZERO  = 4'd4,   // W = 0
    TURN  = 4'd5,   // W = P, its low LANES bits turned up by one, no bit above
    U4    = 4'd6,   // W in so many bits
    D4    = 4'd7,   // W - P in so many bits, signed
    U8    = 4'd8,
    D8    = 4'd9,
    U16   = 4'd10,
    S16   = 4'd11,  // W in so many bits, signed
    D16   = 4'd12,
    H16   = 4'd13,  // W's upper half; the lower is zero
    U24   = 4'd14,
    RAW   = 4'd15
  } code_e;

  localparam logic [3:0] TIME = 4'd14, LAST = 4'd15;   // in place of a kind's code: time passes; the frame ends
  localparam logic [3:0] LONG = 4'd15;                 // in place of a gap: eight nibbles follow

  localparam int unsigned SEND = 11;                   // nibbles that are sent at once

  // Commands of the framer.
  typedef enum logic [2:0] {CMD_DATA, CMD_START, CMD_SYNC, CMD_END, CMD_CLOSE} command_e;
  typedef struct packed {
    command_e    command;
    logic        lost;
    logic [63:0] cycle;
    logic [31:0] records;
  } command_t;

  localparam logic [3:0] VERSION = 4'd1;
  localparam logic [7:0] FLAG = 8'hc0, ESC = 8'hdb, ESC_FLAG = 8'hdc, ESC_ESC = 8'hdd;
  localparam int unsigned FRAME_BYTES = 192;           // a frame of that many bytes takes no further record
  localparam int unsigned SYNC_FRAMES = 256;           // so many frames are between two places to begin at

  // ---- what queues keep of a record -------------------------------------------------------------
  // As few bits as the machine beside them can set; `show_` makes the record again. One for which it would be
  // another record (`odd_`) finds no room: it is lost, and said. A machine that is right shows none.
  typedef struct packed {
    logic [31:0]                   seq;
    logic [7:0]                    gen;
    logic [cfg_pkg::SM_WARP_W-1:0] slot;
  } kept_id_t;
  function automatic kept_id_t keep_id(input retire_pkg::id_t r);
    automatic logic unused = ^r;
    keep_id = '{seq: r.seq, gen: r.gen, slot: r.slot[cfg_pkg::SM_WARP_W-1:0]};
  endfunction
  function automatic retire_pkg::id_t show_id(input kept_id_t k);
    show_id = '{seq: k.seq, gen: k.gen, slot: 8'(k.slot), default: '0};   // one SM, one partition
  endfunction

  // A sector of memory: 40 bits of address, or a word of local memory, which is less.
  localparam int unsigned SECTOR_W = 35;
  typedef struct packed {
    kept_id_t            id;
    logic [SECTOR_W-1:0] sector;
    logic [31:0]         lanes;
    logic [31:0]         wstrb;
    logic [2:0]          access;
    logic [7:0][31:0]    wdata;
    logic [7:0][31:0]    rdata;
  } kept_global_t;
  function automatic kept_global_t keep_global(input retire_pkg::global_t r);
    automatic logic unused = ^r;
    keep_global = '{id: keep_id(r.id), sector: r.sector[SECTOR_W-1:0], lanes: r.lanes, wstrb: r.wstrb, access: r.access[2:0],
                    wdata: r.wdata, rdata: r.rdata};
  endfunction
  function automatic retire_pkg::global_t show_global(input kept_global_t k);
    show_global = '{id: show_id(k.id), sector: 64'(k.sector), lanes: k.lanes, wstrb: k.wstrb, access: 8'(k.access),
                    wdata: k.wdata, rdata: k.rdata, default: '0};
  endfunction
  function automatic logic odd_global(input retire_pkg::global_t r);
    odd_global = |((show_global(keep_global(r)) ^ r) & retire_stream_pkg::GLOBAL_LIVE);
  endfunction

  // A row at a write port: which port it was is the queue's.
  typedef struct packed {
    kept_id_t                           id;
    logic [cfg_pkg::LANES-1:0]          mask;
    logic [7:0]                         rd;
    logic [cfg_pkg::BEAT_W-1:0]         beat;
    logic [cfg_pkg::LANES-1:0][31:0]    data;
  } kept_write_t;
  function automatic kept_write_t keep_write(input retire_pkg::write_t r);
    automatic logic unused = ^r;
    keep_write = '{id: keep_id(r.id), mask: r.mask[cfg_pkg::LANES-1:0], rd: r.rd, beat: r.beat[cfg_pkg::BEAT_W-1:0], data: r.data};
  endfunction
  function automatic retire_pkg::write_t show_write(input kept_write_t k);
    show_write = '{id: show_id(k.id), mask: 32'(k.mask), rd: k.rd, beat: 8'(k.beat), data: k.data, default: '0};
  endfunction
  function automatic logic odd_write(input retire_pkg::write_t r);
    odd_write = |((show_write(keep_write(r)) ^ r) & retire_stream_pkg::WRITE_LIVE);
  endfunction

  // A row of operands. Word 0 or 6 is in its first place, and of words above 7 only matrices have any.
  localparam int unsigned INDEX_W = cfg_pkg::HAS_TENSOR ? 4 : 3;
  typedef struct packed {
    kept_id_t                                             id;
    logic [cfg_pkg::LANES-1:0]                            mask;
    logic [retire_pkg::ROWS-1:1][INDEX_W-1:0]             index;
    logic                                                 index0;   // 6
    logic [cfg_pkg::BEAT_W-1:0]                           beat;
    logic [retire_pkg::ROWS-1:0]                          used;
    logic [retire_pkg::ROWS-1:0][cfg_pkg::LANES-1:0][31:0] data;
  } kept_operands_t;
  function automatic kept_operands_t keep_operands(input retire_pkg::operands_t r);
    automatic logic unused = ^r;
    keep_operands = '{id: keep_id(r.id), mask: r.mask[cfg_pkg::LANES-1:0], index: '0, index0: r.index[0][1],
                      beat: r.beat[cfg_pkg::BEAT_W-1:0], used: r.used[retire_pkg::ROWS-1:0], data: r.data};
    for (int i = 1; i < int'(retire_pkg::ROWS); i++) keep_operands.index[i] = r.index[i][INDEX_W-1:0];
  endfunction
  function automatic retire_pkg::operands_t show_operands(input kept_operands_t k);
    show_operands = '{id: show_id(k.id), mask: 32'(k.mask), index: '0, beat: 8'(k.beat), used: 8'(k.used), data: k.data, default: '0};
    show_operands.index[0] = k.index0 ? 8'd6 : 8'd0;
    for (int i = 1; i < int'(retire_pkg::ROWS); i++) show_operands.index[i] = 8'(k.index[i]);
  endfunction
  function automatic logic odd_operands(input retire_pkg::operands_t r);
    odd_operands = |((show_operands(keep_operands(r)) ^ r) & retire_stream_pkg::OPERANDS_LIVE);
  endfunction

  // A pass of shared memory, where one lane passes at a time (SHARED_LANES). Up to four words in one row are all read or
  // all written; an atomic has both of one word or of two side by side.
  localparam bit          ALONE = cfg_pkg::SHARED_LANES == 1 && cfg_pkg::SHARED_BANKS == 4;
  localparam int unsigned ROW_W = $clog2(cfg_pkg::SHARED_BYTES / 4 / cfg_pkg::SHARED_BANKS);
  typedef struct packed {
    kept_id_t          id;
    logic [4:0]        lane;
    logic [3:0]        bank_en;
    logic [1:0]        access;
    logic [ROW_W-1:0]  row;
    logic [3:0]        wstrb;
    logic [3:0][31:0]  data;
  } kept_shared_t;
  function automatic kept_shared_t keep_shared(input retire_pkg::shared_t r);
    automatic logic unused = ^r;
    automatic logic high = r.bank_en[3] || r.bank_en[2];
    keep_shared = '{id: keep_id(r.id), lane: '0, bank_en: r.bank_en[3:0], access: r.access[1:0], row: '0, wstrb: '0, data: '0};
    for (int l = 0; l < 32; l++) if (r.lanes[l]) keep_shared.lane |= 5'(l);
    for (int b = 0; b < 4; b++) begin
      if (r.bank_en[b]) keep_shared.row   |= r.row[b][ROW_W-1:0];
      if (r.bank_en[b]) keep_shared.wstrb |= r.wstrb[b][3:0];
    end
    unique case (keep_shared.access)
      2'd0:    keep_shared.data = r.rdata[3:0];
      2'd1:    keep_shared.data = r.wdata[3:0];
      default: keep_shared.data = high ? {r.wdata[3:2], r.rdata[3:2]} : {r.wdata[1:0], r.rdata[1:0]};
    endcase
  endfunction
  function automatic retire_pkg::shared_t show_shared(input kept_shared_t k);
    show_shared = '{id: show_id(k.id), lanes: 32'd1 << k.lane, bank_en: 32'(k.bank_en), access: 8'(k.access), default: '0};
    for (int b = 0; b < 4; b++) begin
      if (k.bank_en[b]) show_shared.row[b]   = 16'(k.row);
      if (k.bank_en[b]) show_shared.wstrb[b] = 8'(k.wstrb);
    end
    unique case (k.access)
      2'd0:    show_shared.rdata[3:0] = k.data;
      2'd1:    show_shared.wdata[3:0] = k.data;
      default: begin
        show_shared.rdata[3:0] = {2{k.data[1:0]}};
        show_shared.wdata[3:0] = {2{k.data[3:2]}};
      end
    endcase
  endfunction
  // Words of banks that it does not access are not sent.
  function automatic logic odd_shared(input retire_pkg::shared_t r);
    automatic retire_pkg::shared_t live = retire_stream_pkg::SHARED_LIVE;
    for (int b = 0; b < int'(retire_pkg::BANKS); b++) begin
      if (!r.bank_en[b]) live.wdata[b] = '0;
      if (!r.bank_en[b]) live.rdata[b] = '0;
    end
    odd_shared = |((show_shared(keep_shared(r)) ^ r) & live);
  endfunction

endpackage
