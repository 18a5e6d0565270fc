/* embedded.h: files that are part of the binary: the page, the documents, openapi.yaml. */
#ifndef SERVER_API_SITE_EMBEDDED_H
#define SERVER_API_SITE_EMBEDDED_H

#include "server/util/text.h"

struct embedded_file {
	const char *path; /* "/assets/VERSION/page.js" */
	const char *hash; /* of the content */
	const char *bytes, *end;
	const char *gzip, *gzip_end; /* the same, compressed */
};

/* The hash of /cubed.js for the attribute `integrity`: "sha384-...". */
extern const char embedded_element_integrity[];

/* The file that is served at a path; NULL: none. */
const struct embedded_file *embedded_find(const struct text *path);

#endif
