/* SPDX-License-Identifier: Apache-2.0
 *
 * Reading a records file, a declaration a line.
 */
#include "records.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct reader {
  struct records *r;
  struct diag *d;
  const struct line *line;
};

static bool complain(const struct reader *p, const char *wanted) {
  return diag_fail(p->d, p->line->at, "expected '%s'", wanted);
}

/* A meaning becomes a comment in C and SystemVerilog and a cell of a table. */
static bool read_text(const struct reader *p, unsigned w, char to[RECORDS_TEXT_MAX]) {
  const char *s = p->line->word[w];
  if (!p->line->quoted[w]) return diag_fail(p->d, p->line->at, "'%s': a meaning is in double quotes", s);
  if (strlen(s) >= RECORDS_TEXT_MAX)
    return diag_fail(p->d, p->line->at, "a meaning has at most %d characters", RECORDS_TEXT_MAX - 1);
  for (const char *c = s; *c != '\0'; c++)
    if ((unsigned char)*c >= 0x7f || *c == '|' || *c == '\\' || (*c == '*' && c[1] == '/'))
      return diag_fail(p->d, p->line->at, "a meaning is plain ASCII without |, \\ and the end of a comment");
  memcpy(to, s, strlen(s) + 1);
  return true;
}

static bool read_name(const struct reader *p, unsigned w, bool capitals, char to[TEXT_NAME_MAX]) {
  const char *s = p->line->word[w];
  bool ok = !p->line->quoted[w] && isalpha((unsigned char)*s) && strlen(s) < TEXT_NAME_MAX;
  for (const char *c = s; *c != '\0' && ok; c++)
    ok = *c == '_' || isdigit((unsigned char)*c) ||
         (capitals ? isupper((unsigned char)*c) : islower((unsigned char)*c)) != 0;
  if (!ok)
    return diag_fail(p->d, p->line->at, "'%.40s' is not a name; use %s letters, digits and '_', at most %d", s,
                     capitals ? "capital" : "small", TEXT_NAME_MAX - 1);
  memcpy(to, s, strlen(s) + 1);
  return true;
}

static bool read_number(const struct reader *p, const char *s, uint32_t low, uint32_t high, const char *what,
                        uint32_t *out) {
  uint64_t v = 0;
  if (!text_number(s, &v) || v < low || v > high)
    return diag_fail(p->d, p->line->at, "%s is '%.40s'; use %u to %u", what, s, low, high);
  *out = (uint32_t)v;
  return true;
}

static bool room(const struct reader *p, unsigned used, unsigned most, const char *what) {
  return used < most || diag_fail(p->d, p->line->at, "more than %u %s", most, what);
}

static int find_dim(const struct records *r, const char *name) {
  for (unsigned i = 0; i < r->dims; i++)
    if (strcmp(r->dim[i].name, name) == 0) return (int)i;
  return RECORDS_NONE;
}

static int find_shape(const struct records *r, const char *name) {
  for (unsigned i = 0; i < r->shapes; i++)
    if (strcmp(r->shape[i].name, name) == 0) return (int)i;
  return RECORDS_NONE;
}

/* Constants, dimensions and bounds: what a number can be measured by. */
static bool is_size(const struct records *r, const char *name) {
  bool found = find_dim(r, name) != RECORDS_NONE;
  for (unsigned i = 0; i < r->consts; i++) found = found || strcmp(r->constant[i].name, name) == 0;
  for (unsigned i = 0; i < r->bounds; i++) found = found || strcmp(r->bound[i].name, name) == 0;
  return found;
}

/* They share their names. */
static bool fresh(const struct reader *p, const char *name) {
  const bool taken = is_size(p->r, name) || strcmp(name, "VERSION") == 0;
  return !taken || diag_fail(p->d, p->line->at, "%s is given twice; rename one", name);
}

static bool read_records(struct reader *p) {
  struct records *r = p->r;
  if (p->line->n != 4) return complain(p, "records NAME VERSION \"TITLE\"");
  if (r->version != 0) return diag_fail(p->d, p->line->at, "'records' is given twice; remove one");
  return read_name(p, 1, false, r->name) && read_text(p, 3, r->text) &&
         read_number(p, p->line->word[2], 1, 255, "the version", &r->version);
}

