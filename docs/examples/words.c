#include <gpumex.h>
#include <stdio.h>

int main(void) {
    gpumex_context *ctx = gpumex_context_default();
    if (ctx == NULL) return puts(gpumex_last_error()), 1;
    const char text[] = "to be, or not to be: that is the question";
    uint64_t positions[2], lengths[2], counts[2];
    gpumex_words_summary summary = GPUMEX_WORDS_SUMMARY_INIT;
    int32_t status = gpumex_words(
        ctx, NULL, text, sizeof text - 1, 2, positions, lengths, counts, &summary);
    if (status != 0) return puts(gpumex_last_error()), 1;
    for (int i = 0; i < 2; i++)
        printf("%d %.*s\n", (int)counts[i], (int)lengths[i], text + positions[i]);
    printf("%d words, %d distinct\n", (int)summary.words, (int)summary.distinct);
    return 0;
}
