/* What the C tests have in common. A check that fails says where and ends the program. */
#ifndef CHECK_H
#define CHECK_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "axpress.h"

#define CHECK(condition) check((condition), #condition, __FILE__, __LINE__)
#define IS(status, expected) is((status), (expected), #status, __FILE__, __LINE__)

static inline void check(bool holds, const char *what, const char *file, int line) {
    if (!holds) {
        fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, what);
        exit(1);
    }
}

static inline void is(axp_status status, axp_status expected, const char *what, const char *file, int line) {
    if (status != expected) {
        axp_bytes code = axp_status_code(status);
        axp_bytes wanted = axp_status_code(expected);
        fprintf(stderr, "%s:%d: %.*s instead of %.*s: %s\n", file, line, (int)code.length, (const char *)code.data,
                (int)wanted.length, (const char *)wanted.data, what);
        exit(1);
    }
}

/* The bytes are this text. */
static inline bool says(axp_bytes bytes, const char *text) {
    return bytes.length == strlen(text) && memcmp(bytes.data, text, bytes.length) == 0;
}

/* The text is somewhere in the bytes. */
static inline bool holds(axp_bytes bytes, const char *text) {
    size_t length = strlen(text);
    size_t start;
    for (start = 0; start + length <= bytes.length; start++) {
        if (memcmp(bytes.data + start, text, length) == 0) {
            return true;
        }
    }
    return false;
}

static inline const uint8_t *bytes_of(const char *text) {
    return (const uint8_t *)text;
}

static inline axp_compressor *new_compressor(void) {
    axp_compressor *compressor = NULL;
    IS(axp_compressor_new(&compressor), AXP_OK);
    CHECK(compressor != NULL);
    return compressor;
}

static inline axp_view_options *new_view_options(void) {
    axp_view_options *options = NULL;
    IS(axp_view_options_new(&options), AXP_OK);
    return options;
}

static inline axp_outline_options *new_outline_options(void) {
    axp_outline_options *options = NULL;
    IS(axp_outline_options_new(&options), AXP_OK);
    return options;
}

/* A page with a heading, a button of the id 7 and a text field of the id 9. */
static const char PAGE[] =
    "{\"nodes\":[{\"nodeId\":\"1\",\"role\":{\"value\":\"RootWebArea\"},\"name\":{\"value\":\"Quay\"},"
    "\"childIds\":[\"2\",\"7\",\"9\"],\"backendDOMNodeId\":1},"
    "{\"nodeId\":\"2\",\"parentId\":\"1\",\"role\":{\"value\":\"heading\"},\"name\":{\"value\":\"Quay\"},"
    "\"childIds\":[],\"backendDOMNodeId\":2},"
    "{\"nodeId\":\"7\",\"parentId\":\"1\",\"role\":{\"value\":\"button\"},\"name\":{\"value\":\"Moor\"},"
    "\"childIds\":[],\"backendDOMNodeId\":7},"
    "{\"nodeId\":\"9\",\"parentId\":\"1\",\"role\":{\"value\":\"textbox\"},\"name\":{\"value\":\"Berth\"},"
    "\"value\":{\"value\":\"B12\"},\"childIds\":[],\"backendDOMNodeId\":9}]}";
enum { PAGE_LENGTH = sizeof PAGE - 1 };

#endif
