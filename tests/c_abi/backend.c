/* backend.c BACKEND TEXT STATUS - what AUTO and CUDA come to on this machine, with its driver library or a wrong one:
 *
 *   BACKEND   of a context that AUTO chooses: cpu or cuda, or none
 *   TEXT      what the reason has, where CUDA was not to be had
 *   STATUS    of a plain function, when GPUMEX_BACKEND=cuda
 *
 * The log has one line about each context, at level info. A CPU context works before and after. */
#include "check.h"