static bool read_const(struct reader *p) {
  if (p->line->n != 4) return complain(p, "const NAME VALUE \"MEANING\"");
  if (!room(p, p->r->consts, RECORDS_CONSTS_MAX, "constants")) return false;
  struct records_const *c = &p->r->constant[p->r->consts];
  if (!read_name(p, 1, true, c->name) || !fresh(p, c->name) || !read_text(p, 3, c->text) ||
      !read_number(p, p->line->word[2], 0, INT32_MAX, "the value", &c->value))
    return false;
  p->r->consts++;
  return true;
}

/* A number, or PACKAGE::NAME. */
static bool port_size(const char *s) {
  uint64_t v;
  if (text_number(s, &v)) return v >= 1 && v <= RECORDS_SIZE_MAX;
  const char *colon = strstr(s, "::");
  if (colon == NULL || colon == s || strlen(s) >= 2 * TEXT_NAME_MAX) return false;
  for (const char *c = s; *c != '\0'; c++)
    if (c != colon && c != colon + 1 && !isalnum((unsigned char)*c) && *c != '_') return false;
  return isalpha((unsigned char)*s) && isalpha((unsigned char)colon[2]);
}

static bool read_dim(struct reader *p) {
  if (p->line->n != 6) return complain(p, "dim NAME SIZE PORT-SIZE MULTIPLE \"MEANING\"");
  if (!room(p, p->r->dims, RECORDS_DIMS_MAX, "dimensions")) return false;
  struct records_dim *m = &p->r->dim[p->r->dims];
  const char *port = p->line->word[3];
  if (!read_name(p, 1, true, m->name) || !fresh(p, m->name) || !read_text(p, 5, m->text) ||
      !read_number(p, p->line->word[2], 1, RECORDS_SIZE_MAX, "the size", &m->size) ||
      !read_number(p, p->line->word[4], 1, m->size, "the multiple", &m->multiple))
    return false;
  if (!port_size(port))
    return diag_fail(p->d, p->line->at, "the size at the port is '%.70s'; use a number or PACKAGE::NAME", port);
  uint64_t v = 0;
  const bool number = text_number(port, &v);
  if (number && (v > m->size || v % m->multiple != 0))
    return diag_fail(p->d, p->line->at, "the size at the port is %s: more than in C, or no multiple of %u", port,
                     m->multiple);
  if (m->size % m->multiple != 0) return diag_fail(p->d, p->line->at, "%u is no multiple of %u", m->size, m->multiple);
  m->sized = !number || v != m->size;
  memcpy(m->port, port, strlen(port) + 1);
  p->r->dims++;
  return true;
}

static bool read_bound(struct reader *p) {
  if (p->line->n != 4) return complain(p, "bound NAME PORT-SIZE \"MEANING\"");
  if (!room(p, p->r->bounds, RECORDS_BOUNDS_MAX, "bounds")) return false;
  struct records_bound *b = &p->r->bound[p->r->bounds];
  const char *port = p->line->word[2];
  if (!read_name(p, 1, true, b->name) || !fresh(p, b->name) || !read_text(p, 3, b->text)) return false;
  if (!port_size(port))
    return diag_fail(p->d, p->line->at, "the size at the port is '%.70s'; use a number or PACKAGE::NAME", port);
  memcpy(b->port, port, strlen(port) + 1);
  p->r->bounds++;
  return true;
}

static bool read_reserve(struct reader *p) {
  struct records *r = p->r;
  if (p->line->n != 4) return complain(p, "reserve NAME KIND \"MEANING\"");
  if (!room(p, r->reserves, RECORDS_RESERVED_MAX, "reserved kinds")) return false;
  struct records_reserved *x = &r->reserved[r->reserves];
  if (!read_name(p, 1, false, x->name) || !read_text(p, 3, x->text) ||
      !read_number(p, p->line->word[2], 0, RECORDS_KINDS_MAX - 1, "the kind", &x->kind))
    return false;
  for (unsigned i = 0; i < r->reserves; i++)
    if (r->reserved[i].kind == x->kind || strcmp(r->reserved[i].name, x->name) == 0)
      return diag_fail(p->d, p->line->at, "%s or its number %u is reserved twice", x->name, x->kind);
  r->reserves++;
  return true;
}

