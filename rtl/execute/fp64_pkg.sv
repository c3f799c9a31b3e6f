// SPDX-License-Identifier: Apache-2.0
// Types between the FP64 unit's parts: the control word of an instruction, numbers taken apart, what accompanies
// a lane through the ranks. Functions that take raw words apart and put special results together.
// Latency and handshake: none, types and functions only.
// It has no instruction word (fp64_decode has) and no state.
package fp64_pkg;

  // Every part uses some of the constants, none uses all.
  /* verilator lint_off UNUSEDPARAM */

  // Lanes that a unit works on at a time, and cycles that its multiplier takes for a product: where the lanes are fewer than a
  // beat has, a third of a multiplier is enough. (A machine without the unit has numbers, too.)
  localparam int unsigned WORKING = (cfg_pkg::FP64_LANES != 0) ? cfg_pkg::FP64_LANES : 1;
  localparam int unsigned PASSES  = (WORKING == cfg_pkg::LANES) ? 1 : 3;

  // The sum is formed in a window: 64 bits of an addend (an FP64 significand fills the upper 53), below them room for the
  // whole product and three bits more, the lowest of them sticky. An integer's bit 0 stands at UNITS.
  localparam int unsigned WINDOW   = 164;
  localparam int unsigned UNITS    = WINDOW - 64;
  localparam logic [7:0]  FURTHEST = 8'd163;   // a shift by so much leaves at most the sticky bit

  typedef enum logic [3:0] {
    ADD, MUL, FMA, MINMAX, COMPARE,
    FROM_INT, TO_INT, CONVERT, INTEGRAL      // I2F, F2I, F2F, FRND
  } kind_e;

  // Formats as isa_pkg::FTYPE_* and FTO_* number them; sizes of integers.
  localparam logic [1:0] F32 = 2'd0, F64 = 2'd1, F16 = 2'd2;
  localparam logic [1:0] I8 = 2'd0, I16 = 2'd1, I32 = 2'd2, I64 = 2'd3;

  typedef struct packed {
    logic [3:0]        spare;
    logic [1:0]        join_op;  // isa_pkg::BOOL_*
    exec_pkg::accept_t accept;
  } compare_t;

  typedef struct packed {
    logic       half1;           // an FP16 source lies in the upper half
    logic       ftz, sat;
    logic       uns;             // the integer is unsigned
    logic [1:0] size;            // of the integer
    logic [1:0] to, from;        // formats
  } convert_t;

  typedef struct packed {
    kind_e      kind;
    logic [1:0] rnd;             // isa_pkg::RND_* (also of what rounds to an integer)
    logic       neg_a, neg_b, neg_c;
    logic       abs_a, abs_b;
    logic [9:0] arg;             // compare_t or convert_t
  } ctl_t;

  // A number apart: magnitude mant * 2^(exp - 1075). FP16 and FP32 are placed as FP64 with the same value.
  typedef struct packed {
    logic        sign, zero, inf, nan;
    logic [10:0] exp;            // biased; subnormals: that of the smallest normal number of their format
    logic [52:0] mant;
  } number_t;

  function automatic number_t unpack(logic [63:0] raw);
    automatic logic low  = raw[62:52] == '0;
    automatic logic top  = raw[62:52] == '1;
    automatic logic frac = raw[51:0] != '0;
    unpack.sign = raw[63];
    unpack.zero = low && !frac;
    unpack.inf  = top && !frac;
    unpack.nan  = top && frac;
    unpack.exp  = {raw[62:53], raw[52] || low};
    unpack.mant = {!low, raw[51:0]};
  endfunction

  function automatic number_t unpack_f32(logic [31:0] raw, logic ftz);
    automatic logic low  = raw[30:23] == '0;
    automatic logic top  = raw[30:23] == '1;
    automatic logic frac = raw[22:0] != '0;
    unpack_f32.sign = raw[31];
    unpack_f32.zero = low && (ftz || !frac);
    unpack_f32.inf  = top && !frac;
    unpack_f32.nan  = top && frac;
    unpack_f32.exp  = 11'd896 + 11'({raw[30:24], raw[23] || low});
    unpack_f32.mant = {!low, (low && ftz) ? 23'b0 : raw[22:0], 29'b0};
  endfunction

  function automatic number_t unpack_f16(logic [15:0] raw);
    automatic logic low  = raw[14:10] == '0;
    automatic logic top  = raw[14:10] == '1;
    automatic logic frac = raw[9:0] != '0;
    unpack_f16.sign = raw[15];
    unpack_f16.zero = low && !frac;
    unpack_f16.inf  = top && !frac;
    unpack_f16.nan  = top && frac;
    unpack_f16.exp  = 11'd1008 + 11'({raw[14:11], raw[10] || low});
    unpack_f16.mant = {!low, raw[9:0], 42'b0};
  endfunction

  // Sign and exponent with an upper fraction, in the format's place of a register pair.
  function automatic logic [63:0] pack(logic [1:0] format, logic sign, logic [10:0] exp, logic [51:0] frac);
    case (format)
      F64:     pack = {sign, exp, frac};
      F16:     pack = {48'b0, sign, exp[4:0], frac[51:42]};
      default: pack = {32'b0, sign, exp[7:0], frac[51:29]};
    endcase
  endfunction

  // 1.0, and infinity's exponent (the lowest bits count).
  function automatic logic [10:0] bias(logic [1:0] format);
    bias = (format == F64) ? 11'd1023 : (format == F16) ? 11'd15 : 11'd127;
  endfunction

  // Beside a lane's numbers, into the sum.
  typedef struct packed {
    logic               word;    // the addend is the result as it stands
    logic               sub;     // product less addend
    logic               sign;    // of the product (and of the result, where nothing is subtracted)
    logic               sign_c;  // of the addend
    logic               vast;    // to an integer: 2^64 and above
    logic signed [12:0] top;     // biased exponent, in the result's format, of the window's top bit, less one
    logic               pd0, pd1;
  } side_t;

  typedef struct packed {
    logic [63:0] word;           // addend
    logic [52:0] x, y;           // factors
    logic [7:0]  shift;          // of the addend, to the right
    side_t       side;
  } opened_t;

  // After normalisation.
  typedef struct packed {
    logic               word;    // the upper 64 bits are the result as it stands
    logic               sign, zero;
    logic signed [12:0] exp;     // biased, less one, of the leading bit after both shifts; negative only with FTZ
    logic [3:0]         fine;    // left shift still to be done
    logic               sticky;  // something is set below the bits that go on
    logic [68:0]        bits;
    logic               pd0, pd1;
  } normal_t;

  /* verilator lint_on UNUSEDPARAM */

endpackage
