/* The ABI from C: what it gives, and above all what it does with what is wrong. Run under AddressSanitizer with
 * LeakSanitizer, and under valgrind, where every error path must be clean too. */
#include "check.h"

static void versions_and_texts(void) {
    static const axp_status OWN[] = {AXP_NULL_ARGUMENT, AXP_PANIC,        AXP_POISONED,        AXP_BUSY,
                                     AXP_INVALID_LENGTH, AXP_INVALID_UTF8, AXP_INPUT_IS_RESULT, AXP_OUT_OF_MEMORY};
    axp_status status;
    size_t position;
    CHECK(axp_abi_version() == AXP_ABI_VERSION);
    CHECK(axp_version().length >= 5);
    for (status = AXP_OK; status <= AXP_UNKNOWN_ROOT; status++) {
        CHECK(!says(axp_status_code(status), "unknown-status"));
        CHECK(axp_status_message(status).length > 0 && axp_status_next_step(status).length > 0);
    }
    for (position = 0; position < sizeof OWN / sizeof OWN[0]; position++) {
        CHECK(!says(axp_status_code(OWN[position]), "unknown-status"));
    }
    CHECK(says(axp_status_code(AXP_INVALID_JSON), "invalid-json"));
    CHECK(says(axp_status_code(-1), "unknown-status") && says(axp_status_code(1000), "unknown-status"));
}

static void results(void) {
    axp_compressor *compressor = new_compressor();
    axp_view_options *view_options = new_view_options();
    axp_outline_options *outline_options = new_outline_options();
    const axp_statistics *statistics = NULL;
    const axp_outline *outline = NULL;
    const axp_view *view = NULL;
    const axp_compressed *page = NULL;
    const axp_packed *packed = NULL;
    axp_owned_bytes *blob = NULL;
    uint64_t secret = 9;
    axp_handle handle;
    axp_bytes bytes;

    IS(axp_compressor_scan(compressor, bytes_of(PAGE), PAGE_LENGTH, &statistics), AXP_OK);
    CHECK(statistics->nodes == 4 && statistics->roots == 1);

    IS(axp_compressor_outline(compressor, bytes_of(PAGE), PAGE_LENGTH, outline_options, &outline), AXP_OK);
    CHECK(says(outline->text, "RootWebArea \"Quay\"\n  heading \"Quay\"\n  button \"Moor\"  #ref=7\n"
                              "  textbox \"Berth\" = 'B12'  #ref=9"));
    CHECK(outline->nodes == 4 && outline->unreached == 0 && outline->too_deep == 0);
    IS(axp_outline_options_set_secrets(outline_options, &secret, 1), AXP_OK);
    IS(axp_compressor_outline(compressor, bytes_of(PAGE), PAGE_LENGTH, outline_options, &outline), AXP_OK);
    CHECK(!holds(outline->text, "B12"));
    IS(axp_outline_options_set_secrets(outline_options, &secret, SIZE_MAX), AXP_INVALID_LENGTH);
    IS(axp_outline_options_set_max_chars(outline_options, 4), AXP_OK);
    IS(axp_outline_options_set_dedup_text(outline_options, true), AXP_OK);
    IS(axp_compressor_outline(compressor, bytes_of(PAGE), PAGE_LENGTH, outline_options, &outline), AXP_OK);
    CHECK(says(outline->text, "Root\n\xE2\x80\xA6[outline truncado]"));

    IS(axp_compressor_view(compressor, bytes_of(PAGE), PAGE_LENGTH, view_options, &view), AXP_OK);
    CHECK(view->text.length > 0 && view->uids_length == 2 && view->frames_left_out == 0);
    CHECK(view->uids[0].node == 7 && view->uids[0].frame == 0 && view->uids[1].node == 9);

    IS(axp_compressor_compress(compressor, bytes_of(PAGE), PAGE_LENGTH, view_options, &page), AXP_OK);
    CHECK(page->view->uids_length == 2 && page->view->nodes == 4);
    CHECK(page->original_bytes == PAGE_LENGTH && !page->uncompressed);
    IS(axp_handle_of(bytes_of(PAGE), PAGE_LENGTH, &handle), AXP_OK);
    CHECK(memcmp(handle.text, page->handle.text, AXP_HANDLE_LENGTH) == 0);

    /* A lent blob can't be the input of the call that would overwrite it; its copy can. */
    IS(axp_compressor_pack(compressor, bytes_of(PAGE), PAGE_LENGTH, &packed), AXP_OK);
    CHECK(memcmp(handle.text, packed->handle.text, AXP_HANDLE_LENGTH) == 0);
    IS(axp_owned_bytes_new(packed->blob.data, packed->blob.length, &blob), AXP_OK);
    IS(axp_compressor_unpack(compressor, packed->blob.data, packed->blob.length, &bytes), AXP_INPUT_IS_RESULT);
    IS(axp_owned_bytes_get(blob, &bytes), AXP_OK);
    IS(axp_compressor_unpack(compressor, bytes.data, bytes.length, &bytes), AXP_OK);
    CHECK(says(bytes, PAGE));
    IS(axp_compressor_pack(compressor, bytes.data + 3, 5, &packed), AXP_INPUT_IS_RESULT);
    axp_owned_bytes_free(blob);

    axp_view_options_free(view_options);
    axp_outline_options_free(outline_options);
    axp_compressor_free(compressor);
}