/* Words [*w, ...) that name dimensions, two at most. */
static bool read_dims(const struct reader *p, unsigned *w, unsigned *dims, int dim[2]) {
  for (; *w < p->line->n && !p->line->quoted[*w] && isupper((unsigned char)*p->line->word[*w]); ++*w) {
    const int k = find_dim(p->r, p->line->word[*w]);
    if (k == RECORDS_NONE)
      return diag_fail(p->d, p->line->at, "'%.40s' is no dimension that was given above", p->line->word[*w]);
    if (*dims == 2) return diag_fail(p->d, p->line->at, "more than two dimensions");
    dim[(*dims)++] = k;
  }
  return true;
}

static int find_group(const struct records *r, const char *name) {
  for (unsigned i = 0; i < r->groups; i++)
    if (strcmp(r->group[i].name, name) == 0) return (int)i;
  return RECORDS_NONE;
}

static bool read_group(struct reader *p) {
  if (!room(p, p->r->groups, RECORDS_GROUPS_MAX, "groups")) return false;
  struct records_group *g = &p->r->group[p->r->groups];
  unsigned w = 2, dims = 0;
  int dim[2] = {RECORDS_NONE, RECORDS_NONE};
  if (p->line->n < 3) return complain(p, "group NAME [DIM] \"MEANING\"");
  if (!read_name(p, 1, false, g->name) || !read_dims(p, &w, &dims, dim)) return false;
  if (dims > 1 || w + 1 != p->line->n) return complain(p, "group NAME [DIM] \"MEANING\"");
  if (find_group(p->r, g->name) != RECORDS_NONE)
    return diag_fail(p->d, p->line->at, "%s is given twice; rename one", g->name);
  g->dim = dim[0];
  if (!read_text(p, w, g->text)) return false;
  p->r->groups++;
  return true;
}

static struct records_shape *add_shape(const struct reader *p, bool record) {
  struct records *r = p->r;
  if (!room(p, r->shapes, RECORDS_SHAPES_MAX, "structs and records")) return NULL;
  struct records_shape *s = &r->shape[r->shapes];
  *s = (struct records_shape){
      .at = p->line->at, .record = record, .like = RECORDS_NONE, .group = RECORDS_NONE, .first = r->fields};
  if (!read_name(p, 1, false, s->name)) return NULL;
  if (find_shape(r, s->name) == RECORDS_NONE) return s;
  diag_fail(p->d, p->line->at, "%s is given twice; rename one", s->name);
  return NULL;
}

/* What has been read so far of the last shape is all of it. */
static bool close_shape(const struct reader *p) {
  if (p->r->shapes == 0) return true;
  return records_place(p->r, &p->r->shape[p->r->shapes - 1], p->d);
}

static bool read_struct(struct reader *p) {
  if (p->line->n != 3) return complain(p, "struct NAME \"MEANING\"");
  if (!close_shape(p)) return false;
  struct records_shape *s = add_shape(p, false);
  if (s == NULL || !read_text(p, 2, s->text)) return false;
  p->r->shapes++;
  return true;
}

static bool read_like(const struct reader *p, const char *name, struct records_shape *s) {
  s->like = find_shape(p->r, name);
  if (s->like == RECORDS_NONE || !p->r->shape[s->like].record || p->r->shape[s->like].like != RECORDS_NONE)
    return diag_fail(p->d, p->line->at, "like=%.40s: no record with fields of that name above", name);
  return true;
}

/* Of a group that there is one of each along a dimension: an array of that first. */
static bool read_from(const struct reader *p, const char *name, struct records_shape *s) {
  s->group = find_group(p->r, name);
  if (s->group == RECORDS_NONE) return diag_fail(p->d, p->line->at, "from=%.40s: no such group above", name);
  const struct records_group *g = &p->r->group[s->group];
  if (g->dim == RECORDS_NONE || (s->dims > 0 && s->dim[0] == g->dim)) return true;
  return diag_fail(p->d, p->line->at, "from=%s: its first dimension is %s", name, p->r->dim[g->dim].name);
}

