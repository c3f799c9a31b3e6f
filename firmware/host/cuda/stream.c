/* SPDX-License-Identifier: Apache-2.0
 * Streams and events: names for one queue, in which everything happens in the order of the calls. */
#include "firmware/host/cuda/internal.h"

#include <stdlib.h>

/* Nanoseconds of a cycle are 1 for events. */
#define CYCLES_OF_A_MILLISECOND 1e6

/* Where the list points to it; NULL: it is no stream. */
static struct heddle_cuda_stream **stream_link(cudaStream_t stream) {
  for (struct heddle_cuda_stream **s = &cuda.streams; *s; s = &(*s)->next)
    if (*s == stream) return s;
  return NULL;
}

bool cuda_is_stream(cudaStream_t stream) {
  return !stream || stream == cudaStreamLegacy || stream == cudaStreamPerThread || stream_link(stream);
}

bool cuda_known(cudaStream_t stream) {
  cuda_enter();
  const bool is = cuda_is_stream(stream);
  (void)cuda_leave(is ? cudaSuccess : cudaErrorInvalidResourceHandle);
  return is;
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags, int priority) {
  cuda_enter();
  if (!stream || flags > cudaStreamNonBlocking) return cuda_leave(cudaErrorInvalidValue);
  const cudaError_t e = cuda_ready();
  if (e != cudaSuccess) return cuda_leave(e);
  struct heddle_cuda_stream *s = malloc(sizeof *s);
  if (!s) return cuda_leave(cudaErrorMemoryAllocation);
  (void)priority; /* clamped into the range, which is one number */
  *s = (struct heddle_cuda_stream){cuda.streams, flags, 0};
  *stream = cuda.streams = s;
  return cuda_leave(cudaSuccess);
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags) {
  return cudaStreamCreateWithPriority(stream, flags, 0);
}

cudaError_t cudaStreamCreate(cudaStream_t *stream) {
  return cudaStreamCreateWithFlags(stream, cudaStreamDefault);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  cuda_enter();
  struct heddle_cuda_stream **s = stream_link(stream);
  if (!s) return cuda_leave(cudaErrorInvalidResourceHandle);
  *s = stream->next;
  free(stream);
  return cuda_leave(cudaSuccess);
}

cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned *flags) {
  cuda_enter();
  if (!flags) return cuda_leave(cudaErrorInvalidValue);
  if (!cuda_is_stream(stream)) return cuda_leave(cudaErrorInvalidResourceHandle);
  *flags = stream_link(stream) && stream ? stream->flags : cudaStreamDefault;
  return cuda_leave(cudaSuccess);
}

cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *priority) {
  cuda_enter();
  if (!priority) return cuda_leave(cudaErrorInvalidValue);
  *priority = 0;
  return cuda_leave(cuda_is_stream(stream) ? cudaSuccess : cudaErrorInvalidResourceHandle);
}

cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest) {
  cuda_enter();
  if (least) *least = 0;
  if (greatest) *greatest = 0;
  return cuda_leave(cuda_ready());
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  cuda_enter();
  return cuda_leave(cuda_is_stream(stream) ? cuda_settle() : cudaErrorInvalidResourceHandle);
}

cudaError_t cudaStreamQuery(cudaStream_t stream) {
  return cudaStreamSynchronize(stream);
}

/* The function may call what it likes but CUDA, by its definition; that it can, here, is more. */
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *data) {
  cuda_enter();
  cudaError_t e = function ? cuda_settle() : cudaErrorInvalidValue;
  if (e == cudaSuccess && !cuda_is_stream(stream)) e = cudaErrorInvalidResourceHandle;
  e = cuda_leave(e);
  if (e == cudaSuccess) function(data);
  return e;
}

/* Unlike the other it is called after an error, too. */
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void *data, unsigned flags) {
  cuda_enter();
  if (!callback || flags != 0) return cuda_leave(cudaErrorInvalidValue);
  if (!cuda_is_stream(stream)) return cuda_leave(cudaErrorInvalidResourceHandle);
  const cudaError_t e = cuda_leave(cuda_settle());
  callback(stream, e, data);
  return e;
}

/* ---- events */

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags) {
  cuda_enter();
  if (!event || (flags & ~(cudaEventBlockingSync | cudaEventDisableTiming))) return cuda_leave(cudaErrorInvalidValue);
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
static struct heddle_cuda_event **link_of_event(cudaEvent_t event) {
  for (struct heddle_cuda_event **e = &cuda.events; *e; e = &(*e)->next)
    if (*e == event) return e;
  return NULL;
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  cuda_enter();
  struct heddle_cuda_event **e = link_of_event(event);
  if (!e) return cuda_leave(cudaErrorInvalidResourceHandle);
  *e = event->next;
  free(event);
  return cuda_leave(cudaSuccess);
}

void cuda_date_events(void) {
  for (struct heddle_cuda_event *e = cuda.events; e; e = e->next)
    if (e->state == CUDA_EVENT_WAITS && heddle_cycles_until(cuda.context, e->launch, &e->cycles) == HEDDLE_SUCCESS)
      e->state = CUDA_EVENT_DONE;
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned flags) {
  cuda_enter();
  if (flags > cudaEventRecordExternal) return cuda_leave(cudaErrorInvalidValue);
  if (!link_of_event(event) || !cuda_is_stream(stream)) return cuda_leave(cudaErrorInvalidResourceHandle);
  const cudaError_t e = cuda_ready();
  if (e != cudaSuccess) return cuda_leave(e);
  event->state = CUDA_EVENT_WAITS;
  event->launch = cuda.launches;
  cuda_date_events();
  return cuda_leave(cudaSuccess);
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return cudaEventRecordWithFlags(event, stream, cudaEventRecordDefault);
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags) {
  cuda_enter();
  if (!link_of_event(event) || !cuda_is_stream(stream)) return cuda_leave(cudaErrorInvalidResourceHandle);
  return cuda_leave(flags == cudaEventWaitDefault ? cuda_ready() : cudaErrorInvalidValue);
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  cuda_enter();
  if (!link_of_event(event)) return cuda_leave(cudaErrorInvalidResourceHandle);
  return cuda_leave(cuda_settle());
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
  return cudaEventSynchronize(event);
}

cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t from, cudaEvent_t to) {
  cuda_enter();
  if (!milliseconds) return cuda_leave(cudaErrorInvalidValue);
  if (!link_of_event(from) || !link_of_event(to) || !from->timed || !to->timed || from->state == CUDA_EVENT_NEW ||
      to->state == CUDA_EVENT_NEW)
    return cuda_leave(cudaErrorInvalidResourceHandle);
  if (cuda.sticky != cudaSuccess) return cuda_leave(cuda.sticky);
  if (from->state == CUDA_EVENT_WAITS || to->state == CUDA_EVENT_WAITS) return cuda_leave_silently(cudaErrorNotReady);
  *milliseconds = (float)(((double)to->cycles - (double)from->cycles) / CYCLES_OF_A_MILLISECOND);
  return cuda_leave(cudaSuccess);
}

void cuda_drop_streams(void) {
  while (cuda.streams) {
    struct heddle_cuda_stream *s = cuda.streams;
    cuda.streams = s->next;
    free(s);
  }
  while (cuda.events) {
    struct heddle_cuda_event *e = cuda.events;
    cuda.events = e->next;
    free(e);
  }
}
