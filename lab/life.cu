/* Exercise 4: Conway's Life with a tile in shared memory, and with a texture.
 *
 * A cell lives in the next generation if it has three living neighbours, or two and lives now. Beyond an edge of the board lies
 * a copy of the cells at the edge. life_global reads nine cells from global memory for each cell. In life_shared a block copies
 * its BLOCK x BLOCK cells and the cells around them, the halo, to shared memory once; in life_textured the texture cache does the
 * like. */
#include "lab.h"

enum { BLOCK = 16, TILE = BLOCK + 2, GENERATIONS = 10 };

static const char *const gaps[] = {
    "shared: copy the TILE * TILE cells of the tile with its halo; there are more of them than threads",
    "shared: wait until the tile is complete",
    "shared: count the living neighbours in the tile",
    "texture: count the living neighbours, which tex2D<unsigned char> (board, column, row) reads"};

__device__ int inside(int i, int size) { return i < 0 ? 0 : i >= size ? size - 1 : i; }

__device__ uint8_t rule(int alive, int neighbours) { return neighbours == 3 || (neighbours == 2 && alive); }

/* next <- the generation after board, size x size cells of 0 or 1. */
__global__ void life_global(const uint8_t *board, int size, uint8_t *next) {
    const int row = blockIdx.y * BLOCK + threadIdx.y, col = blockIdx.x * BLOCK + threadIdx.x;
    int neighbours = -board[row * size + col];
    for (int i = row - 1; i <= row + 1; i++)
        for (int j = col - 1; j <= col + 1; j++) neighbours += board[inside(i, size) * size + inside(j, size)];
    next[row * size + col] = rule(board[row * size + col], neighbours);
}

__global__ void life_shared(const uint8_t *board, int size, uint8_t *next) {
    __shared__ uint8_t tile[TILE][TILE]; /* tile[1][1] is the first cell of the block */
    const int tx = threadIdx.x, ty = threadIdx.y, thread = ty * BLOCK + tx;
    const int top = blockIdx.y * BLOCK - 1, left = blockIdx.x * BLOCK - 1; /* the place of tile[0][0] on the board */
    GAP(1);
    GAP(2);
    int neighbours = 0;
    GAP(3);
    next[(top + 1 + ty) * size + left + 1 + tx] = rule(tile[ty + 1][tx + 1], neighbours);
}

__global__ void life_textured(cudaTextureObject_t board, int size, uint8_t *next) {
    const int row = blockIdx.y * BLOCK + threadIdx.y, col = blockIdx.x * BLOCK + threadIdx.x;
    int neighbours = 0;
    GAP(4);
    next[row * size + col] = rule(tex2D<unsigned char>(board, (float)col, (float)row), neighbours);
}

static int32_t library(int32_t variant, const uint8_t *board, int size, uint8_t *next) {
    gpumex_life_options options = GPUMEX_LIFE_OPTIONS_INIT;
    options.variant = variant;
    return gpumex_life(lab.ctx, &options, board, (size_t)size, (size_t)size, GENERATIONS, next);
}

int main(int argc, char **argv) {
    const int size = lab_size(argc, argv, 32, 512, 64);
    const size_t count = (size_t)size * (size_t)size;
    lab_begin("Conway's Life, 10 generations", gaps);
    uint8_t *board = lab_array<uint8_t>(count), *next = lab_array<uint8_t>(count), *want = lab_array<uint8_t>(count);
    uint8_t *odd = lab_array<uint8_t>(count); /* holds the generations 1, 3, 5 ... */
    for (size_t i = 0; i < count; i++) board[i] = lab_random() % 4 == 0;
    lab_check(library(GPUMEX_LIFE_VARIANT_AUTO, board, size, want));
    const cudaTextureObject_t textures[] = {lab_texture(board, size, size), lab_texture(odd, size, size),
                                            lab_texture(next, size, size)};

    /* Generation g is made of `from`, the first one of the board. */
    const uint8_t *const from[] = {board, odd, next};
    const dim3 block(BLOCK, BLOCK), grid(size / BLOCK, size / BLOCK);
    const auto source = [](int g) { return g == 0 ? 0 : g % 2 == 1 ? 1 : 2; };
    const auto target = [&](int g) { return g % 2 == 0 ? odd : next; };
    lab_kernel("global", next, want, count, 0, [&] {
        for (int g = 0; g < GENERATIONS; g++) LAUNCH(life_global, grid, block, from[source(g)], size, target(g));
    });
    lab_kernel("shared", next, want, count, 0, [&] {
        for (int g = 0; g < GENERATIONS; g++) LAUNCH(life_shared, grid, block, from[source(g)], size, target(g));
    });
    lab_kernel("texture", next, want, count, 0, [&] {
        for (int g = 0; g < GENERATIONS; g++) LAUNCH(life_textured, grid, block, textures[source(g)], size, target(g));
    });
    lab_library("ARRAYS", [&] { return library(GPUMEX_LIFE_VARIANT_ARRAYS, board, size, want); });
    lab_library("SHMEM_BYTES", [&] { return library(GPUMEX_LIFE_VARIANT_SHMEM_BYTES, board, size, want); });
    lab_library("TEXTURE_BYTES", [&] { return library(GPUMEX_LIFE_VARIANT_TEXTURE_BYTES, board, size, want); });
    lab_library("AUTO", [&] { return library(GPUMEX_LIFE_VARIANT_AUTO, board, size, want); });

    for (cudaTextureObject_t texture : textures) cudaDestroyTextureObject(texture);
    for (uint8_t *array : {board, next, want, odd}) lab_free(array);
    return lab_end();
}
