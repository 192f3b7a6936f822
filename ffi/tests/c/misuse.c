/* Does one thing that no one may do: misuse WHICH. A library with debug assertions ends the process and says what it
 * was; a sanitizer finds the rest. This program then never gets to its end, or fails there. */
#include "check.h"

int main(int count, char **arguments) {
    axp_compressor *compressor = new_compressor();
    axp_view_options *options = new_view_options();
    const axp_error *error = NULL;
    const char *which = count == 2 ? arguments[1] : "";
    if (strcmp(which, "freed-twice") == 0) {
        axp_compressor_free(compressor);
        axp_compressor_free(compressor);
    } else if (strcmp(which, "freed-as-another") == 0) {
        axp_compressor_free((axp_compressor *)options);
    } else if (strcmp(which, "used-after-free") == 0) {
        axp_compressor_free(compressor);
        axp_compressor_error(compressor, &error);
    } else if (strcmp(which, "used-as-another") == 0) {
        axp_compressor_error((const axp_compressor *)options, &error);
    } else if (strcmp(which, "result-used-after-free") == 0) {
        const axp_view *view = NULL;
        IS(axp_compressor_view(compressor, bytes_of(PAGE), PAGE_LENGTH, options, &view), AXP_OK);
        axp_compressor_free(compressor);
        printf("%lu bytes\n", (unsigned long)view->text.length);
    } else if (strcmp(which, "leaked") == 0) {
        /* Many, since the last one's address may still lie somewhere on the stack. */
        int round;
        for (round = 0; round < 10; round++) {
            compressor = new_compressor();
        }
    } else {
        fprintf(stderr, "misuse: what?\n");
    }
    printf("misuse: nothing noticed\n");
    return 0;
}
