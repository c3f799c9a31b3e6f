/* SPDX-License-Identifier: Apache-2.0
 * The driver's port (heddle/port.h) over the link: a board as the driver sees it. */
#ifndef BOARD_PORT_H
#define BOARD_PORT_H

#include <heddle/port.h>
#include "firmware/board/link.h"

#ifdef __cplusplus
extern "C" {
#endif

/* `l` is borrowed and `id` is what it answered; the port lives as long as `l`. Why a call of the port failed:
 * board_link_message. */
void board_port_bind(struct board_link *l, const struct board_identity *id, struct heddle_port *port);

#ifdef __cplusplus
}
#endif

#endif
