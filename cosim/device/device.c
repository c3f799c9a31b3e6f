/* SPDX-License-Identifier: Apache-2.0
 *
 * Devices by name: shared objects that export `heddle_device_ops`.
 */
#include <heddle/device.h>

#include <dirent.h>
#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cosim/device/core_device.h"
#include "cosim/device/folder.h"
#include "base/options.h"
#include "isa/lib/message.h"

struct heddle_dut {
  const struct heddle_dut_ops *ops;
  const struct heddle_core_ops *core; /* NULL: it is one of ours */
  struct heddle_core declared;        /* such a core */
  struct heddle_dut_info info;
  void *self, *library;
  heddle_dut_stream_fn stream;   /* NULL: it has none */
  heddle_dut_classes_fn classes; /* the same */
  heddle_dut_classes_begin_fn classes_begin;
};

/* What a shared object exports: one of the two. */
struct exports {
  const struct heddle_dut_ops *ops;
  const struct heddle_core_ops *core;
  struct heddle_core declared; /* what the core is */
  void *library;
};

/* Where the shared objects lie: the argument, or as device.h says. */
static bool find_dir(const char *dir, char *buf, size_t bytes) {
  static const struct folder_places places = {"HEDDLE_DEVICES", {"devices", DEVICE_FOLDER}, DEVICE_FOLDER_INSTALLED};
  if (dir != NULL) return snprintf(buf, bytes, "%s", dir) < (int)bytes;
  return folder_find(&places, buf, bytes);
}

static bool plain_name(const char *s) {
  return *s != '\0' && strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") == strlen(s);
}

static bool of_this_version(struct exports *x) {
  x->ops = dlsym(x->library, "heddle_device_ops");
  x->core = dlsym(x->library, "heddle_core_ops");
  if (x->ops != NULL) return x->ops->abi == HEDDLE_DUT_ABI;
  return x->core != NULL && x->core->abi == HEDDLE_CORE_ABI;
}

static enum heddle_error load_object(const char *path, struct exports *x, struct heddle_message *msg) {
  if (access(path, F_OK) != 0) {
    const char *name = strrchr(path, '/') + 1; /* object_path() made it: FOLDER/NAME.so */
    int length = (int)strlen(name) - (int)sizeof ".so" + 1;
    return message_fail(msg, HEDDLE_ERROR_NO_DEVICE, NULL,
                        "%.*s is not built: there is no %s; one of ours 'cmake --build build --target device_%.*s' "
                        "makes",
                        length, name, path, length, name);
  }
  x->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (x->library == NULL) return message_fail(msg, HEDDLE_ERROR_NO_DEVICE, NULL, "%s", dlerror());
  struct heddle_message why = {.text = "not a device of this version"};
  if (of_this_version(x) && (x->core == NULL || core_declared(x->core, &x->declared, &why) == HEDDLE_SUCCESS))
    return HEDDLE_SUCCESS;
  dlclose(x->library);
  return message_fail(msg, HEDDLE_ERROR_WRONG_DEVICE, NULL, "%s: %s", path, why.text);
}

static void info_of(const struct exports *x, struct heddle_dut_info *out) {
  if (x->ops != NULL)
    *out = *x->ops->info();
  else
    core_device_info(&x->declared, out);
}

static struct heddle_dut *wrap(const struct exports *x, void *self) {
  struct heddle_dut *d = calloc(1, sizeof *d);
  if (d == NULL) return NULL;
  *d =
      (struct heddle_dut){.ops = x->ops, .core = x->core, .declared = x->declared, .self = self, .library = x->library};
  if (x->ops == NULL) core_device_info(&x->declared, &d->info);
  if (x->ops == NULL) d->ops = &core_device_ops;
  if (x->library != NULL && x->ops != NULL) {
    *(void **)&d->stream = dlsym(x->library, "heddle_device_stream");
    *(void **)&d->classes = dlsym(x->library, "heddle_device_classes");
    *(void **)&d->classes_begin = dlsym(x->library, "heddle_device_classes_begin");
  }
  return d;
}

struct heddle_dut *heddle_dut_wrap(const struct heddle_dut_ops *ops, void *self) {
  const struct exports x = {.ops = ops};
  return wrap(&x, self);
}