static void deltas(void) {
    static const char BEFORE[] = "[{\"nodeId\":\"1\",\"role\":{\"value\":\"button\"},\"name\":{\"value\":\"Cast off\"},"
                                 "\"childIds\":[],\"backendDOMNodeId\":7}]";
    axp_compressor *compressor = new_compressor();
    axp_view_options *options = new_view_options();
    axp_snapshot *page = NULL;
    const axp_delta *delta = NULL;
    const uint8_t *line;
    IS(axp_compressor_delta(compressor, bytes_of(PAGE), PAGE_LENGTH, bytes_of(PAGE), PAGE_LENGTH, options, &delta),
       AXP_OK);
    CHECK(delta->kind == AXP_DELTA_UNCHANGED && says(delta->text, "no change") && delta->changes_length == 0);
    IS(axp_compressor_delta(compressor, bytes_of(BEFORE), sizeof BEFORE - 1, bytes_of(PAGE), PAGE_LENGTH, options,
                            &delta),
       AXP_OK);
    CHECK(delta->kind != AXP_DELTA_UNCHANGED && delta->lines_before == 1 && delta->changes_length > 0);
    CHECK(delta->changes[delta->changes_length - 1].kind >= AXP_CHANGE_CAME);
    line = delta->changes[delta->changes_length - 1].line.data;
    IS(axp_compressor_pack(compressor, line, 1, NULL), AXP_INPUT_IS_RESULT);
    IS(axp_snapshot_new(bytes_of(PAGE), PAGE_LENGTH, &page), AXP_OK);
    IS(axp_compressor_delta_snapshots(compressor, page, page, options, &delta), AXP_OK);
    CHECK(says(delta->text, "no change"));
    axp_snapshot_free(page);
    axp_view_options_free(options);
    axp_compressor_free(compressor);
}

