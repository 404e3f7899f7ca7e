/* arrays.c - the arrays that stay on a device between calls.
 *
 * M code has a handle: slot and serial number. The serial is never given twice, not by the next session's MEX file either, so that
 * the handle of an array that is gone is told apart and never leads into memory that is no longer ours.
 *
 * An array's memory may outlive the context that gave it, as the library has it: a reset does not take an array away. */

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "gateway.h"

#define HANDLE "gpumexArray"

static array **slots;
static size_t slot_count;
static array *temporaries; /* made by this call and without a handle: a list */
static double few[1024];   /* as much of them as lies here, */
static size_t few_used;    /* in bytes */

static uint64_t next_serial(void)
{
    static uint64_t last;
    if (last == 0)
        last = (uint64_t)time(NULL) << 24; /* sessions begin seconds apart */
    return ++last;
}

/* More slots, which stay where they are. */
static void add_slots(void)
{
    size_t wanted = slot_count == 0 ? 64 : 2 * slot_count;
    array **longer = realloc(slots, wanted * sizeof *slots);
    if (longer == NULL)
        fail("outOfMemory", "no memory for the list of %zu arrays", wanted);
    for (slots = longer; slot_count < wanted; slot_count++) {
        array *slot = slots[slot_count] = calloc(1, sizeof *slot);
        if (slot == NULL)
            fail("outOfMemory", "no memory for the list of %zu arrays", wanted);
        slot->slot = slot_count;
    }
}

static array *free_slot(void)
{
    size_t i = 0;
    while (i < slot_count && slots[i]->serial != 0)
        i++;
    if (i == slot_count)
        add_slots();
    return slots[i];
}

static void release(array *slot)
{
    const array empty = {.slot = slot->slot};
    gpumex_free(slot->data);
    free(slot->dims);
    *slot = empty;
}

array *new_array(session s, mxClassID class_id, mwSize ndims, const mwSize *dims)
{
    size_t count = count_elements(ndims, dims), width = element_bytes(class_id);
    if (count > SIZE_MAX / width)
        fail("outOfMemory", "an array of %zu elements of %zu bytes is beyond the address space", count, width);
    array *slot = free_slot();
    array made = {.slot = slot->slot, .backend = s.backend, .class_id = class_id, .ndims = ndims, .next = temporaries};
    made.backend_name = s.is_on_host ? "cpu" : "cuda";
    check(s, gpumex_malloc(s.ctx, GPUMEX_MEMORY_KIND_DEVICE, count * width, &made.data));
    made.dims = malloc((size_t)ndims * sizeof *dims);
    if (made.dims == NULL) {
        gpumex_free(made.data);
        fail("outOfMemory", "no memory for the size of an array");
    }
    memcpy(made.dims, dims, (size_t)ndims * sizeof *dims);
    made.serial = next_serial();
    *slot = made;
    return temporaries = slot;
}

/* Memory of the host for what a call on few elements needs for a while; NULL where it is used up. */
static void *few_bytes(size_t bytes)
{
    enum { ALIGNMENT = 64 };
    if (bytes > sizeof few - few_used)
        return NULL;
    void *made = (char *)few + few_used;
    few_used += (bytes + ALIGNMENT) / ALIGNMENT * ALIGNMENT;
    if (few_used > sizeof few)
        few_used = sizeof few;
    return made;
}

void *scratch(session s, size_t bytes)
{
    void *made = s.is_on_host ? few_bytes(bytes) : NULL;
    if (made != NULL)
        return made;
    const mwSize dims[2] = {(mwSize)bytes, 1};
    return new_array(s, mxUINT8_CLASS, 2, dims)->data;
}

void copy_bytes(session s, void *to, const void *from, size_t bytes)
{
    if (bytes == 0)
        return;
    if (s.is_on_host && bytes <= sizeof few)
        memcpy(to, from, bytes);
    else
        check(s, gpumex_copy(s.ctx, to, from, bytes));
}

void *host_scratch(session s, size_t bytes)
{
    enum { SMALL = 65536 };
    void *made = few_bytes(bytes);
    if (made != NULL)
        return made;
    return bytes >= SMALL && s.is_on_host ? scratch(s, bytes) : mxMalloc(bytes > 0 ? bytes : 1);
}

/* Takes an array out of the list of those that the call made. */
static void claim(const array *made)
{
    array **link = &temporaries;
    while (*link != NULL && *link != made)
        link = &(*link)->next;
    if (*link != NULL)
        *link = made->next;
}

mxArray *make_handle(const array *made)
{
    mxArray *handle = mxCreateStructMatrix(1, 1, 0, NULL);
    mxArray *name = mxCreateNumericMatrix(1, 2, mxUINT64_CLASS, mxREAL);
    uint64_t *numbers = mxGetData(name);
    numbers[0] = (uint64_t)made->slot;
    numbers[1] = made->serial;
    set(handle, HANDLE, name);

    mxArray *size = mxCreateDoubleMatrix(1, made->ndims, mxREAL);
    double *extent = mxGetData(size);
    for (size_t i = 0; i < (size_t)made->ndims; i++)
        extent[i] = (double)made->dims[i];
    set(handle, "Size", size);
    set_text(handle, "Class", class_name(made->class_id));
    set_text(handle, "Backend", made->backend_name);
    claim(made);
    return handle;
}

/* The two numbers of a handle, or NULL. */
static const uint64_t *numbers_of(const mxArray *argument)
{
    if (!mxIsStruct(argument) || mxGetNumberOfElements(argument) != 1)
        return NULL;
    const mxArray *name = mxGetField(argument, 0, HANDLE);
    int is_name = name != NULL && mxIsUint64(name) && mxGetNumberOfElements(name) == 2;
    return is_name ? mxGetData(name) : NULL;
}

static array *find(const uint64_t *numbers)
{
    int is_there = numbers[0] < slot_count && numbers[1] != 0 && slots[numbers[0]]->serial == numbers[1];
    return is_there ? slots[numbers[0]] : NULL;
}

const array *array_of(const mxArray *argument)
{
    const uint64_t *numbers = numbers_of(argument);
    if (numbers == NULL)
        return NULL;
    const array *found = find(numbers);
    if (found == NULL)
        fail_as("array", "stale", "the gpumex.array holds no memory: it is of another session, or was freed");
    return found;
}

void free_array(const mxArray *handle)
{
    const uint64_t *numbers = numbers_of(handle);
    array *found = numbers == NULL ? NULL : find(numbers);
    if (found != NULL)
        release(found);
}

void free_temporaries(void)
{
    few_used = 0;
    while (temporaries != NULL) {
        array *made = temporaries;
        temporaries = made->next;
        release(made);
    }
}

void free_all_arrays(void)
{
    for (size_t i = 0; i < slot_count; i++) {
        if (slots[i]->serial != 0)
            release(slots[i]);
        free(slots[i]);
    }
    free(slots);
    slots = NULL;
    slot_count = 0;
}
