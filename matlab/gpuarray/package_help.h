/* package_help.h - a help text of the package gpumex. */
#pragma once

namespace gpuarrays {

/* Gives the package a text for `help gpumex`, where it is on the path and has none. */
void document_package();

} // namespace gpuarrays
