/* Prints the view of a payload, and what stands for its original: cc view.c $(pkg-config --cflags --libs axpress) */
#include <stdio.h>
#include <stdlib.h>

#include "axpress.h"

static uint8_t *read_file(const char *path, size_t *length) {
    FILE *file = fopen(path, "rb");
    uint8_t *bytes = NULL;
    long size = -1;
    if (file != NULL && fseek(file, 0, SEEK_END) == 0 && (size = ftell(file)) >= 0 && fseek(file, 0, SEEK_SET) == 0) {
        bytes = (uint8_t *)malloc((size_t)size + 1);
    }
    if (bytes != NULL && fread(bytes, 1, (size_t)size, file) != (size_t)size) {
        free(bytes);
        bytes = NULL;
    }
    if (file != NULL) {
        fclose(file);
    }
    *length = bytes == NULL ? 0 : (size_t)size;
    return bytes;
}

int main(int count, char **arguments) {
    size_t length = 0;
    uint8_t *payload = count == 2 ? read_file(arguments[1], &length) : NULL;
    axp_compressor *compressor = NULL;
    axp_view_options *options = NULL;
    const axp_compressed *page = NULL;
    const axp_error *error = NULL;
    int done = 0;

    if (payload == NULL) {
        fprintf(stderr, "usage: view PAYLOAD\n");
        return 2;
    }
    if (axp_compressor_new(&compressor) == AXP_OK && axp_view_options_new(&options) == AXP_OK) {
        if (axp_compressor_compress(compressor, payload, length, options, &page) == AXP_OK) {
            /* All of `page` is the compressor's, until its next call. */
            fwrite(page->view->text.data, 1, page->view->text.length, stdout);
            printf("\n%.*s: %lu to %lu bytes, %lu uids\n", AXP_HANDLE_LENGTH, (const char *)page->handle.text,
                   (unsigned long)length, (unsigned long)page->view->text.length,
                   (unsigned long)page->view->uids_length);
            done = 1;
        } else if (axp_compressor_error(compressor, &error) == AXP_OK) {
            fprintf(stderr, "%.*s\n", (int)error->text.length, (const char *)error->text.data);
        }
    }
    axp_view_options_free(options);
    axp_compressor_free(compressor);
    free(payload);
    return done ? 0 : 1;
}