/* The value of option `key` if word *w is that option, which is then taken; else NULL. */
static const char *option(const struct reader *p, unsigned *w, const char *key) {
  const size_t n = strlen(key);
  if (*w >= p->line->n || p->line->quoted[*w] || strncmp(p->line->word[*w], key, n) != 0) return NULL;
  return p->line->word[(*w)++] + n;
}

static bool read_profile(const struct reader *p, unsigned *w, unsigned least, unsigned *profile) {
  const char *value = option(p, w, "profile=");
  uint32_t v = least;
  *profile = least;
  if (value == NULL) return true;
  if (!read_number(p, value, least, RECORDS_PROFILES - 1, "the profile", &v)) return false;
  *profile = v;
  return true;
}

/* The number of a record is its place among those without one of their own, or what the file says. */
static bool read_kind(const struct reader *p, unsigned *w, struct records_shape *s) {
  const char *value = option(p, w, "kind=");
  uint32_t v = 0;
  for (unsigned i = 0; i < p->r->shapes; i++) v += p->r->shape[i].record && !p->r->shape[i].numbered;
  s->numbered = value != NULL;
  if (s->numbered && !read_number(p, value, 0, RECORDS_KIND_MAX - 1, "the kind", &v)) return false;
  s->kind = v;
  if (v >= RECORDS_HIDDEN_KINDS && s->profile != 0)
    return diag_fail(p->d, p->line->at, "%s: kinds from %d on cannot be left out; use profile=0", s->name,
                     RECORDS_HIDDEN_KINDS);
  return true;
}

#define RECORD_FORM                                                                                                    \
  "record NAME [DIM ...] [like=RECORD] [from=GROUP] [profile=N] [kind=N] [unit=NAME] [by=bank] "                       \
  "\"MEANING\""

/* unit=NAME, a small name. */
static bool read_unit(const struct reader *p, unsigned *w, struct records_shape *s) {
  const char *name = option(p, w, "unit=");
  if (name == NULL) return true;
  bool ok = *name != '\0' && strlen(name) < sizeof s->unit;
  for (const char *c = name; *c != '\0'; c++) ok = ok && (islower((unsigned char)*c) || *c == '_');
  if (!ok) return diag_fail(p->d, p->line->at, "unit=%.40s: use small letters and '_'", name);
  memcpy(s->unit, name, strlen(name) + 1);
  return true;
}

/* by=bank: of which a machine of several SMs has one for each bank of memory. */
static bool read_by(const struct reader *p, unsigned *w, struct records_shape *s) {
  const char *name = option(p, w, "by=");
  if (name == NULL) return true;
  s->of_bank = strcmp(name, "bank") == 0;
  if (!s->of_bank) return diag_fail(p->d, p->line->at, "by=%.40s: use by=bank, or nothing: by SM", name);
  return s->group == RECORDS_NONE || diag_fail(p->d, p->line->at, "%s: by=bank, or of a group: not both", s->name);
}

static bool read_record(struct reader *p) {
  if (p->line->n < 3) return complain(p, RECORD_FORM);
  if (!close_shape(p)) return false;
  struct records_shape *s = add_shape(p, true);
  unsigned w = 2;
  if (s == NULL || !read_dims(p, &w, &s->dims, s->dim)) return false;
  const char *value = option(p, &w, "like=");
  if (value != NULL && !read_like(p, value, s)) return false;
  value = option(p, &w, "from=");
  if (value != NULL && !read_from(p, value, s)) return false;
  if (!read_profile(p, &w, 0, &s->profile) || !read_kind(p, &w, s) || !read_unit(p, &w, s) || !read_by(p, &w, s))
    return false;
  if (w + 1 != p->line->n) return complain(p, RECORD_FORM);
  if (!read_text(p, w, s->text)) return false;
  p->r->shapes++;
  return true;
}