/* What is lent stays as it is until the next call; what is owned, for good. */
static void lifetimes(void) {
    axp_compressor *compressor = new_compressor();
    axp_view_options *options = new_view_options();
    const axp_view *view = NULL;
    const axp_error *error = NULL;
    axp_owned_bytes *kept = NULL;
    axp_bytes bytes;
    char first[64];
    IS(axp_compressor_view(compressor, bytes_of(PAGE), PAGE_LENGTH, options, &view), AXP_OK);
    CHECK(view->text.length < sizeof first);
    memcpy(first, view->text.data, view->text.length);
    first[view->text.length] = '\0';
    IS(axp_owned_bytes_new(view->text.data, view->text.length, &kept), AXP_OK);
    axp_view_options_free(options);
    IS(axp_compressor_error(compressor, &error), AXP_OK);
    CHECK(error->status == AXP_OK && error->text.length == 0);
    CHECK(says(view->text, first));
    options = new_view_options();
    IS(axp_compressor_view(compressor, bytes_of("[]"), 2, options, &view), AXP_OK);
    CHECK(view->text.length == 0 && view->uids_length == 0);
    axp_compressor_free(compressor);
    IS(axp_owned_bytes_get(kept, &bytes), AXP_OK);
    CHECK(says(bytes, first));
    axp_owned_bytes_free(kept);
    axp_view_options_free(options);
}

static void options_of_views(void) {
    static const axp_uid SECRET[] = {{0, 9}};
    static const axp_uid HEADING[] = {{0, 2}};
    axp_compressor *compressor = new_compressor();
    axp_view_options *options = new_view_options();
    const axp_view *view = NULL;
    const axp_error *error = NULL;
    const axp_nodes *nodes = NULL;
    axp_uid root = {0, 7};

    IS(axp_view_options_set_secrets(options, SECRET, 1), AXP_OK);
    IS(axp_view_options_set_clickable(options, HEADING, 1), AXP_OK);
    IS(axp_view_options_set_urls(options, true), AXP_OK);
    IS(axp_compressor_view(compressor, bytes_of(PAGE), PAGE_LENGTH, options, &view), AXP_OK);
    CHECK(view->uids_length == 3 && view->uids[0].node == 2);
    CHECK(!holds(view->text, "B12"));
    IS(axp_view_options_set_secrets(options, SECRET, 0), AXP_OK);
    IS(axp_view_options_set_clickable(options, HEADING, 0), AXP_OK);
    IS(axp_compressor_view(compressor, bytes_of(PAGE), PAGE_LENGTH, options, &view), AXP_OK);
    CHECK(view->uids_length == 2 && holds(view->text, "B12"));

    IS(axp_view_options_set_max_bytes(options, 199), AXP_OK);
    IS(axp_compressor_view(compressor, bytes_of(PAGE), PAGE_LENGTH, options, &view), AXP_BUDGET_TOO_SMALL);
    IS(axp_view_options_set_max_bytes(options, 200), AXP_OK);
    IS(axp_view_options_set_viewport(options, SECRET, 1), AXP_OK);
    IS(axp_view_options_set_query(options, bytes_of("Moor"), 4), AXP_OK);
    IS(axp_compressor_view(compressor, bytes_of(PAGE), PAGE_LENGTH, options, &view), AXP_OK);
    CHECK(holds(view->text, "button Moor @7") && !holds(view->text, "Quay") && view->lines_left_out == 1);
    IS(axp_view_options_reset(options), AXP_OK);

    IS(axp_view_options_set_root(options, root), AXP_OK);
    IS(axp_compressor_view(compressor, bytes_of(PAGE), PAGE_LENGTH, options, &view), AXP_OK);
    CHECK(says(view->text, "button Moor @7"));
    root.node = 8;
    IS(axp_view_options_set_root(options, root), AXP_OK);
    IS(axp_compressor_view(compressor, bytes_of(PAGE), PAGE_LENGTH, options, &view), AXP_UNKNOWN_ROOT);

    IS(axp_compressor_nodes(compressor, bytes_of(PAGE), PAGE_LENGTH, bytes_of("Moor"), 4, &nodes), AXP_OK);
    CHECK(nodes->ranges_length == 1 && PAGE[nodes->ranges[0].start] == '{' && PAGE[nodes->ranges[0].end - 1] == '}');
    IS(axp_compressor_nodes(compressor, bytes_of(PAGE), PAGE_LENGTH, bytes_of("Moor\xFF"), 5, &nodes), AXP_INVALID_UTF8);
    IS(axp_compressor_error(compressor, &error), AXP_OK);
    CHECK(error->offset == 4);

    IS(axp_view_options_set_query(options, bytes_of("Moor \xFF"), 6), AXP_INVALID_UTF8);
    IS(axp_view_options_error(options, &error), AXP_OK);
    CHECK(error->status == AXP_INVALID_UTF8 && error->offset == 5 && says(error->code, "invalid-utf8"));
    IS(axp_view_options_set_query(options, bytes_of("a\0b"), 3), AXP_OK);
    IS(axp_view_options_error(options, &error), AXP_OK);
    CHECK(error->status == AXP_OK && error->offset == 0 && error->message.length == 0);
    IS(axp_view_options_set_secrets(options, SECRET, SIZE_MAX), AXP_INVALID_LENGTH);
    IS(axp_view_options_set_clickable(options, SECRET, SIZE_MAX / 16), AXP_INVALID_LENGTH);
    IS(axp_view_options_set_query(options, bytes_of("a"), SIZE_MAX), AXP_INVALID_LENGTH);

    IS(axp_view_options_reset(options), AXP_OK);
    IS(axp_compressor_view(compressor, bytes_of(PAGE), PAGE_LENGTH, options, &view), AXP_OK);
    CHECK(view->uids_length == 2);
    axp_view_options_free(options);
    axp_compressor_free(compressor);
}

