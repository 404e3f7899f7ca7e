#include <gpumex.h>
#include <stdio.h>

int main(void) {
    const char text[] = "x = 3, y = 3, rule = B3/S23\nbob$2bo$3o!";   /* a glider */
    gpumex_pattern_info info = GPUMEX_PATTERN_INFO_INIT;
    uint8_t board[3 * 3];
    int32_t status = gpumex_pattern_inspect(text, sizeof text - 1, &info);
    if (status != 0) return puts(gpumex_last_error()), 1;
    status = gpumex_pattern_read(
        text, sizeof text - 1, GPUMEX_LIFE_CELLS_BYTES, 0, 0, board, 3, 3);
    if (status != 0) return puts(gpumex_last_error()), 1;
    for (int i = 0; i < 9; i++)
        printf("%s%s", board[i] ? "#" : ".", i % 3 == 2 ? "\n" : "");
    printf("%d cells alive\n", (int)info.population);
    return 0;
}
