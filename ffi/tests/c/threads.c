/* Eight threads with a compressor each give what one gives; on one and the same compressor, calls succeed or are told
 * that it is busy, and never anything else. */
#include <pthread.h>

#include "check.h"

enum { THREADS = 8, CALLS = 2000 };

static axp_view_options *shared_options;
static axp_compressor *shared_compressor;

static void *with_its_own(void *unused) {
    axp_compressor *compressor = new_compressor();
    int round;
    for (round = 0; round < CALLS; round++) {
        const axp_view *view = NULL;
        const axp_error *error = NULL;
        IS(axp_compressor_view(compressor, bytes_of(PAGE), PAGE_LENGTH, shared_options, &view), AXP_OK);
        CHECK(holds(view->text, "button Moor @7") && view->uids_length == 2);
        IS(axp_compressor_view(compressor, bytes_of(PAGE), (size_t)(round % PAGE_LENGTH), shared_options, &view),
           AXP_INVALID_JSON);
        IS(axp_compressor_error(compressor, &error), AXP_OK);
        CHECK(error->offset == (size_t)(round % PAGE_LENGTH));
    }
    axp_compressor_free(compressor);
    return unused;
}

/* Counts the calls that found the compressor free. */
static void *with_one_for_all(void *counted) {
    size_t *done = (size_t *)counted;
    int round;
    for (round = 0; round < CALLS; round++) {
        const axp_statistics *statistics = NULL;
        axp_status status = axp_compressor_scan(shared_compressor, bytes_of(PAGE), PAGE_LENGTH, &statistics);
        CHECK(status == AXP_OK || (status == AXP_BUSY && statistics == NULL));
        *done += status == AXP_OK;
    }
    return NULL;
}

int main(void) {
    pthread_t threads[THREADS];
    size_t done[THREADS] = {0};
    size_t sum = 0;
    int thread;
    shared_options = new_view_options();
    shared_compressor = new_compressor();
    for (thread = 0; thread < THREADS; thread++) {
        CHECK(pthread_create(&threads[thread], NULL, with_its_own, NULL) == 0);
    }
    for (thread = 0; thread < THREADS; thread++) {
        CHECK(pthread_join(threads[thread], NULL) == 0);
    }
    for (thread = 0; thread < THREADS; thread++) {
        CHECK(pthread_create(&threads[thread], NULL, with_one_for_all, &done[thread]) == 0);
    }
    for (thread = 0; thread < THREADS; thread++) {
        CHECK(pthread_join(threads[thread], NULL) == 0);
        sum += done[thread];
    }
    CHECK(sum > 0);
    axp_compressor_free(shared_compressor);
    axp_view_options_free(shared_options);
    printf("threads: %d with their own, right; on one, %lu calls of %d done, the rest told that it is busy\n", THREADS,
           (unsigned long)sum, THREADS * CALLS);
    return 0;
}