static void frames(void) {
    static const char TOP[] = "[{\"nodeId\":\"1\",\"role\":{\"value\":\"RootWebArea\"},\"childIds\":[\"3\"]},"
                              "{\"nodeId\":\"3\",\"parentId\":\"1\",\"role\":{\"value\":\"Iframe\"},\"childIds\":[],"
                              "\"backendDOMNodeId\":3}]";
    axp_compressor *compressor = new_compressor();
    axp_view_options *options = new_view_options();
    axp_snapshot *snapshot = NULL;
    const axp_view *view = NULL;
    const axp_compressed *page = NULL;
    const axp_error *error = NULL;
    axp_uid owner = {0, 3};
    axp_uid nowhere = {0, 4};
    axp_handle handle;
    IS(axp_snapshot_new(bytes_of(TOP), sizeof TOP - 1, &snapshot), AXP_OK);
    IS(axp_snapshot_add_frame(snapshot, owner, 2, bytes_of(PAGE), PAGE_LENGTH), AXP_OK);
    IS(axp_compressor_view_snapshot(compressor, snapshot, options, &view), AXP_OK);
    CHECK(view->uids_length == 2 && view->uids[0].frame == 2 && view->uids[0].node == 7);
    IS(axp_snapshot_add_frame(snapshot, nowhere, 5, bytes_of(PAGE), PAGE_LENGTH), AXP_OK);
    IS(axp_compressor_compress_snapshot(compressor, snapshot, options, &page), AXP_OK);
    CHECK(page->view->frames_left_out == 1 && page->view->nodes == 10);
    IS(axp_handle_of(bytes_of(TOP), sizeof TOP - 1, &handle), AXP_OK);
    CHECK(memcmp(handle.text, page->handle.text, AXP_HANDLE_LENGTH) == 0);
    IS(axp_snapshot_add_frame(snapshot, owner, 6, bytes_of("[{}]"), 4), AXP_OK);
    IS(axp_compressor_view_snapshot(compressor, snapshot, options, &view), AXP_INVALID_NODE_ID);
    IS(axp_compressor_error(compressor, &error), AXP_OK);
    CHECK(error->offset == 1);
    IS(axp_snapshot_add_frame(snapshot, owner, 7, bytes_of("[]"), (size_t)1 << 32), AXP_OK);
    IS(axp_compressor_view_snapshot(compressor, snapshot, options, &view), AXP_PAYLOAD_TOO_LARGE);
    IS(axp_compressor_compress_snapshot(compressor, snapshot, options, &page), AXP_PAYLOAD_TOO_LARGE);
    IS(axp_snapshot_add_frame(snapshot, owner, 7, bytes_of("[]"), SIZE_MAX), AXP_INVALID_LENGTH);
    axp_snapshot_free(snapshot);
    IS(axp_snapshot_new(bytes_of("[]"), (size_t)1 << 32, &snapshot), AXP_OK);
    IS(axp_compressor_view_snapshot(compressor, snapshot, options, &view), AXP_PAYLOAD_TOO_LARGE);
    axp_snapshot_free(snapshot);
    axp_view_options_free(options);
    axp_compressor_free(compressor);
}

