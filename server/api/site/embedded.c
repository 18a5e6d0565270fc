/* embedded.c: files that the assembler puts into the binary; tools/make-site prepares them. */
#include "server/api/site/embedded.h"

#include <string.h>

/* The Makefile names that of a release, which is compressed harder. */
#ifndef SITE_FILES
#define SITE_FILES "build/site/files.def"
#endif

#define EMBED(name, path)                                                                          \
	__asm__(".section .rodata\n.global " #name "\n" #name ":\n.incbin \"" path "\"\n"          \
		".global " #name "_end\n" #name "_end:\n.byte 0\n.previous\n");                    \
	extern const char name[], name##_end[];

#define FILE(name, path, file, hash)                                                               \
	EMBED(embedded_##name, file)                                                               \
	EMBED(embedded_##name##_gzip, file ".gz")
#include SITE_FILES
#undef FILE

static const struct embedded_file files[] = {
#define FILE(name, path, file, hash)                                                               \
	{path,                                                                                     \
	 hash,                                                                                     \
	 embedded_##name,                                                                          \
	 embedded_##name##_end,                                                                    \
	 embedded_##name##_gzip,                                                                   \
	 embedded_##name##_gzip_end},
#include SITE_FILES
#undef FILE
};

const char embedded_element_integrity[] = ELEMENT_INTEGRITY;

const struct embedded_file *embedded_find(const struct text *path)
{
	for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
		if (strlen(files[i].path) == path->length &&
		    memcmp(files[i].path, path->bytes, path->length) == 0)
			return &files[i];
	return NULL;
}
