/* watch_notice.h: what servers say to one another about a watched session. With the session cache's
 * lock, but for the first function. */
#ifndef SERVER_MODULES_POSTGRES_WATCH_NOTICE_H
#define SERVER_MODULES_POSTGRES_WATCH_NOTICE_H

#include "server/live/live_internal.h"

void watch_notice_subject(const struct session_id *id, uint8_t subject[NOTICE_SUBJECT_BYTES]);
/* Writes what is known here. */
void watch_notice_write(const struct topic *topic, struct buffer *buffer);
/* Between presence_hear_begin and presence_hear_end. */
void watch_notice_hear(struct topic *topic, const uint8_t *at, size_t length);

#endif