struct wrong {
    const char *bytes;
    size_t length;
    axp_status status;
    size_t offset;
};

/* Wrong payloads are told apart, with the byte; nothing is written, and the next call is as good as any. */
static void wrong_payloads(void) {
    static const size_t DEFAULT_MOST = (size_t)1 << 30;
    const struct wrong wrongs[] = {
        {"", 0, AXP_INVALID_JSON, 0},
        {"\0", 1, AXP_INVALID_JSON, 0},
        {"{\"nodes\":[]}\0", 13, AXP_INVALID_JSON, 12},
        {"[\"\xFF\"]", 5, AXP_INVALID_JSON, 2},
        {"{\"nodes\": [\n", 12, AXP_INVALID_JSON, 12},
        {"{}", 2, AXP_NOT_AX_PAYLOAD, 0},
        {"[{\"nodeId\":\"\"}]", 15, AXP_INVALID_NODE_ID, 1},
        {"[]", (size_t)1 << 32, AXP_PAYLOAD_TOO_LARGE, DEFAULT_MOST},
        {"[]", (size_t)SIZE_MAX / 2, AXP_PAYLOAD_TOO_LARGE, DEFAULT_MOST},
        {"[]", (size_t)SIZE_MAX / 2 + 1, AXP_INVALID_LENGTH, 0},
        {"[]", SIZE_MAX, AXP_INVALID_LENGTH, 0},
    };
    axp_compressor *compressor = new_compressor();
    axp_view_options *options = new_view_options();
    axp_outline_options *outline_options = new_outline_options();
    size_t position;
    for (position = 0; position < sizeof wrongs / sizeof wrongs[0]; position++) {
        const struct wrong *wrong = &wrongs[position];
        const uint8_t *bytes = bytes_of(wrong->bytes);
        const axp_view *view = NULL;
        const axp_outline *outline = NULL;
        const axp_compressed *page = NULL;
        const axp_statistics *statistics = NULL;
        const axp_error *error = NULL;
        IS(axp_compressor_scan(compressor, bytes, wrong->length, &statistics), wrong->status);
        IS(axp_compressor_outline(compressor, bytes, wrong->length, outline_options, &outline), wrong->status);
        IS(axp_compressor_compress(compressor, bytes, wrong->length, options, &page), wrong->status);
        IS(axp_compressor_view(compressor, bytes, wrong->length, options, &view), wrong->status);
        CHECK(statistics == NULL && outline == NULL && page == NULL && view == NULL);
        IS(axp_compressor_error(compressor, &error), AXP_OK);
        CHECK(error->status == wrong->status && error->offset == wrong->offset);
        CHECK(error->code.length > 0 && error->message.length > 0 && error->next_step.length > 0);
        CHECK(error->text.length > error->message.length + error->next_step.length);
        IS(axp_compressor_view(compressor, bytes_of(PAGE), PAGE_LENGTH, options, &view), AXP_OK);
        IS(axp_compressor_error(compressor, &error), AXP_OK);
        CHECK(error->status == AXP_OK);
    }
    axp_outline_options_free(outline_options);
    axp_view_options_free(options);
    axp_compressor_free(compressor);
}

