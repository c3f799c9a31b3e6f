// SPDX-License-Identifier: Apache-2.0
// Structs between the host's registers and the control unit.
// Latency, handshake: none, this is a package. A struct holds nets of one producer that are known at the same time.
package gpu_pkg;

  // From the registers: events that count, of CONTROL and START; keep: CACHE_MODE, a level.
  typedef struct packed {
    logic                       start;
    logic                       drop;      // give up all launches; it always counts
    logic                       skip;      // the launch in front is given up
    logic                       flush;     // of the host's range,
    logic                       empty;     // ... and lines are given up
    logic                       keep;      // the end leaves the shared cache as it is
  } command_t;

  // From the control unit: STATUS, CYCLES; a launch that has ended, a cycle ago.
  typedef struct packed {
    logic                       running;
    logic                       done;
    logic                       trapped;
    logic                       refused;
    logic                       draining;
    logic                       flushing;
    logic                       dropped;   // the last abort gave something up
    logic [3:0]                 refuse;
    logic [63:0]                cycles;
    logic                       ended;     // event
    logic [2:0]                 how;       // refused, trapped, done, in this order, or none of these
    logic                       idle;      // event: nothing runs or waits
  } state_t;

  // The trap that counts, and where it was.
  typedef struct packed {
    core_pkg::trap_t            trap;
    logic [line_pkg::SM_W-1:0]  sm;
    logic [2:0][31:0]           ctaid;     // x at index 0
    logic [4:0]                 warp;      // of the block
  } where_t;

endpackage