const char *heddle_dut_variant(const char *config, bool wave, bool faults, char *buf, size_t bytes) {
  static const char tail[] = "_faults";
  const size_t n = strlen(config), least = sizeof tail - 1;
  const bool has = n > least && strcmp(config + n - least, tail) == 0;
  snprintf(buf, bytes, "%.*s%s%s", (int)(has ? n - least : n), config, wave ? "_wave" : "", has || faults ? tail : "");
  return buf;
}

/* The path of a device's shared object: NAME, or where only NAME_faults is built that one, which is the same machine
 * while none of its faults is active. */
static enum heddle_error object_path(const char *dir, const char *backend, const char *config, char *path, size_t bytes,
                                     struct heddle_message *msg) {
  char folder[3072];
  message_clear(msg);
  if (!plain_name(backend) || !plain_name(config))
    return message_fail(msg, HEDDLE_ERROR_NO_DEVICE, NULL, "'%s_%s' is no name of a device: letters, digits, _ and -",
                        backend, config);
  if (!find_dir(dir, folder, sizeof folder))
    return message_fail(msg, HEDDLE_ERROR_NO_DEVICE, NULL,
                        "no folder of devices beside library or program, nor %s; HEDDLE_DEVICES can name one",
                        DEVICE_FOLDER_INSTALLED);
  snprintf(path, bytes, "%s/%s_%s.so", folder, backend, config);
  char planted[3584];
  snprintf(planted, sizeof planted, "%s/%s_%s_faults.so", folder, backend, config);
  if (access(path, F_OK) != 0 && access(planted, F_OK) == 0) snprintf(path, bytes, "%s", planted);
  return HEDDLE_SUCCESS;
}

/* That object, loaded; its path. */
static enum heddle_error find_object(const char *dir, const char *backend, const char *config, char *path, size_t bytes,
                                     struct exports *x, struct heddle_message *msg) {
  const enum heddle_error e = object_path(dir, backend, config, path, bytes, msg);
  return e == HEDDLE_SUCCESS ? load_object(path, x, msg) : e;
}

enum heddle_error heddle_dut_keep(const char *dir, const char *backend, const char *config,
                                  struct heddle_message *msg) {
  char path[3584];
  struct exports x;
  return find_object(dir, backend, config, path, sizeof path, &x, msg);
}

bool heddle_dut_path(const char *dir, const char *backend, const char *config, char *path, size_t bytes) {
  return object_path(dir, backend, config, path, bytes, NULL) == HEDDLE_SUCCESS && access(path, R_OK) == 0;
}

bool heddle_dut_built(const char *dir, const char *backend, const char *config) {
  char path[3584];
  return heddle_dut_path(dir, backend, config, path, sizeof path);
}

static enum heddle_error take_options(struct heddle_dut_options *o, struct heddle_axi_mem_config *memory,
                                      const struct heddle_dut_options *given, struct heddle_message *msg) {
  if (!options_take(o, sizeof *o, given))
    return message_fail(msg, HEDDLE_ERROR_INVALID_VALUE, NULL,
                        "the device's options are of another release: no size of their own");
  if (o->memory == NULL || !options_take(memory, sizeof *memory, o->memory))
    return message_fail(msg, HEDDLE_ERROR_INVALID_VALUE, NULL,
                        "the device's options have no memory, or one of another release: no size of its own");
  o->memory = memory;
  return HEDDLE_SUCCESS;
}

enum heddle_error heddle_dut_open(const char *dir, const char *backend, const char *config,
                                  const struct heddle_dut_options *given, struct heddle_dut **out,
                                  struct heddle_message *msg) {
  char path[3584];
  struct exports x;
  struct heddle_dut_options options;
  struct heddle_axi_mem_config memory;
  *out = NULL;
  enum heddle_error e = take_options(&options, &memory, given, msg);
  if (e == HEDDLE_SUCCESS) e = find_object(dir, backend, config, path, sizeof path, &x, msg);
  if (e != HEDDLE_SUCCESS) return e;
  struct heddle_dut_info info;
  info_of(&x, &info);
  memory.data_bytes = info.axi_bytes;
  if (options.fault != 0 && !info.has_faults) {
    dlclose(x.library);
    return message_fail(msg, HEDDLE_ERROR_NOT_SUPPORTED, NULL, "%s has no faults; %s_faults has (lab/verify/faults)",
                        path, config);
  }
  void *self = x.ops != NULL ? x.ops->create(&options) : core_device_new(x.core, &x.declared, &options);
  *out = self != NULL ? wrap(&x, self) : NULL;
  if (*out != NULL) return HEDDLE_SUCCESS;
  if (self != NULL) (x.ops != NULL ? x.ops : &core_device_ops)->free(self);
  dlclose(x.library);
  return message_fail(msg, HEDDLE_ERROR_NOT_SUPPORTED, NULL,
                      "%s: could not be created (memory range, or a wave that is not built in)", path);
}

