/* notify.h: tells a service manager how the server is doing, as sd_notify(3) describes it. */
#ifndef SERVER_UTIL_NOTIFY_H
#define SERVER_UTIL_NOTIFY_H

/* Sends lines such as "READY=1\nSTATUS=..." to the socket that NOTIFY_SOCKET names; does nothing if
 * there is none. Nothing depends on its success: a manager that does not hear us ends us by its own
 * rules. More than 511 bytes are cut. */
void notify_manager(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
