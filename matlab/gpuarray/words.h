/* words.h - zeros (2, 3, 'gpuArray') and the like. */
#pragma once

namespace gpuarrays {

/* Has the built-in functions that make arrays take the class word 'gpuArray' behind the size. */
void install_words();

} // namespace gpuarrays