bool heddle_dut_core_config(const char *dir, const char *backend, const char *config, struct heddle_config *out) {
  char path[3584];
  struct exports x;
  if (find_object(dir, backend, config, path, sizeof path, &x, NULL) != HEDDLE_SUCCESS) return false;
  if (x.core != NULL) core_config(&x.declared, out); /* whose name lies in the library, which stays */
  return x.core != NULL;
}

void heddle_dut_free(struct heddle_dut *d) {
  if (d == NULL) return;
  if (d->library != NULL) {
    d->ops->free(d->self);
    dlclose(d->library);
  }
  free(d);
}

unsigned heddle_dut_list(const char *dir, void (*f)(void *ctx, const struct heddle_dut_info *info), void *ctx) {
  char folder[3072], path[3584];
  if (!find_dir(dir, folder, sizeof folder)) return 0;
  DIR *h = opendir(folder);
  if (h == NULL) return 0;
  unsigned n = 0;
  for (const struct dirent *e = readdir(h); e != NULL; e = readdir(h)) {
    const size_t len = strlen(e->d_name);
    if (len < 4 || strcmp(e->d_name + len - 3, ".so") != 0) continue;
    snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
    struct exports x;
    struct heddle_dut_info info;
    if (load_object(path, &x, NULL) != HEDDLE_SUCCESS) continue;
    info_of(&x, &info);
    f(ctx, &info);
    dlclose(x.library);
    n++;
  }
  closedir(h);
  return n;
}

/* Has the file name that form? Then *length characters from *from on are the configuration. */
static bool is_of(const char *file, const char *backend, const char **from, size_t *length) {
  const size_t front = strlen(backend) + 1, all = strlen(file), end = sizeof ".so" - 1;
  if (all <= front + end || strncmp(file, backend, front - 1) != 0 || file[front - 1] != '_') return false;
  *from = file + front;
  *length = all - front - end;
  return strcmp(file + all - end, ".so") == 0;
}

void heddle_dut_names(const char *dir, const char *backend, void (*f)(void *ctx, const char *config), void *ctx) {
  char folder[3072], name[NAME_MAX + 1];
  struct dirent **entry = NULL;
  const char *from;
  size_t length;
  const int n = find_dir(dir, folder, sizeof folder) ? scandir(folder, &entry, NULL, alphasort) : -1;
  for (int i = 0; i < n; i++) {
    if (is_of(entry[i]->d_name, backend, &from, &length)) {
      snprintf(name, sizeof name, "%.*s", (int)length, from);
      f(ctx, name);
    }
    free(entry[i]);
  }
  free(entry);
}

