/* A NULL anywhere is a status: every pointer of every function, one after the other, with all else right. */
#include "check.h"

#define NUL(call) IS(call, AXP_NULL_ARGUMENT)

int main(void) {
    axp_compressor *compressor = new_compressor();
    axp_view_options *view_options = new_view_options();
    axp_outline_options *outline_options = new_outline_options();
    axp_limits *limits = NULL;
    axp_snapshot *snapshot = NULL;
    axp_owned_bytes *owned = NULL;
    const uint8_t *page = bytes_of(PAGE);
    const axp_statistics *statistics = NULL;
    const axp_outline *outline = NULL;
    const axp_view *view = NULL;
    const axp_compressed *compressed = NULL;
    const axp_packed *packed = NULL;
    const axp_delta *delta = NULL;
    const axp_nodes *nodes = NULL;
    uint64_t node = 1;
    const axp_error *error = NULL;
    axp_uid uid = {0, 1};
    axp_handle handle;
    axp_bytes bytes;
    size_t offset = 0;

    IS(axp_limits_new(&limits), AXP_OK);
    IS(axp_snapshot_new(page, PAGE_LENGTH, &snapshot), AXP_OK);
    IS(axp_owned_bytes_new(page, PAGE_LENGTH, &owned), AXP_OK);

    NUL(axp_compressor_new(NULL));
    NUL(axp_compressor_new_with_limits(NULL, &compressor));
    NUL(axp_compressor_new_with_limits(limits, NULL));
    NUL(axp_compressor_error(NULL, &error));
    NUL(axp_compressor_error(compressor, NULL));
    NUL(axp_compressor_scan(NULL, page, PAGE_LENGTH, &statistics));
    NUL(axp_compressor_scan(compressor, NULL, PAGE_LENGTH, &statistics));
    NUL(axp_compressor_scan(compressor, NULL, 0, &statistics));
    NUL(axp_compressor_scan(compressor, page, PAGE_LENGTH, NULL));
    NUL(axp_compressor_outline(NULL, page, PAGE_LENGTH, outline_options, &outline));
    NUL(axp_compressor_outline(compressor, NULL, PAGE_LENGTH, outline_options, &outline));
    NUL(axp_compressor_outline(compressor, page, PAGE_LENGTH, NULL, &outline));
    NUL(axp_compressor_outline(compressor, page, PAGE_LENGTH, outline_options, NULL));
    NUL(axp_compressor_view(NULL, page, PAGE_LENGTH, view_options, &view));
    NUL(axp_compressor_view(compressor, NULL, PAGE_LENGTH, view_options, &view));
    NUL(axp_compressor_view(compressor, page, PAGE_LENGTH, NULL, &view));
    NUL(axp_compressor_view(compressor, page, PAGE_LENGTH, view_options, NULL));
    NUL(axp_compressor_view_snapshot(NULL, snapshot, view_options, &view));
    NUL(axp_compressor_view_snapshot(compressor, NULL, view_options, &view));
    NUL(axp_compressor_view_snapshot(compressor, snapshot, NULL, &view));
    NUL(axp_compressor_view_snapshot(compressor, snapshot, view_options, NULL));
    NUL(axp_compressor_compress(NULL, page, PAGE_LENGTH, view_options, &compressed));
    NUL(axp_compressor_compress(compressor, NULL, PAGE_LENGTH, view_options, &compressed));
    NUL(axp_compressor_compress(compressor, page, PAGE_LENGTH, NULL, &compressed));
    NUL(axp_compressor_compress(compressor, page, PAGE_LENGTH, view_options, NULL));
    NUL(axp_compressor_compress_snapshot(NULL, snapshot, view_options, &compressed));
    NUL(axp_compressor_compress_snapshot(compressor, NULL, view_options, &compressed));
    NUL(axp_compressor_compress_snapshot(compressor, snapshot, NULL, &compressed));
    NUL(axp_compressor_compress_snapshot(compressor, snapshot, view_options, NULL));
    NUL(axp_compressor_delta(NULL, page, PAGE_LENGTH, page, PAGE_LENGTH, view_options, &delta));
    NUL(axp_compressor_delta(compressor, NULL, PAGE_LENGTH, page, PAGE_LENGTH, view_options, &delta));
    NUL(axp_compressor_delta(compressor, page, PAGE_LENGTH, NULL, PAGE_LENGTH, view_options, &delta));
    NUL(axp_compressor_delta(compressor, page, PAGE_LENGTH, page, PAGE_LENGTH, NULL, &delta));
    NUL(axp_compressor_delta(compressor, page, PAGE_LENGTH, page, PAGE_LENGTH, view_options, NULL));
    NUL(axp_compressor_delta_snapshots(NULL, snapshot, snapshot, view_options, &delta));
    NUL(axp_compressor_delta_snapshots(compressor, NULL, snapshot, view_options, &delta));
    NUL(axp_compressor_delta_snapshots(compressor, snapshot, NULL, view_options, &delta));
    NUL(axp_compressor_delta_snapshots(compressor, snapshot, snapshot, NULL, &delta));
    NUL(axp_compressor_delta_snapshots(compressor, snapshot, snapshot, view_options, NULL));
    NUL(axp_compressor_nodes(NULL, page, PAGE_LENGTH, page, 1, &nodes));
    NUL(axp_compressor_nodes(compressor, NULL, PAGE_LENGTH, page, 1, &nodes));
    NUL(axp_compressor_nodes(compressor, page, PAGE_LENGTH, NULL, 1, &nodes));
    NUL(axp_compressor_nodes(compressor, page, PAGE_LENGTH, page, 1, NULL));
    NUL(axp_compressor_pack(NULL, page, PAGE_LENGTH, &packed));
    NUL(axp_compressor_pack(compressor, NULL, 0, &packed));
    NUL(axp_compressor_pack(compressor, page, PAGE_LENGTH, NULL));
    NUL(axp_compressor_unpack(NULL, page, PAGE_LENGTH, &bytes));
    NUL(axp_compressor_unpack(compressor, NULL, PAGE_LENGTH, &bytes));
    NUL(axp_compressor_unpack(compressor, page, PAGE_LENGTH, NULL));

    NUL(axp_limits_new(NULL));
    NUL(axp_limits_set_input_bytes(NULL, 1));
    NUL(axp_limits_set_nodes(NULL, 1));
    NUL(axp_limits_set_output_bytes(NULL, 1));
    NUL(axp_outline_options_new(NULL));
    NUL(axp_outline_options_set_max_chars(NULL, 1));
    NUL(axp_outline_options_set_dedup_text(NULL, true));
    NUL(axp_outline_options_set_secrets(NULL, &node, 1));
    NUL(axp_outline_options_set_secrets(outline_options, NULL, 1));
    NUL(axp_view_options_new(NULL));
    NUL(axp_view_options_reset(NULL));
    NUL(axp_view_options_set_query(NULL, page, 1));
    NUL(axp_view_options_set_query(view_options, NULL, 1));
    NUL(axp_view_options_set_max_bytes(NULL, 200));
    NUL(axp_view_options_set_urls(NULL, true));
    NUL(axp_view_options_set_root(NULL, uid));
    NUL(axp_view_options_set_secrets(NULL, &uid, 1));
    NUL(axp_view_options_set_secrets(view_options, NULL, 1));
    NUL(axp_view_options_set_viewport(NULL, &uid, 1));
    NUL(axp_view_options_set_viewport(view_options, NULL, 1));
    NUL(axp_view_options_set_clickable(NULL, &uid, 1));
    NUL(axp_view_options_set_clickable(view_options, NULL, 0));
    NUL(axp_view_options_error(NULL, &error));
    NUL(axp_view_options_error(view_options, NULL));
    NUL(axp_snapshot_new(NULL, 1, &snapshot));
    NUL(axp_snapshot_new(page, PAGE_LENGTH, NULL));
    NUL(axp_snapshot_add_frame(NULL, uid, 0, page, PAGE_LENGTH));
    NUL(axp_snapshot_add_frame(snapshot, uid, 0, NULL, PAGE_LENGTH));
    NUL(axp_owned_bytes_new(NULL, 1, &owned));
    NUL(axp_owned_bytes_new(page, PAGE_LENGTH, NULL));
    NUL(axp_owned_bytes_get(NULL, &bytes));
    NUL(axp_owned_bytes_get(owned, NULL));
    NUL(axp_handle_of(NULL, 0, &handle));
    NUL(axp_handle_of(page, PAGE_LENGTH, NULL));
    NUL(axp_handle_parse(NULL, 8, &handle, &handle, &offset));
    NUL(axp_handle_parse(page, 8, NULL, &handle, &offset));
    NUL(axp_handle_parse(page, 8, &handle, NULL, &offset));
    NUL(axp_handle_parse(page, 8, &handle, &handle, NULL));

    /* A NULL is told, and harms nothing. */
    IS(axp_compressor_view(compressor, page, PAGE_LENGTH, view_options, NULL), AXP_NULL_ARGUMENT);
    IS(axp_compressor_error(compressor, &error), AXP_OK);
    CHECK(error->status == AXP_NULL_ARGUMENT && says(error->code, "null-argument"));
    CHECK(statistics == NULL && outline == NULL && view == NULL && delta == NULL && nodes == NULL && compressed == NULL && packed == NULL);
    IS(axp_compressor_view(compressor, page, PAGE_LENGTH, view_options, &view), AXP_OK);

    axp_owned_bytes_free(owned);
    axp_snapshot_free(snapshot);
    axp_limits_free(limits);
    axp_outline_options_free(outline_options);
    axp_view_options_free(view_options);
    axp_compressor_free(compressor);
    printf("nulls: each is a status\n");
    return 0;
}
