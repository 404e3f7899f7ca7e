// resident.cuh — the host's side of resident.cu, for registers.cu.
//
// Limits     Boards as high as a tile, and tori of a multiple of 8 columns, whose tiles all have a warp at once: of B3/S23 some 8000 x 8000
//            cells on an H100, of other rules some 5000 x 5000.
#pragma once

#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>

// *rows_a_lane ← how many rows of a tile a lane has, 0 where the board does not fit the current device; *bytes ← of scratch.
cudaError_t resident_tiles(const gpumexk_life_game &game, const gpumexk_tuning &tuning, int *rows_a_lane, size_t *bytes);

// As gpumexk_life_registers, with the numbers of resident_tiles; *generations ← how many are left, an even number of steps being done.
// cudaErrorCooperativeLaunchTooLarge: fewer multiprocessors take part than the device has, by a limit that the driver knows.
cudaError_t play_resident(uint32_t *front, uint32_t *back, void *scratch, const gpumexk_life_game &game, uint64_t *generations,
                          int rows_a_lane, gpumexk_stream stream);
