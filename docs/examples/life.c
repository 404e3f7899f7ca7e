#include <gpumex.h>
#include <stdio.h>

int main(void) {
    gpumex_context *ctx = gpumex_context_default();
    if (ctx == NULL) return puts(gpumex_last_error()), 1;
    /* three in a row become a column */
    const uint8_t board[5 * 5] = {[11] = 1, [12] = 1, [13] = 1};
    uint8_t next[5 * 5];
    int32_t status = gpumex_life(ctx, NULL, board, 5, 5, 1, next);
    if (status != 0) return puts(gpumex_last_error()), 1;
    for (int i = 0; i < 25; i++)
        printf("%s%s", next[i] ? "#" : ".", i % 5 == 4 ? "\n" : "");
    return 0;
}
