// SPDX-License-Identifier: Apache-2.0
// How a bus may be broken (axi_bench.sv); which checker finds which, and what each does, is in test_axi.py.
package axi_fault_pkg;
  typedef enum logic [7:0] {
    NONE,
    AW_WITHDRAWN, AW_ID, AW_OVER_4K, AW_NARROW,
    W_CHANGED, STRB_CHANGED, WLAST_MISSING, WLAST_EARLY,
    AR_CHANGED, AR_OVER_4K, AR_WIDE,
    B_DROPPED, R_DROPPED,
    HOST_B_WITHDRAWN, HOST_B_DROPPED, HOST_B_TWICE, HOST_B_EARLY,
    HOST_R_WITHDRAWN, HOST_R_CHANGED, HOST_R_TWICE
  } fault_e;
endpackage