static void blobs_and_limits(void) {
    axp_limits *limits = NULL;
    axp_compressor *compressor = new_compressor();
    axp_compressor *small = NULL;
    axp_outline_options *options = new_outline_options();
    const axp_packed *packed = NULL;
    const axp_outline *outline = NULL;
    axp_bytes original = {NULL, 0};
    axp_owned_bytes *kept = NULL;
    axp_bytes blob;

    IS(axp_limits_new(&limits), AXP_OK);
    IS(axp_limits_set_input_bytes(limits, 32), AXP_OK);
    IS(axp_compressor_new_with_limits(limits, &small), AXP_OK);
    axp_limits_free(limits);
    IS(axp_compressor_pack(compressor, bytes_of(PAGE), PAGE_LENGTH, &packed), AXP_OK);
    IS(axp_owned_bytes_new(packed->blob.data, packed->blob.length, &kept), AXP_OK);
    IS(axp_owned_bytes_get(kept, &blob), AXP_OK);
    IS(axp_compressor_pack(small, bytes_of(PAGE), PAGE_LENGTH, &packed), AXP_PAYLOAD_TOO_LARGE);
    IS(axp_compressor_unpack(small, blob.data, blob.length, &original), AXP_BLOB_TOO_LARGE);
    IS(axp_compressor_unpack(small, blob.data, 60, &original), AXP_BLOB_TOO_LARGE);
    IS(axp_compressor_unpack(compressor, blob.data, 60, &original), AXP_CORRUPT_BLOB);
    IS(axp_compressor_unpack(compressor, bytes_of(PAGE), PAGE_LENGTH, &original), AXP_CORRUPT_BLOB);
    IS(axp_compressor_unpack(compressor, blob.data, (size_t)1 << 32, &original), AXP_BLOB_TOO_LARGE);
    IS(axp_compressor_unpack(compressor, blob.data, SIZE_MAX, &original), AXP_INVALID_LENGTH);
    CHECK(original.data == NULL && original.length == 0);
    IS(axp_compressor_unpack(compressor, blob.data, blob.length, &original), AXP_OK);
    CHECK(says(original, PAGE));
    IS(axp_compressor_pack(compressor, bytes_of(""), 0, &packed), AXP_OK);
    axp_owned_bytes_free(kept);
    axp_compressor_free(small);

    IS(axp_limits_new(&limits), AXP_OK);
    IS(axp_limits_set_nodes(limits, 3), AXP_OK);
    IS(axp_compressor_new_with_limits(limits, &small), AXP_OK);
    IS(axp_compressor_outline(small, bytes_of(PAGE), PAGE_LENGTH, options, &outline), AXP_TOO_MANY_NODES);
    axp_compressor_free(small);
    IS(axp_limits_set_nodes(limits, 4), AXP_OK);
    IS(axp_limits_set_output_bytes(limits, 20), AXP_OK);
    IS(axp_compressor_new_with_limits(limits, &small), AXP_OK);
    IS(axp_compressor_outline(small, bytes_of(PAGE), PAGE_LENGTH, options, &outline), AXP_OUTPUT_TOO_LARGE);
    axp_compressor_free(small);
    axp_limits_free(limits);
    axp_outline_options_free(options);
    axp_compressor_free(compressor);
}

