/* errors.h - how a call of the MEX file ends with an error. */

#ifndef ERRORS_H
#define ERRORS_H

#include <stdint.h>

#pragma GCC visibility push(hidden) /* what follows is this MEX file's own, whatever else the process has by these names */

/* The operation that runs, which is part of the id of its errors. */
extern const char *operation;

/* Registers what runs before an error is raised, since nothing runs after it. One function; a second one replaces it. */
void set_cleanup(void (*clean_up)(void));

/* The reason in the id of an error that the library reports by this status. */
const char *reason_of(int32_t status);

/* Raises gpumex:<operation>:reason. Does not return. */
void fail(const char *reason, const char *format, ...);

/* Raises gpumex:<function>:reason, for an error that has one id wherever it is met. Does not return. */
void fail_as(const char *function, const char *reason, const char *format, ...);

#pragma GCC visibility pop

#endif /* ERRORS_H */
