// warp.cuh — the size of a warp and the mask of all of its lanes.
#pragma once

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr int WARP = 32;                                           // lanes
constexpr unsigned ALL_LANES = 0xFFFFFFFF;                         // of a warp