static void handles(void) {
    axp_handle handle, first, last;
    size_t offset = 77;
    IS(axp_handle_of(bytes_of("hello\n"), 6, &handle), AXP_OK);
    CHECK(memcmp(handle.text, "ccr_5891b5b522d5df086d0ff0b110fbd9d2", AXP_HANDLE_LENGTH) == 0);
    IS(axp_handle_parse(handle.text, AXP_HANDLE_LENGTH, &first, &last, &offset), AXP_OK);
    CHECK(memcmp(&first, &handle, sizeof handle) == 0 && memcmp(&last, &handle, sizeof handle) == 0);
    IS(axp_handle_parse(bytes_of("5891B5B52"), 9, &first, &last, &offset), AXP_OK);
    CHECK(memcmp(first.text, "ccr_5891b5b5200000000000000000000000", AXP_HANDLE_LENGTH) == 0);
    CHECK(memcmp(last.text, "ccr_5891b5b52fffffffffffffffffffffff", AXP_HANDLE_LENGTH) == 0);
    CHECK(offset == 77);
    IS(axp_handle_parse(bytes_of("ccr_5891b5b"), 11, &first, &last, &offset), AXP_INVALID_HANDLE);
    CHECK(offset == 11 && last.text[35] == 'f');
    IS(axp_handle_parse(bytes_of("5891b5b5\xFF"), 9, &first, &last, &offset), AXP_INVALID_HANDLE);
    CHECK(offset == 8);
    IS(axp_handle_parse(bytes_of("58x1b5b5\xFF"), 9, &first, &last, &offset), AXP_INVALID_HANDLE);
    CHECK(offset == 2);
    IS(axp_handle_parse(bytes_of("5891b5b5\0"), 9, &first, &last, &offset), AXP_INVALID_HANDLE);
    CHECK(offset == 8);
    IS(axp_handle_parse(bytes_of(""), 0, &first, &last, &offset), AXP_INVALID_HANDLE);
    IS(axp_handle_parse(bytes_of(""), SIZE_MAX, &first, &last, &offset), AXP_INVALID_LENGTH);
    IS(axp_handle_of(bytes_of(""), SIZE_MAX, &handle), AXP_INVALID_LENGTH);
}

/* Each type is made and freed many times, with something in it: no type has a part that its free forgets. */
static void made_and_freed(void) {
    static const axp_uid UIDS[] = {{1, 2}, {3, 4}};
    int round;
    for (round = 0; round < 10000; round++) {
        axp_limits *limits = NULL;
        axp_compressor *compressor = NULL;
        axp_outline_options *outline_options = new_outline_options();
        axp_view_options *view_options = new_view_options();
        axp_snapshot *snapshot = NULL;
        axp_owned_bytes *bytes = NULL;
        IS(axp_limits_new(&limits), AXP_OK);
        IS(axp_compressor_new_with_limits(limits, &compressor), AXP_OK);
        IS(axp_view_options_set_query(view_options, bytes_of("words"), 5), AXP_OK);
        IS(axp_view_options_set_query(view_options, bytes_of("\xFF"), 1), AXP_INVALID_UTF8);
        IS(axp_view_options_set_secrets(view_options, UIDS, 2), AXP_OK);
        IS(axp_view_options_set_clickable(view_options, UIDS, 2), AXP_OK);
        IS(axp_snapshot_new(bytes_of(PAGE), PAGE_LENGTH, &snapshot), AXP_OK);
        IS(axp_snapshot_add_frame(snapshot, UIDS[0], 1, bytes_of(PAGE), PAGE_LENGTH), AXP_OK);
        IS(axp_owned_bytes_new(bytes_of(PAGE), PAGE_LENGTH, &bytes), AXP_OK);
        if (round % 100 == 0) {
            const axp_view *view = NULL;
            IS(axp_view_options_reset(view_options), AXP_OK);
            IS(axp_compressor_view_snapshot(compressor, snapshot, view_options, &view), AXP_OK);
        }
        axp_limits_free(limits);
        axp_compressor_free(compressor);
        axp_outline_options_free(outline_options);
        axp_view_options_free(view_options);
        axp_snapshot_free(snapshot);
        axp_owned_bytes_free(bytes);
    }
    axp_limits_free(NULL);
    axp_compressor_free(NULL);
    axp_outline_options_free(NULL);
    axp_view_options_free(NULL);
    axp_snapshot_free(NULL);
    axp_owned_bytes_free(NULL);
}

int main(void) {
    versions_and_texts();
    results();
    deltas();
    lifetimes();
    options_of_views();
    frames();
    wrong_payloads();
    blobs_and_limits();
    handles();
    made_and_freed();
    printf("abi: all of it holds\n");
    return 0;
}