const struct heddle_dut_info *heddle_dut_describe(const struct heddle_dut *d) {
  return d->core != NULL ? &d->info : d->ops->info();
}
const struct heddle_core *heddle_dut_core(const struct heddle_dut *d) {
  return d->core != NULL ? &d->declared : NULL;
}
void heddle_dut_reset(struct heddle_dut *d) {
  d->ops->reset(d->self);
}
bool heddle_dut_write32(struct heddle_dut *d, uint32_t addr, uint32_t data) {
  return d->ops->host_write(d->self, addr, data);
}
bool heddle_dut_read32(struct heddle_dut *d, uint32_t addr, uint32_t *data) {
  return d->ops->host_read(d->self, addr, data);
}
enum heddle_dut_answer heddle_dut_write_bytes(struct heddle_dut *d, uint32_t addr, uint32_t data, unsigned bytes) {
  return d->ops->host_write_bytes(d->self, addr, data, bytes);
}
enum heddle_dut_answer heddle_dut_write_and_read(struct heddle_dut *d, const struct heddle_dut_both *b, uint32_t *data,
                                                 bool *ok) {
  return d->ops->host_both(d->self, b, data, ok);
}
uint64_t heddle_dut_step(struct heddle_dut *d, uint64_t cycles) {
  return d->ops->step(d->self, cycles);
}
const struct heddle_retire_record *heddle_dut_records(struct heddle_dut *d, size_t *count) {
  return d->ops->records(d->self, count);
}
const struct heddle_retire_record *heddle_dut_records_take(struct heddle_dut *d, size_t *count) {
  return d->ops->take(d->self, count);
}
void heddle_dut_records_clear(struct heddle_dut *d) {
  d->ops->clear(d->self);
}
bool heddle_dut_has_stream(const struct heddle_dut *d) {
  return d->stream != NULL;
}
const uint8_t *heddle_dut_stream(struct heddle_dut *d, size_t *bytes) {
  *bytes = 0;
  return d->stream != NULL ? d->stream(d->self, bytes) : NULL;
}
bool heddle_dut_classes_begin(struct heddle_dut *d) {
  if (d->classes == NULL || d->classes_begin == NULL) return false;
  d->classes_begin(d->self);
  return true;
}
const struct heddle_dut_class *heddle_dut_classes(struct heddle_dut *d, size_t *n) {
  *n = 0;
  return d->classes != NULL ? d->classes(d->self, n) : NULL;
}
uint64_t heddle_dut_cycle(const struct heddle_dut *d) {
  return d->ops->cycle(d->self);
}
bool heddle_dut_wave(struct heddle_dut *d, const char *path) {
  return d->ops->wave(d->self, path);
}
bool heddle_dut_irq(const struct heddle_dut *d) {
  return d->ops->irq != NULL && d->ops->irq(d->self);
}

const char *heddle_dut_failure(const struct heddle_dut *d) {
  return d->ops->failure(d->self);
}
const struct heddle_axi_mem *heddle_dut_memory(const struct heddle_dut *d) {
  return d->ops->memory(d->self);
}

static bool memory_range(const struct heddle_axi_mem *m, uint64_t addr, uint64_t bytes, uint64_t *at) {
  const struct heddle_axi_mem_config *c = heddle_axi_mem_configuration(m);
  *at = addr - c->base;
  return addr >= c->base && *at <= c->bytes && bytes <= c->bytes - *at;
}

bool heddle_dut_memory_store(struct heddle_dut *d, uint64_t addr, const void *data, uint64_t bytes) {
  struct heddle_axi_mem *m = d->ops->memory(d->self);
  uint64_t at;
  if (!memory_range(m, addr, bytes, &at)) return false;
  memcpy(heddle_axi_mem_bytes(m) + at, data, bytes);
  return true;
}

bool heddle_dut_memory_load(const struct heddle_dut *d, uint64_t addr, void *data, uint64_t bytes) {
  const struct heddle_axi_mem *m = d->ops->memory(d->self);
  uint64_t at;
  if (!memory_range(m, addr, bytes, &at)) return false;
  memcpy(data, heddle_axi_mem_view(m) + at, bytes);
  return true;
}

void heddle_dut_memory_writable(struct heddle_dut *d, const struct heddle_axi_mem_range *r, unsigned n) {
  heddle_axi_mem_writable(d->ops->memory(d->self), r, n);
}

void heddle_dut_memory_errors(struct heddle_dut *d, uint64_t base, uint64_t limit) {
  heddle_axi_mem_errors(d->ops->memory(d->self), base, limit);
}

bool heddle_dut_memory_outside(struct heddle_dut *d, const struct heddle_axi_mem_outside *o) {
  return d->core == NULL && heddle_axi_mem_set_outside(d->ops->memory(d->self), o); /* a core's memory is not AXI */
}

void heddle_dut_memory_answer(struct heddle_dut *d, bool write, uint16_t at, uint8_t resp, const uint8_t *data) {
  heddle_axi_mem_answer(d->ops->memory(d->self), write, at, resp, data);
}
