// SPDX-License-Identifier: Apache-2.0
// Widths, structs and small functions that only the memory folder shares.
// Latency, handshake: none; this is a package. A sector is 32 aligned bytes of global memory. A
// "slot" of the load/store unit (gslot) is one global instruction from its first beat to its end.
// It has no bit number of the instruction word.
package mem_pkg;

  /* verilator lint_off UNUSEDPARAM */

  localparam int unsigned LANES  = cfg_pkg::LSU_LANES;
  localparam int unsigned BEATS  = cfg_pkg::LSU_BEATS;
  localparam int unsigned BEAT_W = (BEATS > 1) ? $clog2(BEATS) : 1;

  // Instructions that wait behind the address checks of shared memory and of constants: 16 rows of
  // lanes, a LUT RAM deep.
  localparam int unsigned QUEUE_DEPTH = (BEATS == 1) ? 8 : (BEATS > 8) ? 2 : 16 / BEATS;
  localparam int unsigned QROW_W      = $clog2(QUEUE_DEPTH * BEATS);

  // Shared memory: banks of 4 bytes. Word i lies in bank i mod BANKS, row i / BANKS.
  localparam int unsigned SHM_W      = $clog2(cfg_pkg::SHARED_BYTES);
  localparam int unsigned SHM_BANKS  = cfg_pkg::SHARED_BANKS;
  localparam int unsigned SHM_BANK_W = $clog2(SHM_BANKS);
  localparam int unsigned SHM_ROWS   = cfg_pkg::SHARED_BYTES / (4 * SHM_BANKS);

  // Global memory. With few lanes a wide access goes word by word and a store lane by lane, since
  // the bus is no faster; with one beat all words of all lanes of a sector go at once.
  localparam int unsigned GSLOTS    = cfg_pkg::GMEM_SLOTS;
  localparam int unsigned GSLOT_W   = $clog2(GSLOTS);
  localparam int unsigned GROWS     = GSLOTS * BEATS;         // rows of lanes kept for the slots
  localparam int unsigned GROW_W    = $clog2(GROWS);
  localparam int unsigned PAR       = (BEATS == 1) ? 4 : 1;   // words of a lane at once
  localparam int unsigned PAR_STEPS = 4 / PAR;
  localparam int unsigned ST_TAKE   = (BEATS == 1) ? 4 : (LANES >= 8) ? 2 : 1;  // words of each lane of a row that are shown at once
  localparam int unsigned ST_GROUPS = 4 / ST_TAKE;            // of a row
  localparam int unsigned ST_GROUP_W = (ST_GROUPS > 1) ? $clog2(ST_GROUPS) : 1;
  localparam int unsigned OFFSET_W  = 7;                      // a byte of a line

  // Key of a line: a line of global memory, or with the highest bit one of local memory: warp slot
  // and word of a thread's own memory. Word w of lane l lies beside those of its neighbours.
  localparam int unsigned KEY_W     = line_pkg::LINE_W + 1;
  // The same before it is translated, and as a trap reports it; with the byte, what travels from the check to the coalescer.
  localparam bit          PAGED     = cfg_pkg::MMU != 0;
  localparam int unsigned VA_W      = PAGED ? 49 : 40;                // bits of a global address
  localparam int unsigned ADDR_W    = VA_W + 1;
  localparam int unsigned VKEY_W    = ADDR_W - OFFSET_W;
  localparam int unsigned LOCAL_W   = 20;                     // address bits of a thread's own memory

  // Refills of the read-only caches: half a line, in beats; a number for each that is on its way.
  localparam int unsigned IC_NUMBER_W = (cfg_pkg::ICACHE_MISSES > 1) ? $clog2(cfg_pkg::ICACHE_MISSES) : 1;
  localparam int unsigned CC_NUMBER_W = (cfg_pkg::CCACHE_MISSES > 1) ? $clog2(cfg_pkg::CCACHE_MISSES) : 1;
  localparam int unsigned REFILL_BITS  = (line_pkg::BITS < 512) ? line_pkg::BITS : 512;
  localparam int unsigned REFILL_BEATS = 512 / REFILL_BITS;
  localparam int unsigned REFILL_W     = (REFILL_BEATS > 1) ? $clog2(REFILL_BEATS) : 1;

  typedef struct packed {
    logic [line_pkg::LINE_W:0]      half;     // byte address / 64
    logic [line_pkg::TAG_W-1:0]     number;   // which refill of its cache
    logic                           lists;    // a fault of its page comes to the host's list
  } refill_t;

  // ... and what comes back of them; which beat it is, and its data, go beside it.
  typedef struct packed {
    logic                           beat_valid;  // event
    logic [line_pkg::TAG_W-1:0]     beat_number;
    logic                           done_valid;  // event: after all its beats
    logic [line_pkg::TAG_W-1:0]     done_number;
    core_pkg::err_t                 err;
  } fill_t;

  // A step of shm_walk.
  typedef struct packed {
    logic [2:0]            number;   // within its pass
    logic                  last;     // of the beat
    logic                  ends;     // the pass, of a lane
    logic                  write;
    logic                  read;
    logic                  gives;    // what is read goes to the lane
    logic [1:0]            at;       // word of the access
  } step_t;

  // The port of shared memory that works word by word.
  typedef struct packed {
    logic                  read;     // or written, or neither
    logic                  write;
    logic [SHM_W-3:0]      place;
    logic [3:0]            strobe;
    logic [31:0]           data;
  } word_t;

  // The range that an address is held to: a region of the host's table, or one of the spaces that begin at 0.
  typedef enum logic [1:0] {RANGE_REGION, RANGE_SHARED, RANGE_LOCAL, RANGE_CONST} range_e;

  typedef struct packed {
    range_e                kind;
    logic [3:0]            index;    // of a region
  } range_t;

  // A request of LDC to the constant cache, and the answer: a tag is the lanes that want the word.
  localparam int unsigned LDC_TAG_W = LANES;

  typedef struct packed {
    logic [1:0]                     bank;
    logic [15:0]                    off;
    logic [LDC_TAG_W-1:0]           tag;
    logic                           lists;    // a fault of its page comes to the host's list
  } const_ask_t;

  typedef struct packed {
    logic [31:0]                    data;
    core_pkg::err_t                 err;
    logic [LDC_TAG_W-1:0]           tag;
    logic [34:0]                    sector;   // with err: its address / 32
  } const_got_t;

  // All that translation needs of a launch, and of the SM.
  typedef struct packed {
    logic                           pages;      // addresses are virtual,
    logic                           fault_trap; // a fault is a trap,
    logic [7:0]                     space;      // in this space
    logic                           stop;       // a level: the SM has been stopped, what waits for the host dies
  } paging_t;

  // The limits of addresses in a launch.
  typedef struct packed {
    logic [23:0]                    shared_bytes;
    logic [19:0]                    local_bytes;
    logic [3:0][16:0]               cbank_bytes;
    logic [15:0]                    region_write;  // regions of the host's table that may be written
  } limits_t;

  // A row that has been judged, in the pipes of shared memory and of constants.
  typedef struct packed {
    logic                           valid;    // event
    logic                           ends;     // event: it was the last of its instruction,
    logic                           commit;   // which goes on here (else the check has ended it)
    logic [BEAT_W-1:0]              beat;
  } judged_t;

  // The same in the pipe of global memory.
  typedef struct packed {
    logic                           valid;    // event
    logic                           ends;     // event
    logic                           commit;
    logic [GSLOT_W-1:0]             slot;
    logic [GROW_W-1:0]              row;      // slot * BEATS + beat
    logic [LANES-1:0]               lanes;
    logic [BEATS-1:0]               rows;     // with ends: beats with lanes that execute,
    logic [BEATS-1:0]               rows_local; // and in local memory
    logic                           copy;     // an asynchronous copy, or LDGDEPBAR,
    logic                           group;    // which has no lines
  } global_t;

  // A row of lanes on its way from the coalescer: those that lie in one line.
  typedef struct packed {
    logic [GSLOT_W-1:0]             slot;
    logic [BEAT_W-1:0]              row;
    logic [KEY_W-1:0]               key;      // with first; of a machine with pages, behind line_translate
    logic [LANES-1:0]               lanes;
    logic [LANES-1:0][OFFSET_W-1:0] offset;   // in the line, of all lanes of the row
    logic [1:0]                     part;     // which word, of an access to local memory
    logic                           first;    // row of the line
    logic                           final_row;  // of the line; it may be empty, and only say so
    logic                           last_line;  // of the instruction (with final_row)
  } walk_t;

  // All that the request of a line needs of its instruction.
  typedef struct packed {
    core_pkg::id_t                  id;
    isa_pkg::mem_e                  mem;      // as in_global has it
    logic [2:0]                     size;
    logic [5:0]                     atom;     // of a load, where there is a cache: line_pkg::scope_e
  } asked_t;

  // The meaning of a tag, until its answer has been given to the lanes.
  typedef struct packed {
    logic [GSLOT_W-1:0]             slot;
    logic                           load;     // else an atomic or a store
    logic [2:0]                     size;
    logic [1:0]                     part;     // the word of the result, of one word of local memory
    logic [line_pkg::SECTORS-1:0]   sectors;
    logic [31:0]                    lanes;
    logic [VKEY_W-1:0]              key;      // for a report: not translated
  } tagged_t;

  // A line of an instruction is finished.
  typedef struct packed {
    logic [GSLOT_W-1:0]             slot;
    logic                           err;
    logic [31:0]                    lanes;    // with err
    logic [VKEY_W-1:0]              key;      // with err
  } finished_t;

  // For a machine with pages: the row in line_translate; its walk puts its first line off; its walk ends.
  typedef struct packed {
    logic [cfg_pkg::SM_WARP_W-1:0]  warp;
    logic [GSLOT_W-1:0]             slot;
    logic                           again;    // its instruction is walked again
  } walked_t;

  typedef struct packed {
    logic                           valid;    // event
    logic                           left;     // with something put off,
    logic [BEATS-1:0]               rows;     // in these rows
  } ended_t;

  // All that waited for a page has died: nothing more of its instruction is performed.
  typedef struct packed {
    logic [GSLOT_W-1:0]             slot;
    logic                           trap;     // with a report (else the SM has been stopped):
    logic [3:0]                     cause;    // core_pkg::TRAP_*
    logic [31:0]                    lanes;
    logic [VKEY_W-1:0]              key;
  } dead_t;

  // All that the end of the load/store unit needs of an instruction.
  typedef struct packed {
    core_pkg::id_t           id;
    logic [15:0]             rbase;
    logic [7:0]              rd;
    logic [1:0]              rd_n;   // registers, minus one
    logic [2:0]              wbar;
    logic                    has_rd; // it writes registers
  } who_t;

  // A result of the load/store unit: a register row, the end of an instruction, or a trap. The data
  // of a row goes beside it.
  typedef struct packed {
    who_t                    who;
    logic                    uni;    // rd is a uniform register: the row is lane 0 of beat 0
    logic                    row_en; // a row is written (else nothing is)
    logic [4:0]              beat;
    logic [LANES-1:0]        mask;   // of the row
    logic [1:0]              word;   // register rd + word
    logic                    last;   // the instruction is finished with this
    logic                    trap;
    logic [31:0]             pc;     // of a trap, as what follows
    logic [3:0]              cause;
    logic [31:0]             lanes;
    logic [63:0]             addr;
  } result_t;

  localparam int unsigned RESULT_W = $bits(result_t);

  // A word of a row of an asynchronous copy on its way to shared memory; its data go beside it.
  typedef struct packed {
    core_pkg::id_t           id;
    logic [2:0]              wbar;
    logic [2:0]              size;
    logic [BEAT_W-1:0]       beat;
    logic [LANES-1:0]        mask;   // of the row; it may be empty
    logic [1:0]              word;
    logic                    whole;  // the row's last word
    logic                    last;   // and the last row
  } copied_t;

  // Beside a row: which bytes of its words are wanted (`extend`). They are moved down and extended as the row leaves the unit.
  typedef struct packed {
    logic [2:0]              size;
    logic [LANES-1:0][1:0]   sub;
  } bytes_t;

  localparam int unsigned BYTES_W = $bits(bytes_t);

  /* verilator lint_on UNUSEDPARAM */

  // A result for a uniform register (ULDC).
  /* verilator lint_off UNUSEDSIGNAL */   // of the operation, most
  function automatic logic uniform(core_pkg::memop_t op);
    uniform = cfg_pkg::HAS_UNI && op.mem == isa_pkg::MEM_CONST_LOAD && op.atom[0];
  endfunction
  /* verilator lint_on UNUSEDSIGNAL */

  // An asynchronous copy (or LDGDEPBAR).
  function automatic logic is_copy(isa_pkg::mem_e mem);
    is_copy = cfg_pkg::HAS_ASYNC && mem == isa_pkg::MEM_GLOBAL_COPY;
  endfunction

  function automatic logic is_global(isa_pkg::mem_e mem);
    is_global = is_copy(mem) || mem == isa_pkg::MEM_GLOBAL_LOAD || mem == isa_pkg::MEM_GLOBAL_STORE
      || mem == isa_pkg::MEM_GLOBAL_ATOM || mem == isa_pkg::MEM_GLOBAL_RED;
  endfunction

  function automatic logic is_shared(isa_pkg::mem_e mem);
    is_shared = mem == isa_pkg::MEM_SHARED_LOAD || mem == isa_pkg::MEM_SHARED_STORE || mem == isa_pkg::MEM_SHARED_ATOM;
  endfunction

  function automatic logic is_local(isa_pkg::mem_e mem);
    is_local = mem == isa_pkg::MEM_LOCAL_LOAD || mem == isa_pkg::MEM_LOCAL_STORE;
  endfunction

  // Each lane's address says which memory.
  function automatic logic is_generic(isa_pkg::mem_e mem);
    is_generic = mem == isa_pkg::MEM_GENERIC_LOAD || mem == isa_pkg::MEM_GENERIC_STORE || mem == isa_pkg::MEM_GENERIC_ATOM;
  endfunction

  function automatic logic is_store(isa_pkg::mem_e mem);
    is_store = mem == isa_pkg::MEM_GLOBAL_STORE || mem == isa_pkg::MEM_SHARED_STORE || mem == isa_pkg::MEM_LOCAL_STORE
      || mem == isa_pkg::MEM_GENERIC_STORE;
  endfunction

  function automatic logic is_atom(isa_pkg::mem_e mem);
    is_atom = mem == isa_pkg::MEM_GLOBAL_ATOM || mem == isa_pkg::MEM_SHARED_ATOM || mem == isa_pkg::MEM_GLOBAL_RED
      || mem == isa_pkg::MEM_GENERIC_ATOM;
  endfunction

  // The instruction returns a value to registers.
  function automatic logic returns(isa_pkg::mem_e mem);
    returns = !is_store(mem) && !is_copy(mem) && mem != isa_pkg::MEM_GLOBAL_RED && mem != isa_pkg::MEM_NONE;
  endfunction

  // The same in the pipe of global memory, which is that of local memory too, and in the one of shared memory.
  function automatic isa_pkg::mem_e in_global(isa_pkg::mem_e mem);
    unique case (mem)
      isa_pkg::MEM_LOCAL_LOAD, isa_pkg::MEM_GENERIC_LOAD:   in_global = isa_pkg::MEM_GLOBAL_LOAD;
      isa_pkg::MEM_LOCAL_STORE, isa_pkg::MEM_GENERIC_STORE: in_global = isa_pkg::MEM_GLOBAL_STORE;
      isa_pkg::MEM_GENERIC_ATOM:                            in_global = isa_pkg::MEM_GLOBAL_ATOM;
      default:                                              in_global = is_copy(mem) ? isa_pkg::MEM_GLOBAL_LOAD : mem;
    endcase
  endfunction

  function automatic isa_pkg::mem_e in_shared(isa_pkg::mem_e mem);
    unique case (mem)
      isa_pkg::MEM_GENERIC_LOAD:  in_shared = isa_pkg::MEM_SHARED_LOAD;
      isa_pkg::MEM_GENERIC_STORE: in_shared = isa_pkg::MEM_SHARED_STORE;
      isa_pkg::MEM_GENERIC_ATOM:  in_shared = isa_pkg::MEM_SHARED_ATOM;
      default:                    in_shared = mem;
    endcase
  endfunction

  // Bytes of an access minus one: the address bits that must be zero.
  function automatic logic [3:0] size_mask(logic [2:0] size);
    unique case (size)
      isa_pkg::SIZE_U8, isa_pkg::SIZE_S8:   size_mask = 4'd0;
      isa_pkg::SIZE_U16, isa_pkg::SIZE_S16: size_mask = 4'd1;
      isa_pkg::SIZE_64:                     size_mask = 4'd7;
      isa_pkg::SIZE_128:                    size_mask = 4'd15;
      default:                              size_mask = 4'd3;
    endcase
  endfunction

  // Bytes of a word that an access of at most one word touches; wider ones touch them all.
  function automatic logic [3:0] byte_mask(logic [2:0] size, logic [1:0] sub);
    unique case (size)
      isa_pkg::SIZE_U8, isa_pkg::SIZE_S8:   byte_mask = 4'b0001 << sub;
      isa_pkg::SIZE_U16, isa_pkg::SIZE_S16: byte_mask = sub[1] ? 4'b1100 : 4'b0011;
      default:                              byte_mask = 4'b1111;
    endcase
  endfunction

  // Store data copied to every place in the word where its low bytes may belong.
  function automatic logic [31:0] replicate(logic [2:0] size, logic [31:0] data);
    unique case (size)
      isa_pkg::SIZE_U8, isa_pkg::SIZE_S8:   replicate = {4{data[7:0]}};
      isa_pkg::SIZE_U16, isa_pkg::SIZE_S16: replicate = {2{data[15:0]}};
      default:                              replicate = data;
    endcase
  endfunction

  // Loaded word: the addressed bytes moved down and extended. For a whole word sub is 0, of a half it is even: what lies lowest is
  // the same byte for any size.
  function automatic logic [31:0] extend(logic [2:0] size, logic [1:0] sub, logic [31:0] word);
    automatic logic [15:0] half;
    automatic logic [7:0]  octet;
    automatic logic        is_byte, is_half, sign;
    half    = sub[1] ? word[31:16] : word[15:0];
    octet   = sub[0] ? half[15:8] : half[7:0];
    is_byte = size == isa_pkg::SIZE_U8 || size == isa_pkg::SIZE_S8;
    is_half = size == isa_pkg::SIZE_U16 || size == isa_pkg::SIZE_S16;
    sign    = (size == isa_pkg::SIZE_S8 && octet[7]) || (size == isa_pkg::SIZE_S16 && half[15]);
    extend  = {(is_byte || is_half) ? {16{sign}} : word[31:16], is_byte ? {8{sign}} : half[15:8], octet};
  endfunction

endpackage
