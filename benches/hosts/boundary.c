/* Makes views of one payload, as many as each line of its input says, and answers with nanoseconds and the view's bytes.
 *
 * boundary PAYLOAD */
#define _POSIX_C_SOURCE 199309L
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "axpress.h"

static long long now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (long long)time.tv_sec * 1000000000 + time.tv_nsec;
}

int main(int count, char **arguments) {
    FILE *file = count == 2 ? fopen(arguments[1], "rb") : NULL;
    axp_compressor *compressor = NULL;
    axp_view_options *options = NULL;
    uint8_t *payload = (uint8_t *)malloc((size_t)64 << 20);
    size_t length;
    long calls;
    if (file == NULL || payload == NULL) {
        fprintf(stderr, "usage: boundary PAYLOAD\n");
        return 2;
    }
    length = fread(payload, 1, (size_t)64 << 20, file);
    fclose(file);
    if (axp_compressor_new(&compressor) != AXP_OK || axp_view_options_new(&options) != AXP_OK) {
        return 1;
    }
    while (scanf("%ld", &calls) == 1) {
        const axp_view *view = NULL;
        long long started = now();
        long call;
        for (call = 0; call < calls; call++) {
            if (axp_compressor_view(compressor, payload, length, options, &view) != AXP_OK) {
                return 1;
            }
        }
        printf("%lld %lu\n", now() - started, (unsigned long)(view == NULL ? 0 : view->text.length));
        fflush(stdout);
    }
    axp_view_options_free(options);
    axp_compressor_free(compressor);
    free(payload);
    return 0;
}
