/* uris.h: the values of --allow-origin, --base-path and --security-contact. */
#ifndef SERVER_CONFIG_URIS_H
#define SERVER_CONFIG_URIS_H

#include "server/config.h"

/* Reads "*", "none", or SCHEME://HOST[:PORT] as a browser sends it in Origin. False if it has another
 * form, or if there is no room for one more. */
MUST_USE bool origin_parse(struct config *config, const char *value);

/* Reads a path such as "/cubes" or "/games/cubes"; its first part must be none of the server's own paths. */
MUST_USE bool base_path_parse(struct config *config, const char *value);

/* Reads a URI as RFC 9116 wants it: of the web only with https. False as above. */
MUST_USE bool contact_parse(struct config *config, const char *value);

#endif
