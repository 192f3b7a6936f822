/* Does what a list of cases says and writes down what came of it, byte for byte: the same list through Rust, C, Go and
 * Python must give the same transcript. The format is described where the list is made, in `tests/src/hosts.rs`.
 *
 * transcript CASES > TRANSCRIPT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "axpress.h"

enum { MOST_FRAMES = 16, MOST_UIDS = 64 };

struct input {
    uint8_t *bytes;
    size_t length;
};

struct frame {
    axp_uid owner;
    uint32_t number;
    struct input payload;
};

struct test_case {
    const char *operation;
    const char *query;
    struct input payload;
    struct input before;
    struct frame frames[MOST_FRAMES];
    size_t frames_length;
    axp_outline_options *outline_options;
    axp_view_options *view_options;
};

static void fail(const char *what, const char *which) {
    fprintf(stderr, "transcript: %s: %s\n", what, which);
    exit(1);
}

static void must(axp_status status, const char *what) {
    if (status != AXP_OK) {
        axp_bytes code = axp_status_code(status);
        fprintf(stderr, "transcript: %s: %.*s\n", what, (int)code.length, (const char *)code.data);
        exit(1);
    }
}

static struct input read_file(const char *path) {
    struct input input = {NULL, 0};
    FILE *file = fopen(path, "rb");
    long size = 0;
    if (file == NULL || fseek(file, 0, SEEK_END) != 0 || (size = ftell(file)) < 0 || fseek(file, 0, SEEK_SET) != 0) {
        fail("can't read", path);
    }
    input.length = (size_t)size;
    /* Exactly as long as the file, so that a read past its end is seen by a sanitizer; 1 for the empty one. */
    input.bytes = (uint8_t *)malloc(input.length == 0 ? 1 : input.length);
    if (input.bytes == NULL || fread(input.bytes, 1, input.length, file) != input.length) {
        fail("can't read", path);
    }
    fclose(file);
    return input;
}

static void cut(struct input *input, size_t length) {
    struct input shorter = {NULL, 0};
    shorter.length = length;
    shorter.bytes = (uint8_t *)malloc(length == 0 ? 1 : length);
    if (shorter.bytes == NULL || length > input->length) {
        fail("can't cut", "payload");
    }
    memcpy(shorter.bytes, input->bytes, length);
    free(input->bytes);
    *input = shorter;
}

static axp_uid read_uid(const char *text, char **end) {
    axp_uid uid;
    uid.frame = (uint32_t)strtoul(text, end, 10);
    uid.node = strtoull(*end + 1, end, 10);
    return uid;
}

static size_t read_uids(const char *text, axp_uid *uids) {
    size_t length = 0;
    char *end = NULL;
    while (*text != '\0' && length < MOST_UIDS) {
        uids[length++] = read_uid(text, &end);
        text = *end == ',' ? end + 1 : end;
    }
    return length;
}

static void read_field(struct test_case *test, const char *key, const char *value) {
    axp_uid uids[MOST_UIDS];
    char *end = NULL;
    if (strcmp(key, "payload") == 0) {
        test->payload = read_file(value);
    } else if (strcmp(key, "before") == 0) {
        test->before = read_file(value);
    } else if (strcmp(key, "cut") == 0) {
        cut(&test->payload, strtoul(value, NULL, 10));
    } else if (strcmp(key, "frame") == 0 && test->frames_length < MOST_FRAMES) {
        struct frame *frame = &test->frames[test->frames_length++];
        frame->owner = read_uid(value, &end);
        frame->number = (uint32_t)strtoul(end + 1, &end, 10);
        frame->payload = read_file(end + 1);
    } else if (strcmp(key, "max_chars") == 0) {
        must(axp_outline_options_set_max_chars(test->outline_options, strtoul(value, NULL, 10)), key);
    } else if (strcmp(key, "dedup_text") == 0) {
        must(axp_outline_options_set_dedup_text(test->outline_options, true), key);
    } else if (strcmp(key, "query") == 0) {
        test->query = value;
        must(axp_view_options_set_query(test->view_options, (const uint8_t *)value, strlen(value)), key);
    } else if (strcmp(key, "max_bytes") == 0) {
        must(axp_view_options_set_max_bytes(test->view_options, strtoul(value, NULL, 10)), key);
    } else if (strcmp(key, "urls") == 0) {
        must(axp_view_options_set_urls(test->view_options, true), key);
    } else if (strcmp(key, "root") == 0) {
        must(axp_view_options_set_root(test->view_options, read_uid(value, &end)), key);
    } else if (strcmp(key, "secrets") == 0) {
        must(axp_view_options_set_secrets(test->view_options, uids, read_uids(value, uids)), key);
    } else if (strcmp(key, "nodes") == 0) {
        uint64_t nodes[MOST_UIDS];
        size_t length = 0;
        const char *text;
        for (text = value; *text != '\0' && length < MOST_UIDS; text = *end == ',' ? end + 1 : end) {
            nodes[length++] = strtoull(text, &end, 10);
        }
        must(axp_outline_options_set_secrets(test->outline_options, nodes, length), key);
    } else if (strcmp(key, "viewport") == 0) {
        must(axp_view_options_set_viewport(test->view_options, uids, read_uids(value, uids)), key);
    } else if (strcmp(key, "clickable") == 0) {
        must(axp_view_options_set_clickable(test->view_options, uids, read_uids(value, uids)), key);
    } else {
        fail("unknown field", key);
    }
}

