/* SPDX-License-Identifier: Apache-2.0
 *
 * Edges by their source, and an order of all nodes that obeys them, if there is one.
 */
#include <stdlib.h>
#include <string.h>

#include "lab/verify/oracle/order/order_list.h"

bool list_sorted(struct list *l) {
  const size_t nodes = list_nodes(l);
  struct list_edge *by = malloc((l->edges + 1) * sizeof *by);
  free(l->first);
  l->first = calloc(nodes + 2, sizeof *l->first);
  if (by == NULL || l->first == NULL) {
    free(by);
    return order_too_much(l->o, "no memory");
  }
  for (size_t k = 0; k < l->edges; k++) l->first[l->edge[k].from + 2]++;
  for (size_t n = 0; n < nodes; n++) l->first[n + 2] += l->first[n + 1];
  for (size_t k = 0; k < l->edges; k++) by[l->first[l->edge[k].from + 1]++] = l->edge[k];
  free(l->edge);
  l->edge = by;
  l->edges_room = l->edges + 1;
  l->sorted = l->edges;
  return true;
}

/* How many edges lead to each node. */
static void count_incoming(const struct list *l, uint32_t *left) {
  memset(left, 0, list_nodes(l) * sizeof *left);
  for (size_t k = 0; k < l->sorted; k++) left[l->edge[k].to]++;
}

bool list_acyclic(struct list *l) {
  const size_t nodes = list_nodes(l);
  uint32_t *left = malloc((nodes + 1) * sizeof *left);
  free(l->moment);
  l->moment = malloc((nodes + 1) * sizeof *l->moment);
  if (left == NULL || l->moment == NULL) {
    free(left);
    return order_too_much(l->o, "no memory");
  }
  count_incoming(l, left);
  l->moments = 0;
  for (uint32_t n = 0; n < nodes; n++)
    if (left[n] == 0) l->moment[l->moments++] = n;
  for (size_t k = 0; k < l->moments; k++)
    for (uint32_t e = l->first[l->moment[k]]; e < l->first[l->moment[k] + 1]; e++)
      if (--left[l->edge[e].to] == 0) l->moment[l->moments++] = l->edge[e].to;
  const bool ok = l->moments == nodes || list_cycle(l, left);
  free(left);
  return ok;
}
