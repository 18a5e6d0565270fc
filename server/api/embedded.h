/* embedded.h: files that are part of the binary. */
#ifndef SERVER_EMBEDDED_H
#define SERVER_EMBEDDED_H

extern const char embedded_openapi_yaml[], embedded_openapi_yaml_end[];
extern const char embedded_openapi_json[], embedded_openapi_json_end[];

#endif
