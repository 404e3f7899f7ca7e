/* random.h - random numbers made on the device. */
#pragma once

#include "array.h"

namespace gpuarrays {

/* gpuArray.rand, randn or randi (arguments…). */
octave_value random_numbers(const std::string &name, const octave_value_list &arguments);

/* gpuArray.rng (seed): the numbers that follow are those of the seed. */
octave_value set_seed(const octave_value_list &arguments);

} // namespace gpuarrays
