/* embedded.h: files that are part of the binary. */
#ifndef SERVER_API_SITE_EMBEDDED_H
#define SERVER_API_SITE_EMBEDDED_H

extern const char embedded_openapi_yaml[], embedded_openapi_yaml_end[];
extern const char embedded_openapi_json[], embedded_openapi_json_end[];

/* For each page of a problem its name and its HTML, both ended by a NUL; the first one, with an empty
 * name, lists the others. */
extern const char embedded_problem_pages[], embedded_problem_pages_end[];

/* The web page, web/. */
extern const char embedded_page_html[], embedded_page_html_end[];
extern const char embedded_docs_html[], embedded_docs_html_end[];
extern const char embedded_page_css[], embedded_page_css_end[];
extern const char embedded_page_svg[], embedded_page_svg_end[];
extern const char embedded_page_js[], embedded_page_js_end[];
extern const char embedded_board_js[], embedded_board_js_end[];
extern const char embedded_clipboard_js[], embedded_clipboard_js_end[];
extern const char embedded_cube_js[], embedded_cube_js_end[];
extern const char embedded_docs_js[], embedded_docs_js_end[];
extern const char embedded_element_js[], embedded_element_js_end[];
extern const char embedded_link_js[], embedded_link_js_end[];
extern const char embedded_net_js[], embedded_net_js_end[];
extern const char embedded_operation_js[], embedded_operation_js_end[];
extern const char embedded_past_js[], embedded_past_js_end[];
extern const char embedded_prose_js[], embedded_prose_js_end[];
extern const char embedded_schema_js[], embedded_schema_js_end[];
extern const char embedded_share_js[], embedded_share_js_end[];
extern const char embedded_solid_js[], embedded_solid_js_end[];
extern const char embedded_solving_js[], embedded_solving_js_end[];
extern const char embedded_start_js[], embedded_start_js_end[];
extern const char embedded_times_js[], embedded_times_js_end[];
extern const char embedded_turning_js[], embedded_turning_js_end[];

#endif