static bool read_type(const struct reader *p, struct records_field *x) {
  static const struct {
    const char *name;
    unsigned bits;
  } types[] = {{"u8", 8}, {"u16", 16}, {"u32", 32}, {"u64", 64}, {"u128", 128}};
  const char *s = p->line->word[2];
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (strcmp(s, types[i].name) == 0) x->bits = types[i].bits;
  if (x->bits != 0) return true;
  x->shape = find_shape(p->r, s);
  if (x->shape == RECORDS_NONE || p->r->shape[x->shape].record || (unsigned)x->shape + 1 == p->r->shapes)
    return diag_fail(p->d, p->line->at, "type is '%.40s'; use u8, u16, u32, u64, u128, or a struct given above", s);
  return true;
}

static int find_field(const struct records *r, const struct records_shape *s, const char *name) {
  for (unsigned i = s->first; i < r->fields; i++)
    if (strcmp(r->field[i].name, name) == 0) return (int)i;
  return RECORDS_NONE;
}

static bool read_when(const struct reader *p, const struct records_shape *s, const char *name,
                      struct records_field *x) {
  x->when = find_field(p->r, s, name);
  if (x->when == RECORDS_NONE) return diag_fail(p->d, p->line->at, "when=%.40s: no such field above", name);
  const struct records_field *w = &p->r->field[x->when];
  if (x->dims == 0 || w->dims != 0 || w->bits == 0 || w->bits > 64 || w->bits < p->r->dim[x->dim[0]].size)
    return diag_fail(p->d, p->line->at, "when=%s: a number with a bit for each element of an array", name);
  return true;
}

/* Which entries of the last dimension say something: where a record has rows of lanes. */
static bool read_lanes(const struct reader *p, const struct records_shape *s, const char *name,
                       struct records_field *x) {
  if (name == NULL) return true;
  x->lanes = find_field(p->r, s, name);
  if (x->lanes == RECORDS_NONE) return diag_fail(p->d, p->line->at, "lanes=%.40s: no such field above", name);
  const struct records_field *w = &p->r->field[x->lanes];
  if (x->dims == 0 || w->dims != 0 || w->bits < p->r->dim[x->dim[x->dims - 1]].size)
    return diag_fail(p->d, p->line->at, "lanes=%s: a number with a bit for each entry of the last dimension", name);
  return true;
}

static bool read_of(const struct reader *p, const struct records_shape *s, const char *name, struct records_field *x) {
  if (name == NULL) return true;
  x->of = find_field(p->r, s, name);
  if (x->of == RECORDS_NONE || x->bits != 128 || p->r->field[x->of].bits != 32 || p->r->field[x->of].dims != 0)
    return diag_fail(p->d, p->line->at, "of=%.40s: a u32 above; and what is expected by it is a u128", name);
  return true;
}

/* What bounds the field's numbers, or their bits. */
static bool read_size(const struct reader *p, const char *name, const struct records_field *x, char *to) {
  if (name == NULL) return true;
  if (!is_size(p->r, name)) return diag_fail(p->d, p->line->at, "'%.40s' is no constant, dim or bound above", name);
  if (x->bits == 0 || x->bits > 64) return diag_fail(p->d, p->line->at, "%s: only numbers have bounds", x->name);
  memcpy(to, name, strlen(name) + 1);
  return true;
}

