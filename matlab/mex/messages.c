/* messages.c - the library's error texts in MATLAB's terms: options.variant is variant, GPUMEX_LIFE_VARIANT_SHMEM is 'shmem',
 * GPUMEX_DTYPE_F64 is double, and gpumex_comm_scan is scan. Positions are not rewritten: where the library reports one, the gateway asks for it by number. */

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "gateway.h"

static const char upper_case[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";

/* The class of a gpumex_dtype, whose name in C begins at `name`; NULL for those that MATLAB does not have. */
static const char *class_of(const char *name, size_t length)
{
    static const struct {
        const char *dtype;
        mxClassID class_id;
    } dtypes[] = {{"F32", mxSINGLE_CLASS}, {"F64", mxDOUBLE_CLASS}, {"BOOL", mxLOGICAL_CLASS}, {"I8", mxINT8_CLASS},
                  {"I16", mxINT16_CLASS},  {"I32", mxINT32_CLASS},  {"I64", mxINT64_CLASS},    {"U8", mxUINT8_CLASS},
                  {"U16", mxUINT16_CLASS}, {"U32", mxUINT32_CLASS}, {"U64", mxUINT64_CLASS}};
    for (size_t k = 0; k < sizeof dtypes / sizeof dtypes[0]; k++)
        if (strlen(dtypes[k].dtype) == length && memcmp(dtypes[k].dtype, name, length) == 0)
            return class_name(dtypes[k].class_id);
    return NULL;
}

/* Where the value begins in the name of an enumerator, GPUMEX_<TYPE>_<VALUE>; NULL for any other name. */
static const char *value_in(const char *name, size_t length)
{
    static const char *const types[] = {"_VARIANT_", "_CELLS_", "_BOUNDARY_", "_DTYPE_"};
    for (size_t k = 0; k < sizeof types / sizeof types[0]; k++) {
        const char *type = strstr(name, types[k]);
        if (type != NULL && (size_t)(type - name) + strlen(types[k]) < length)
            return type + strlen(types[k]);
    }
    return NULL;
}

/* Appends what a name in C, all of capitals, is in MATLAB. */
static void append_name(char *text, size_t capacity, const char *name, size_t length)
{
    size_t used = strlen(text);
    const char *value = value_in(name, length);
    size_t rest = value == NULL ? 0 : length - (size_t)(value - name);
    const char *class = rest == 0 ? NULL : class_of(value, rest);
    if (class != NULL || rest == 0) {
        snprintf(text + used, capacity - used, "%.*s", class != NULL ? (int)strlen(class) : (int)length, class != NULL ? class : name);
        return;
    }
    snprintf(text + used, capacity - used, "'%.*s'", (int)rest, value);
    for (; text[used] != '\0'; used++)
        text[used] = (char)tolower((unsigned char)text[used]);
}

/* How a rank ends a call whose arguments the gateway has refused (settle_call). */
#define REFUSED "(null pointer): data is NULL and has 1 elements"

const char *library_message(void)
{
    static char text[1024];
    text[0] = '\0';
    for (const char *from = gpumex_last_error(); *from != '\0' && strlen(text) + 1 < sizeof text;) {
        size_t used = strlen(text), length = 1;
        if (strncmp(from, "options.", 8) == 0) {
            length = 8;
        } else if (strncmp(from, "GPUMEX_", 7) == 0) {
            length = strspn(from, upper_case);
            append_name(text, sizeof text, from, length);
        } else if (used > 0 && strncmp(from, "gpumex_comm_", 12) == 0) {
            length = 12;
        } else if (strncmp(from, REFUSED, sizeof REFUSED - 1) == 0) {
            length = sizeof REFUSED - 1;
            snprintf(text + used, sizeof text - used, "before it began: its own error says why");
        } else {
            text[used] = *from;
            text[used + 1] = '\0';
        }
        from += length;
    }
    return text;
}
