/* SPDX-License-Identifier: Apache-2.0
 *
 * Why a call failed. A call that opens, reads or makes something returns one of these, its results through pointers,
 * and its words in the caller's message: f(..., &result, &message). A question returns bool. */
#ifndef HEDDLE_ERROR_H
#define HEDDLE_ERROR_H

#include <heddle/api.h>

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Numbers stay what they are; new ones come at the end. */
enum heddle_error {
  HEDDLE_SUCCESS,
  HEDDLE_ERROR_INVALID_VALUE,
  HEDDLE_ERROR_HOST_MEMORY,     /* of this program */
  HEDDLE_ERROR_OUT_OF_MEMORY,   /* of the device */
  HEDDLE_ERROR_NO_DEVICE,       /* no such device */
  HEDDLE_ERROR_DEVICE_BUSY,     /* it has a context, or a grid runs */
  HEDDLE_ERROR_WRONG_DEVICE,    /* no Heddle, another version, or another instruction set */
  HEDDLE_ERROR_BUS,             /* the device does not answer, or answers with an error */
  HEDDLE_ERROR_FILE,            /* cannot be read or written */
  HEDDLE_ERROR_INVALID_IMAGE,   /* no program of this instruction set */
  HEDDLE_ERROR_NOT_FOUND,       /* no kernel or variable of this name */
  HEDDLE_ERROR_INVALID_ADDRESS, /* not inside one allocation, or not the start of one */
  HEDDLE_ERROR_LAUNCH_SHAPE,    /* grid or block sizes that cannot be, or that the kernel does not take */
  HEDDLE_ERROR_LAUNCH_LIMITS,   /* a block needs more warps, registers or shared memory than the device has */
  HEDDLE_ERROR_NOT_SUPPORTED,   /* the kernel needs what the device lacks */
  HEDDLE_ERROR_TOO_FRAGMENTED,  /* allocations too scattered for 16 regions without program code */
  HEDDLE_ERROR_NOT_READY,       /* the grid runs */
  HEDDLE_ERROR_TIMEOUT,         /* the grid still runs: wait again, or abort it */
  HEDDLE_ERROR_TRAPPED,         /* the program trapped: heddle_trap_last says where */
  HEDDLE_ERROR_REFUSED,         /* the device refuses the launch */
  HEDDLE_ERROR_LIMIT,           /* a requested limit, or a deadlock */
  HEDDLE_ERROR_UNDEFINED,       /* model: the program reads unwritten data */
  HEDDLE_ERROR_PENDING,         /* model, in lockstep: needs a result that has not been performed yet */
  HEDDLE_ERROR_STATE,           /* model: the call does not fit the state */
  HEDDLE_ERROR_DIFFERENCE,      /* in lockstep: hardware and model differ, or the hardware broke a rule of its own */
  HEDDLE_ERROR_FAULTS,          /* model: warps wait for pages that the host must bring */
  HEDDLE_ERRORS_ALL             /* how many there are */
};

/* The words about a failure, or a warning, in the caller's room. Where a call takes a pointer to one, NULL wants none;
 * after success `text` is empty. */
struct heddle_message {
  char file[256];        /* that it is about; empty: about none */
  unsigned line, column; /* there; 0 when they make no sense */
  bool warning;
  char text[512];
};

/* "the program trapped" ...; "unknown error" for other numbers. */
HEDDLE_API const char *heddle_error_text(enum heddle_error e);

#ifdef __cplusplus
}
#endif

#endif
