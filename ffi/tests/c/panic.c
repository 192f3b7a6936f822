/* A panic in a library as it ships is a status, and poisons that compressor alone. Needs a library that was built with
 * the feature `forced-panic`. */
#include "check.h"

#ifdef __cplusplus
extern "C"
#endif
    axp_status
    axp_compressor_force_panic(axp_compressor *compressor);

int main(void) {
    axp_compressor *compressor = new_compressor();
    axp_compressor *other = new_compressor();
    axp_view_options *options = new_view_options();
    const axp_view *view = NULL;
    const axp_error *error = NULL;
    IS(axp_compressor_view(compressor, bytes_of(PAGE), PAGE_LENGTH, options, &view), AXP_OK);
    IS(axp_compressor_force_panic(compressor), AXP_PANIC);
    IS(axp_compressor_error(compressor, &error), AXP_OK);
    CHECK(error->status == AXP_PANIC && holds(error->message, "this panic was asked for"));
    view = NULL;
    IS(axp_compressor_view(compressor, bytes_of(PAGE), PAGE_LENGTH, options, &view), AXP_POISONED);
    IS(axp_compressor_force_panic(compressor), AXP_POISONED);
    IS(axp_compressor_error(compressor, &error), AXP_OK);
    CHECK(view == NULL && error->status == AXP_POISONED);
    IS(axp_compressor_view(other, bytes_of(PAGE), PAGE_LENGTH, options, &view), AXP_OK);
    CHECK(holds(view->text, "button Moor @7"));
    axp_compressor_free(compressor);
    compressor = new_compressor();
    IS(axp_compressor_view(compressor, bytes_of(PAGE), PAGE_LENGTH, options, &view), AXP_OK);
    IS(axp_compressor_force_panic(NULL), AXP_NULL_ARGUMENT);
    axp_compressor_free(compressor);
    axp_compressor_free(other);
    axp_view_options_free(options);
    printf("panic: a status, and one compressor poisoned\n");
    return 0;
}
