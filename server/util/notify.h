/* notify.h: reports the state of the server to a service manager, as sd_notify(3) describes. */
#ifndef SERVER_UTIL_NOTIFY_H
#define SERVER_UTIL_NOTIFY_H

/* Sends lines such as "READY=1\nSTATUS=..." to the socket that NOTIFY_SOCKET names; does nothing if
 * it is not set. Failures are ignored. More than 511 bytes are cut. */
void notify_manager(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