static void print_bytes(const char *name, const uint8_t *data, size_t length) {
    printf("%s %zu\n", name, length);
    fwrite(data, 1, length, stdout);
    printf("\n");
}

static void print_uids(const axp_uid *uids, size_t length) {
    size_t position;
    printf("uids");
    for (position = 0; position < length; position++) {
        printf(" %lu.%llu", (unsigned long)uids[position].frame, (unsigned long long)uids[position].node);
    }
    printf("\n");
}

static void print_view(const axp_view *view) {
    print_bytes("text", view->text.data, view->text.length);
    print_uids(view->uids, view->uids_length);
    printf("counts %zu %zu %zu %zu %zu %zu\n", view->nodes, view->frames_left_out, view->uids_left_out,
           view->characters_left_out, view->lines_left_out, view->matches_left_out);
}

static void print_statistics(const axp_statistics *statistics) {
    printf("statistics %zu %zu %zu\n", statistics->nodes, statistics->repeats, statistics->roots);
}

static long long position_of(uint32_t line) {
    return line == AXP_NO_LINE ? -1 : (long long)line;
}

static void print_delta(const axp_delta *delta) {
    static const char *const KINDS[] = {"unchanged", "changed", "rewritten"};
    static const char *const CHANGES[] = {"came", "went", "changed", "moved", "indented"};
    size_t position;
    printf("delta %s %zu %zu\n", KINDS[delta->kind], delta->lines_before, delta->lines_after);
    print_bytes("text", delta->text.data, delta->text.length);
    print_uids(delta->uids, delta->uids_length);
    for (position = 0; position < delta->changes_length; position++) {
        const axp_change *change = &delta->changes[position];
        printf("%s %lld %lld\n", CHANGES[change->kind], position_of(change->before), position_of(change->after));
        print_bytes("line", change->line.data, change->line.length);
    }
    printf("frames_left_out %zu\n", delta->frames_left_out);
}

static axp_snapshot *new_snapshot(const struct test_case *test, struct input payload) {
    axp_snapshot *snapshot = NULL;
    size_t position;
    must(axp_snapshot_new(payload.bytes, payload.length, &snapshot), "snapshot");
    for (position = 0; position < test->frames_length; position++) {
        const struct frame *frame = &test->frames[position];
        must(axp_snapshot_add_frame(snapshot, frame->owner, frame->number, frame->payload.bytes, frame->payload.length),
             "frame");
    }
    return snapshot;
}

static axp_status run_view(axp_compressor *compressor, const struct test_case *test) {
    const axp_view *view = NULL;
    axp_status status;
    if (test->frames_length > 0) {
        axp_snapshot *snapshot = new_snapshot(test, test->payload);
        status = axp_compressor_view_snapshot(compressor, snapshot, test->view_options, &view);
        axp_snapshot_free(snapshot);
    } else {
        status = axp_compressor_view(compressor, test->payload.bytes, test->payload.length, test->view_options, &view);
    }
    if (status == AXP_OK) {
        print_view(view);
    }
    return status;
}

static axp_status run_compress(axp_compressor *compressor, const struct test_case *test) {
    const axp_compressed *page = NULL;
    axp_status status;
    if (test->frames_length > 0) {
        axp_snapshot *snapshot = new_snapshot(test, test->payload);
        status = axp_compressor_compress_snapshot(compressor, snapshot, test->view_options, &page);
        axp_snapshot_free(snapshot);
    } else {
        status =
            axp_compressor_compress(compressor, test->payload.bytes, test->payload.length, test->view_options, &page);
    }
    if (status == AXP_OK) {
        print_view(page->view);
        print_bytes("handle", page->handle.text, AXP_HANDLE_LENGTH);
        print_bytes("blob", page->blob.data, page->blob.length);
        printf("original_bytes %zu\nuncompressed %d\n", page->original_bytes, page->uncompressed ? 1 : 0);
    }
    return status;
}

static axp_status run_delta(axp_compressor *compressor, const struct test_case *test) {
    const axp_delta *delta = NULL;
    axp_status status;
    if (test->frames_length > 0) {
        axp_snapshot *before = new_snapshot(test, test->before);
        axp_snapshot *after = new_snapshot(test, test->payload);
        status = axp_compressor_delta_snapshots(compressor, before, after, test->view_options, &delta);
        axp_snapshot_free(before);
        axp_snapshot_free(after);
    } else {
        status = axp_compressor_delta(compressor, test->before.bytes, test->before.length, test->payload.bytes,
                                      test->payload.length, test->view_options, &delta);
    }
    if (status == AXP_OK) {
        print_delta(delta);
    }
    return status;
}

