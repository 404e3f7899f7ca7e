/* gpumex_matlab.h - gpumex.h as MATLAB's loadlibrary reads it: without callbacks, which its parser does not know.
 *
 * load_gpumex loads it; by hand: loadlibrary('libgpumex.so', 'gpumex_matlab.h', 'addheader', 'gpumex.h') with the folder
 * include as 'includepath'. */

#ifndef GPUMEX_MATLAB_H
#define GPUMEX_MATLAB_H

#define GPUMEX_MATLAB_LOADLIBRARY
#include "gpumex.h"

#endif /* GPUMEX_MATLAB_H */
