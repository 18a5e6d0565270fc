/* embedded.c: files that the assembler puts into the binary. OPENAPI_JSON is made of openapi.yaml
 * by the build, and the pages of problems of docs/reference/problems.md (tools/problem_pages.c). */
#include "server/api/site/embedded.h"

#define EMBED(name, path)                                                                          \
	__asm__(".section .rodata\n.global " #name "\n" #name ":\n.incbin \"" path "\"\n"          \
		".global " #name "_end\n" #name "_end:\n.byte 0\n.previous\n")

EMBED(embedded_openapi_yaml, "openapi.yaml");
EMBED(embedded_openapi_json, OPENAPI_JSON);
EMBED(embedded_problem_pages, "build/problem_pages.html");

EMBED(embedded_page_html, "web/index.html");
EMBED(embedded_docs_html, "web/docs.html");
EMBED(embedded_page_css, "web/page.css");
EMBED(embedded_page_svg, "web/page.svg");
EMBED(embedded_page_js, "web/page.js");
EMBED(embedded_board_js, "web/page/board.js");
EMBED(embedded_clipboard_js, "web/page/clipboard.js");
EMBED(embedded_cube_js, "web/page/cube.js");
EMBED(embedded_docs_js, "web/page/docs.js");
EMBED(embedded_element_js, "web/page/element.js");
EMBED(embedded_link_js, "web/page/link.js");
EMBED(embedded_net_js, "web/page/net.js");
EMBED(embedded_operation_js, "web/page/operation.js");
EMBED(embedded_past_js, "web/page/past.js");
EMBED(embedded_prose_js, "web/page/prose.js");
EMBED(embedded_schema_js, "web/page/schema.js");
EMBED(embedded_share_js, "web/page/share.js");
EMBED(embedded_solid_js, "web/page/solid.js");
EMBED(embedded_solving_js, "web/page/solving.js");
EMBED(embedded_start_js, "web/page/start.js");
EMBED(embedded_times_js, "web/page/times.js");
EMBED(embedded_turning_js, "web/page/turning.js");