static axp_status run(axp_compressor *compressor, const struct test_case *test) {
    const uint8_t *bytes = test->payload.bytes;
    size_t length = test->payload.length;
    axp_status status;
    if (strcmp(test->operation, "scan") == 0) {
        const axp_statistics *statistics = NULL;
        if ((status = axp_compressor_scan(compressor, bytes, length, &statistics)) == AXP_OK) {
            print_statistics(statistics);
        }
    } else if (strcmp(test->operation, "outline") == 0) {
        const axp_outline *outline = NULL;
        status = axp_compressor_outline(compressor, bytes, length, test->outline_options, &outline);
        if (status == AXP_OK) {
            print_bytes("text", outline->text.data, outline->text.length);
            printf("counts %zu %zu %zu\n", outline->nodes, outline->unreached, outline->too_deep);
        }
    } else if (strcmp(test->operation, "view") == 0) {
        status = run_view(compressor, test);
    } else if (strcmp(test->operation, "compress") == 0) {
        status = run_compress(compressor, test);
    } else if (strcmp(test->operation, "delta") == 0) {
        status = run_delta(compressor, test);
    } else if (strcmp(test->operation, "nodes") == 0) {
        const axp_nodes *nodes = NULL;
        size_t position;
        status = axp_compressor_nodes(compressor, bytes, length, (const uint8_t *)test->query, strlen(test->query), &nodes);
        for (position = 0; nodes != NULL && position < nodes->ranges_length; position++) {
            printf("node %zu %zu\n", nodes->ranges[position].start, nodes->ranges[position].end);
        }
    } else if (strcmp(test->operation, "pack") == 0) {
        const axp_packed *packed = NULL;
        axp_handle handle;
        if ((status = axp_compressor_pack(compressor, bytes, length, &packed)) == AXP_OK) {
            must(axp_handle_of(bytes, length, &handle), "handle");
            print_bytes("handle", packed->handle.text, AXP_HANDLE_LENGTH);
            print_bytes("handle", handle.text, AXP_HANDLE_LENGTH);
            print_bytes("blob", packed->blob.data, packed->blob.length);
        }
    } else if (strcmp(test->operation, "unpack") == 0) {
        axp_bytes original;
        if ((status = axp_compressor_unpack(compressor, bytes, length, &original)) == AXP_OK) {
            print_bytes("original", original.data, original.length);
        }
    } else {
        fail("unknown operation", test->operation);
        status = AXP_OK;
    }
    return status;
}

static void run_line(axp_compressor *compressor, unsigned long number, char *line) {
    struct test_case test;
    size_t position;
    axp_status status;
    char *field = strchr(line, '\t');
    memset(&test, 0, sizeof test);
    must(axp_outline_options_new(&test.outline_options), "options");
    must(axp_view_options_new(&test.view_options), "options");
    test.operation = line;
    while (field != NULL) {
        char *key = field + 1;
        char *value = strchr(key, '=');
        *field = '\0';
        field = strchr(key, '\t');
        if (field != NULL) {
            *field = '\0';
        }
        if (value == NULL) {
            fail("no value", key);
            return;
        }
        *value = '\0';
        read_field(&test, key, value + 1);
    }
    printf("case %lu %s\n", number, test.operation);
    status = run(compressor, &test);
    if (status != AXP_OK) {
        const axp_error *error = NULL;
        must(axp_compressor_error(compressor, &error), "error");
        if (error->status != status) {
            fail("the error is another call's", test.operation);
        }
        printf("status %d offset %zu\n", (int)status, error->offset);
        print_bytes("error", error->text.data, error->text.length);
    }
    for (position = 0; position < test.frames_length; position++) {
        free(test.frames[position].payload.bytes);
    }
    free(test.payload.bytes);
    free(test.before.bytes);
    axp_outline_options_free(test.outline_options);
    axp_view_options_free(test.view_options);
}

int main(int count, char **arguments) {
    axp_compressor *compressor = NULL;
    struct input cases;
    char *text;
    char *line;
    unsigned long number = 0;
    if (count != 2) {
        fail("usage", "transcript CASES");
    }
    cases = read_file(arguments[1]);
    text = (char *)malloc(cases.length + 1);
    if (text == NULL) {
        fail("no memory for", arguments[1]);
        return 1;
    }
    memcpy(text, cases.bytes, cases.length);
    text[cases.length] = '\0';
    must(axp_compressor_new(&compressor), "compressor");
    line = text;
    while (*line != '\0') {
        char *end = strchr(line, '\n');
        if (end == NULL) {
            fail("the last line is cut", line);
            return 1;
        }
        *end = '\0';
        run_line(compressor, ++number, line);
        line = end + 1;
    }
    axp_compressor_free(compressor);
    free(text);
    free(cases.bytes);
    return 0;
}
