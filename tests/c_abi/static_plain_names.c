/* static_plain_names.c - the functions without a prefix, of libgpumex.a. */
#include "check.h"

int main(void) {
    const float a[4] = {1, 2, 3, 4}, b[4] = {5, 6, 7, 8}, product[4] = {19, 22, 43, 50};
    const uint8_t data[5] = {7, 9, 7, 7, 255}, board[3] = {1, 1, 1};
    float c[4] = {0};
    uint64_t counts[256] = {0};
    uint8_t image[4] = {0}, next[3] = {0};
    OK(matmul(2, 2, 2, a, b, c));
    EXPECT(memcmp(c, product, sizeof c) == 0);
    OK(histogram(data, sizeof data, counts));
    EXPECT(counts[7] == 3 && counts[9] == 1 && counts[255] == 1 && counts[0] == 0);
    OK(raytrace(NULL, 0, 1, 1, image));
    EXPECT(image[3] == 255);
    OK(life_shmem(board, 1, 3, 0, next));
    EXPECT(memcmp(next, board, sizeof next) == 0);
    OK(life_texture(board, 1, 3, 0, next));
    EXPECT(memcmp(next, board, sizeof next) == 0);
    puts("done");
    return 0;
}
