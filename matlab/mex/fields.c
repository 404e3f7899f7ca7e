/* fields.c - the fields of the structures that calls return. */

#include "gateway.h"

void set(mxArray *target, const char *field, mxArray *value)
{
    int number = mxAddField(target, field);
    if (number < 0)
        fail("outOfMemory", "no memory for field %s", field);
    mxSetFieldByNumber(target, 0, number, value);
}

void set_number(mxArray *target, const char *field, double value)
{
    set(target, field, mxCreateDoubleScalar(value));
}

void set_text(mxArray *target, const char *field, const char *value)
{
    set(target, field, mxCreateString(value));
}
