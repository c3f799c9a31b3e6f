/* SPDX-License-Identifier: Apache-2.0
 * The board behind all calls: opened by the first that needs it, closed when the program ends; its one queue. */
#include "firmware/host/cuda/internal.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <heddle/sim.h>

static void cuda_close(void);

struct cuda_state cuda; /* zeros: registration comes before constructors */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local cudaError_t last;

void cuda_enter(void) {
  (void)pthread_mutex_lock(&lock);
}

/* Now, whatever destructors and handlers the program has: they may not know what to do without a device. */
_Noreturn static void stop(void) {
  cuda_close();
  (void)fflush(NULL);
  _exit(1);
}

cudaError_t cuda_leave_silently(cudaError_t e) {
  if (cuda.differs) stop(); /* the report is on stderr */
  (void)pthread_mutex_unlock(&lock);
  return e;
}

cudaError_t cuda_leave(cudaError_t e) {
  if (e != cudaSuccess) last = e;
  return cuda_leave_silently(e);
}

cudaError_t cudaPeekAtLastError(void) {
  cuda_enter();
  return cuda_leave_silently(cuda.sticky != cudaSuccess ? cuda.sticky : last);
}

cudaError_t cudaGetLastError(void) {
  const cudaError_t e = cudaPeekAtLastError();
  last = cudaSuccess;
  return e;
}

void cuda_say(const char *format, ...) {
  va_list ap;
  va_start(ap, format);
  (void)fflush(stdout);
  fputs("heddle-cuda: ", stderr);
  vfprintf(stderr, format, ap);
  fputc('\n', stderr);
  va_end(ap);
}

cudaError_t cuda_refused(const char *call) {
  cuda_enter();
  cuda_say("%s: Heddle has no such thing", call);
  return cuda_leave(cudaErrorNotSupported);
}

/* ---- open and close */

static cudaError_t open_device(void) {
  struct heddle_message msg;
  const struct heddle_sim_options o = {.size = sizeof o};
  if (heddle_sim_open(&o, &cuda.sim, &msg) != HEDDLE_SUCCESS) {
    cuda_say("%s", msg.text);
    return cudaErrorNoDevice;
  }
  const struct heddle_options with = {
      .size = sizeof with, .ports = heddle_sim_port(cuda.sim), .count = 1, .unified = &cuda_unified};
  enum heddle_error e = heddle_init_options(&with, &cuda.system);
  if (e == HEDDLE_SUCCESS) e = heddle_device_get(cuda.system, 0, &cuda.device);
  if (e == HEDDLE_SUCCESS) return cudaSuccess;
  cuda_say("the device: %s", heddle_error_text(e));
  cuda_close();
  return cudaErrorInitializationError;
}

static cudaError_t open_context(void) {
  cudaError_t c = cuda.device ? cudaSuccess : open_device();
  if (c != cudaSuccess) return c;
  enum heddle_error e = heddle_context_create(cuda.device, &cuda.context);
  if (e == HEDDLE_SUCCESS) e = heddle_context_set_limit(cuda.context, HEDDLE_FOREVER);
  return cuda_from_driver(e, "a context");
}

cudaError_t cuda_ready(void) {
  if (cuda.sticky != cudaSuccess) return cuda.sticky;
  return cuda.context ? cudaSuccess : open_context();
}

static void close_context(void) {
  for (; cuda.running; cuda.running = cuda.running->behind) cuda.running->runs = false;
  cuda_drop_shared();
  cuda_drop_streams();
  cuda_drop_modules();
  cuda_drop_blas();
  for (struct cuda_image *i = cuda.images; i; i = i->next) i->module = NULL; /* the context frees them */
  heddle_context_destroy(cuda.context);
  cuda.context = NULL;
  cuda.launches = 0;
}

static void cuda_close(void) {
  close_context();
  if (cuda.system) heddle_shutdown(cuda.system);
  heddle_sim_close(cuda.sim);
  cuda.system = NULL;
  cuda.device = NULL;
  cuda.sim = NULL;
}

/* A grid that nobody waited for is judged, too. */
__attribute__((destructor)) static void close_at_exit(void) {
  cuda_enter();
  (void)cuda_finish();
  if (cuda.differs) stop();
  cuda_close();
  (void)pthread_mutex_unlock(&lock);
}

cudaError_t cudaDeviceReset(void) {
  cuda_enter();
  (void)cuda_finish();
  close_context();
  cuda.sticky = cudaSuccess;
  last = cudaSuccess;
  return cuda_leave(cudaSuccess);
}

cudaError_t cudaThreadExit(void) {
  return cudaDeviceReset();
}

/* ---- the queue */

/* A kernel whose assertion fails says so before it traps (compiler/library/assert.cu). */
static bool was_asserted(const struct cuda_image *image) {
  uint64_t at = 0;
  uint32_t word = 0;
  return heddle_module_global(image->module, "heddle_asserted", &at, NULL) == HEDDLE_SUCCESS &&
         heddle_memcpy_to_host(cuda.context, &word, at, sizeof word) == HEDDLE_SUCCESS && word != 0;
}

/* No grid runs any more, and this is what they came to. */
static cudaError_t end_all(enum heddle_error e) {
  const cudaError_t c = cuda_from_driver(e, "kernel");
  bool asserted = false;
  cuda_date_events();
  for (struct cuda_image *i = cuda.running; i; i = i->behind) {
    i->runs = false;
    cuda_show_printed(i);
    asserted |= c != cudaSuccess && was_asserted(i);
  }
  cuda.running = NULL;
  if (c != cudaSuccess) cuda.sticky = asserted ? cudaErrorAssert : c;
  if (e == HEDDLE_ERROR_DIFFERENCE) cuda.differs = true;
  return cuda.sticky;
}

cudaError_t cuda_finish(void) {
  return cuda.running ? end_all(heddle_synchronize(cuda.context, HEDDLE_FOREVER)) : cudaSuccess;
}

cudaError_t cuda_from_queue(enum heddle_error e, const char *what) {
  const bool of_grid = e == HEDDLE_ERROR_TRAPPED || e == HEDDLE_ERROR_REFUSED || e == HEDDLE_ERROR_UNDEFINED ||
                       e == HEDDLE_ERROR_DIFFERENCE || e == HEDDLE_ERROR_LIMIT;
  return of_grid ? end_all(e) : cuda_from_driver(e, what);
}

cudaError_t cuda_settle(void) {
  cudaError_t e = cuda_ready();
  if (e == cudaSuccess) e = cuda_finish();
  return e == cudaSuccess ? cuda_fetch_shared() : e;
}

cudaError_t cudaDeviceSynchronize(void) {
  cuda_enter();
  return cuda_leave(cuda_settle());
}

cudaError_t cudaThreadSynchronize(void) {
  return cudaDeviceSynchronize();
}