static bool read_field(struct reader *p) {
  struct records *r = p->r;
  const char *form = "field NAME TYPE [DIM ...] \"MEANING\" [when=FIELD] [profile=N] [below=SIZE] [bits=SIZE] "
                     "[lanes=FIELD] [of=FIELD]";
  if (p->line->n < 4) return complain(p, form);
  if (r->shapes == 0) return diag_fail(p->d, p->line->at, "a field comes after the struct or record it belongs to");
  struct records_shape *s = &r->shape[r->shapes - 1];
  if (s->like != RECORDS_NONE) return diag_fail(p->d, p->line->at, "%s has the fields of another record", s->name);
  if (!room(p, r->fields, RECORDS_FIELDS_MAX, "fields")) return false;
  struct records_field *x = &r->field[r->fields];
  *x = (struct records_field){
      .at = p->line->at, .shape = RECORDS_NONE, .when = RECORDS_NONE, .lanes = RECORDS_NONE, .of = RECORDS_NONE};
  unsigned w = 3;
  if (!read_name(p, 1, false, x->name) || !read_type(p, x) || !read_dims(p, &w, &x->dims, x->dim)) return false;
  if (w >= p->line->n) return complain(p, form);
  if (find_field(r, s, x->name) != RECORDS_NONE)
    return diag_fail(p->d, p->line->at, "%s is given twice; rename one", x->name);
  if (!read_text(p, w++, x->text)) return false;
  const char *value = option(p, &w, "when=");
  if (value != NULL && !read_when(p, s, value, x)) return false;
  if (!read_profile(p, &w, s->profile, &x->profile) || !read_size(p, option(p, &w, "below="), x, x->below) ||
      !read_size(p, option(p, &w, "bits="), x, x->mask_of) || !read_lanes(p, s, option(p, &w, "lanes="), x) ||
      !read_of(p, s, option(p, &w, "of="), x))
    return false;
  if (w != p->line->n) return complain(p, form);
  r->fields++;
  s->fields++;
  return true;
}

static bool read_line(struct reader *p) {
  static const struct {
    const char *word;
    bool (*read)(struct reader *p);
  } kinds[] = {{"records", read_records}, {"const", read_const},   {"dim", read_dim},
               {"bound", read_bound},     {"group", read_group},   {"reserve", read_reserve},
               {"struct", read_struct},   {"record", read_record}, {"field", read_field}};
  const char *first = p->line->word[0];
  if (p->r->version == 0 && strcmp(first, "records") != 0)
    return diag_fail(p->d, p->line->at, "the first line is 'records NAME VERSION \"TITLE\"'");
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
    if (strcmp(first, kinds[k].word) == 0) return kinds[k].read(p);
  return diag_fail(p->d, p->line->at,
                   "'%.40s' is unknown; use const, dim, bound, group, reserve, struct, record, field", first);
}

unsigned records_count(const struct records *r) {
  unsigned n = 0;
  for (unsigned i = 0; i < r->shapes; i++) n += r->shape[i].record;
  return n;
}

unsigned records_kinds(const struct records *r) {
  unsigned n = 0;
  for (unsigned i = 0; i < r->shapes; i++)
    if (r->shape[i].record && r->shape[i].kind >= n) n = r->shape[i].kind + 1;
  return n;
}

const struct records_shape *records_of_kind(const struct records *r, unsigned kind) {
  for (unsigned i = 0; i < r->shapes; i++)
    if (r->shape[i].record && r->shape[i].kind == kind) return &r->shape[i];
  return NULL;
}

/* No two records have one number, and none has one that is kept. */
static bool check_kinds(const struct records *r, struct pos at, struct diag *d) {
  for (unsigned i = 0; i < r->shapes; i++) {
    const struct records_shape *s = &r->shape[i];
    const struct records_shape *first = s->record ? records_of_kind(r, s->kind) : s;
    if (first != s) return diag_fail(d, s->at, "%s and %s are both of kind %u", first->name, s->name, s->kind);
  }
  for (unsigned i = 0; i < r->reserves; i++) {
    const struct records_shape *s = records_of_kind(r, r->reserved[i].kind);
    if (s != NULL)
      return diag_fail(d, at, "kind %u is reserved for %s, and is that of %s", r->reserved[i].kind, r->reserved[i].name,
                       s->name);
  }
  return true;
}

bool records_load(const char *path, struct records *r, struct diag *d) {
  struct pos at = {path, 0};
  memset(r, 0, sizeof *r);
  char *text = text_read(path, at, d);
  struct line *line = malloc(sizeof *line);
  if (line == NULL) diag_fail(d, at, "out of memory");
  if (!d->failed) {
    struct reader p = {r, d, line};
    const char *cursor = text;
    line->at = at;
    while (!d->failed && text_line(&cursor, line, d))
      if (line->n > 0) (void)read_line(&p);
    if (!d->failed) (void)close_shape(&p);
  }
  free(line);
  free(text);
  if (!d->failed && records_count(r) == 0) diag_fail(d, at, "there is no record");
  if (!d->failed) (void)check_kinds(r, at, d);
  return !d->failed;
}
