/* elementwise.h - the mode in which arrayfun calls its function: arrays stand for one element each. */
#pragma once

#include <string>

namespace gpuarrays {

/* Whether arrayfun is calling a function. */
bool in_arrayfun();

/* Raises an error where arrayfun is calling a function, which has just done WHAT with more than an element. */
void refuse_in_arrayfun(const std::string &what);

} // namespace gpuarrays
