/* embedded.c: files that the assembler puts into the binary. OPENAPI_JSON is made of openapi.yaml
 * by the build. */
#include "server/api/embedded.h"

#define EMBED(name, path)                                                                          \
	__asm__(".section .rodata\n.global " #name "\n" #name ":\n.incbin \"" path "\"\n"          \
		".global " #name "_end\n" #name "_end:\n.byte 0\n.previous\n")

EMBED(embedded_openapi_yaml, "openapi.yaml");
EMBED(embedded_openapi_json, OPENAPI_JSON);
