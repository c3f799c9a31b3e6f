/* SPDX-License-Identifier: Apache-2.0
 * Streams and events: names for one queue, in which everything happens in the order of the calls. */
#include "tools/cuda/internal.h"

#include <stdlib.h>

/* Nanoseconds of a cycle are 1 for events. */
#define CYCLES_OF_A_MILLISECOND 1e6

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags) {
  cuda_enter();
  if (!stream || flags > cudaStreamNonBlocking) return cuda_leave(cudaErrorInvalidValue);
  const cudaError_t e = cuda_ready();
  if (e != cudaSuccess) return cuda_leave(e);
  *stream = malloc(sizeof **stream);
  if (!*stream) return cuda_leave(cudaErrorMemoryAllocation);
  (*stream)->flags = flags;
  return cuda_leave(cudaSuccess);
}

cudaError_t cudaStreamCreate(cudaStream_t *stream) {
  return cudaStreamCreateWithFlags(stream, cudaStreamDefault);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  cuda_enter();
  if (!stream) return cuda_leave(cudaErrorInvalidResourceHandle);
  free(stream);
  return cuda_leave(cudaSuccess);
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  (void)stream;
  return cudaDeviceSynchronize();
}

cudaError_t cudaStreamQuery(cudaStream_t stream) {
  (void)stream;
  return cudaDeviceSynchronize();
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags) {
  (void)stream;
  cuda_enter();
  return cuda_leave(event && flags == 0 ? cuda_ready() : cudaErrorInvalidValue);
}

/* ---- events */

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags) {
  cuda_enter();
  if (!event || flags > (cudaEventBlockingSync | cudaEventDisableTiming)) return cuda_leave(cudaErrorInvalidValue);
  const cudaError_t e = cuda_ready();
  if (e != cudaSuccess) return cuda_leave(e);
  *event = malloc(sizeof **event);
  if (!*event) return cuda_leave(cudaErrorMemoryAllocation);
  **event = (struct heddle_cuda_event){.next = cuda.events, .timed = !(flags & cudaEventDisableTiming)};
  cuda.events = *event;
  return cuda_leave(cudaSuccess);
}

cudaError_t cudaEventCreate(cudaEvent_t *event) {
  return cudaEventCreateWithFlags(event, cudaEventDefault);
}

/* Where the list points to it; NULL: it is no event. */
static struct heddle_cuda_event **link_of(cudaEvent_t event) {
  for (struct heddle_cuda_event **e = &cuda.events; *e; e = &(*e)->next)
    if (*e == event) return e;
  return NULL;
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  cuda_enter();
  struct heddle_cuda_event **e = link_of(event);
  if (!e) return cuda_leave(cudaErrorInvalidResourceHandle);
  *e = event->next;
  free(event);
  return cuda_leave(cudaSuccess);
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  (void)stream;
  cuda_enter();
  if (!link_of(event)) return cuda_leave(cudaErrorInvalidResourceHandle);
  const cudaError_t e = cuda_ready();
  if (e != cudaSuccess) return cuda_leave(e);
  event->state = cuda.running ? CUDA_EVENT_WAITS : CUDA_EVENT_DONE;
  event->cycles = cuda.cycles;
  return cuda_leave(cudaSuccess);
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  cuda_enter();
  if (!link_of(event)) return cuda_leave(cudaErrorInvalidResourceHandle);
  return cuda_leave(cuda_settle());
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
  return cudaEventSynchronize(event);
}

cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t from, cudaEvent_t to) {
  cuda_enter();
  if (!milliseconds) return cuda_leave(cudaErrorInvalidValue);
  if (!link_of(from) || !link_of(to) || !from->timed || !to->timed || from->state == CUDA_EVENT_NEW ||
      to->state == CUDA_EVENT_NEW)
    return cuda_leave(cudaErrorInvalidResourceHandle);
  if (cuda.sticky != cudaSuccess) return cuda_leave(cuda.sticky);
  if (from->state == CUDA_EVENT_WAITS || to->state == CUDA_EVENT_WAITS) return cuda_leave_silently(cudaErrorNotReady);
  *milliseconds = (float)(((double)to->cycles - (double)from->cycles) / CYCLES_OF_A_MILLISECOND);
  return cuda_leave(cudaSuccess);
}
