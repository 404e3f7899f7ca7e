/* interrupts.h - Ctrl-C while the library computes. */
#pragma once

#include "library.h"

namespace gpuarrays {

/* From now on an interrupt cancels what runs in CTX. */
void cancel_on_interrupt(gpumex_context *ctx);

/* Raises Octave's interrupt, where there is one. */
void raise_interrupt();

} // namespace gpuarrays
