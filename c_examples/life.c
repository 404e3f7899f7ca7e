/* life.c - Conway's Life: every variant of gpumex_life against the clock, or a pattern of yours as a film.
 *
 * Build:  make examples
 *    or:  cc -O2 c_examples/life.c -o life -Iinclude -Ltarget/release -lgpumex -Ltarget/release/examples -lpictures \
 *            -lpthread -ldl -lm -Wl,-rpath,$PWD/target/release
 * Run:    life [ROWS COLS GENERATIONS]                                                 (500 500 100)
 *    or:  life -p c_examples/patterns/gosper.rle -g 300 -o gun.gif
 *
 * The first prints how long a call takes on the board of MATLAB's stencil example, transfers included, and how long the
 * kernels take for one generation:
 *
 *     Variant       | ms total | kernel us per generation
 *     auto          |    0.060 |                    0.140
 *     registers     |    ...
 *
 * First those on bits, many generations a launch; then the textbook's on bytes, a generation a launch, and the plain
 * loop on one core of the CPU. A variant that does not serve the board has a line of dashes. The kernel time of a
 * generation is the slope between two numbers of generations, so that what a call pays once drops out. Every board is
 * compared with the plain loop below; exits with 1 when a cell differs.
 *
 * The second plays a pattern, RLE or Life 1.06, in the middle of a board, and ends early, with whole files, on Ctrl-C.
 * Cells beyond the edge are dead where neither -b nor the pattern's rule (":T", ":P") says otherwise: those who draw
 * patterns mean a plane.
 *     -p FILE        the pattern                  -s ROWSxCOLS   the board (the pattern, and room for gliders around it)
 *     -g N           generations (0)              -r RULE        B36/S23, say (the pattern's)
 *     -o OUT.gif     an animation, or             -b BOUNDARY    clamp, dead or torus (the pattern's, or dead)
 *        OUT%04d.png a picture a frame (or .ppm)  -e N           generations a frame (1)
 *        OUT.rle, OUT.lif  the last generation    -z N           pixels a side of a cell (as the screen allows) */
#include "player.h"

#include <unistd.h>

typedef struct game {
    size_t rows, cols, generations;
    uint8_t *board, *after; /* at the start, and after the generations, by the plain loop */
} game;

/* next <- the generation after board. Beyond the edge lies a copy of the edge cell nearest to it. */
static void step(const uint8_t *board, size_t rows, size_t cols, uint8_t *next) {
    for (size_t i = 0; i < rows; i++) {
        const uint8_t *row = board + i * cols;
        const uint8_t *up = i > 0 ? row - cols : row, *down = i + 1 < rows ? row + cols : row;
        for (size_t j = 0; j < cols; j++) {
            const size_t l = j > 0 ? j - 1 : j, r = j + 1 < cols ? j + 1 : j;
            const int n = up[l] + up[j] + up[r] + row[l] + row[r] + down[l] + down[j] + down[r];
            next[i * cols + j] = n == 3 || (n == 2 && row[j]);
        }
    }
}

/* A board with about 25 % of its cells alive, the same one every time, and what becomes of it. */
static game new_game(size_t rows, size_t cols, size_t generations) {
    const size_t cells = rows * cols;
    game g = {rows, cols, generations, (uint8_t *)allocate(cells), (uint8_t *)allocate(cells)};
    uint32_t seed = 12345;
    for (size_t i = 0; i < cells; i++) {
        seed = (1103515245u * seed + 12345u) & 0x7fffffffu;
        g.board[i] = (seed >> 16) % 4 == 0;
    }
    uint8_t *scratch = (uint8_t *)allocate(cells);
    memcpy(g.after, g.board, cells);
    for (size_t n = 0; n < generations; n++) {
        step(g.after, rows, cols, scratch);
        memcpy(g.after, scratch, cells);
    }
    free(scratch);
    return g;
}

static void end_game(game g) {
    free(g.board);
    free(g.after);
}

/* Plays the game REPEATS times with one variant; how many cells came out wrong. *is_served <- 0 where the variant is
 * not made for this board. */
static size_t play(gpumex_context *ctx, int32_t variant, const game *g, double *call, double *kernel, int *is_served) {
    const size_t cells = g->rows * g->cols;
    double calls[REPEATS], kernels[REPEATS];
    size_t wrong = 0;
    uint8_t *next = (uint8_t *)allocate(cells);
    *is_served = 1;
    for (int i = 0; i < REPEATS; i++) {
        memset(next, 0xEE, cells);
        const double start = wall_ms();
        const int32_t status = gpumex_life(ctx, GPUMEX_OPTIONS(life, .variant = variant), g->board, g->rows, g->cols,
                                           g->generations, next);
        calls[i] = wall_ms() - start;
        *is_served = status != GPUMEX_STATUS_UNSUPPORTED;
        if (!*is_served) break;
        CHECK(status);
        kernels[i] = kernel_ms(ctx);
        for (size_t cell = 0; cell < cells; cell++) wrong += next[cell] != g->after[cell];
    }
    free(next);
    if (*is_served) *call = median(calls), *kernel = median(kernels);
    return wrong;
}

/* Plays two games with each variant and prints the times; whether a cell came out wrong. */
static int compare_variants(size_t rows, size_t cols, size_t generations) {
    const game brief = new_game(rows, cols, generations), longer = new_game(rows, cols, 11 * generations);
    gpumex_context *cpu = open_context(GPUMEX_BACKEND_CPU), *ctx = open_context(GPUMEX_BACKEND_AUTO);
    const struct { const char *name; int32_t variant; gpumex_context *ctx; } variants[] = {
        {"auto", GPUMEX_LIFE_VARIANT_AUTO, ctx},
        {"registers", GPUMEX_LIFE_VARIANT_REGISTERS, ctx},
        {"cluster", GPUMEX_LIFE_VARIANT_CLUSTER, ctx},
        {"shmem", GPUMEX_LIFE_VARIANT_SHMEM, ctx},
        {"texture", GPUMEX_LIFE_VARIANT_TEXTURE, ctx},
        {"shmem_bytes", GPUMEX_LIFE_VARIANT_SHMEM_BYTES, ctx},
        {"texture_bytes", GPUMEX_LIFE_VARIANT_TEXTURE_BYTES, ctx},
        {"arrays", GPUMEX_LIFE_VARIANT_ARRAYS, ctx},
        {"sequential", GPUMEX_LIFE_VARIANT_SEQUENTIAL, cpu}, /* one core of the CPU, wherever the others run */
    };
    size_t wrong = 0;

    print_device(ctx);
    printf("Life: %zu x %zu cells, %zu generations\n\n", rows, cols, generations);
    printf("Variant       | ms total | kernel us per generation\n");
    for (size_t i = 0; i < sizeof variants / sizeof variants[0]; i++) {
        double call, long_call, kernel, long_kernel;
        int is_served;
        gpumex_context *on = variants[i].ctx;
        wrong += play(on, variants[i].variant, &brief, &call, &kernel, &is_served);
        if (!is_served) {
            printf("%-13s | %8s | %24s\n", variants[i].name, "-", "-");
            continue;
        }
        wrong += play(on, variants[i].variant, &longer, &long_call, &long_kernel, &is_served);
        const double slope = (long_kernel - kernel) / (double)(longer.generations - brief.generations);
        printf("%-13s | %8.3f | %24.3f\n", variants[i].name, call, slope * 1e3);
    }
    if (wrong == 0) printf("\nTest passed: every board is that of the plain loop\n");
    else printf("\nTest FAILED: %zu cells are not those of the plain loop\n", wrong);

    CHECK(gpumex_context_destroy(ctx));
    CHECK(gpumex_context_destroy(cpu));
    end_game(brief);
    end_game(longer);
    return wrong != 0;
}

static void usage(void) {
    fprintf(stderr, "usage: life [ROWS COLS GENERATIONS]\n"
                    "       life -p PATTERN [-g N] [-o OUT.gif|OUT%%04d.png|.ppm|OUT.rle|OUT.lif] [-s ROWSxCOLS] [-r RULE]\n"
                    "            [-b clamp|dead|torus] [-e N] [-z N]\n"
                    "Cells beyond the edge are dead, unless -b or the pattern's rule (\":T\", \":P\") says otherwise.\n");
    exit(2);
}

static int32_t boundary_of(const char *word) {
    if (strcmp(word, "clamp") == 0) return GPUMEX_LIFE_BOUNDARY_CLAMP;
    if (strcmp(word, "dead") == 0) return GPUMEX_LIFE_BOUNDARY_DEAD;
    if (strcmp(word, "torus") != 0) usage();
    return GPUMEX_LIFE_BOUNDARY_TORUS;
}

static void read_size(char *text, size_t *rows, size_t *cols) {
    char *x = strchr(text, 'x');
    if (x == NULL) usage();
    *x = '\0';
    *rows = number(text, LARGEST_SIDE), *cols = number(x + 1, LARGEST_SIDE);
}

static wish read_wish(int argc, char **argv) {
    wish w;
    memset(&w, 0, sizeof w);
    w.boundary = OF_THE_PATTERN;
    for (int option; (option = getopt(argc, argv, "p:g:o:s:r:b:e:z:")) != -1;) {
        switch (option) {
        case 'p': w.pattern = optarg; break;
        case 'g': w.generations = number_from(0, optarg, 1000000000); break;
        case 'o': w.out = optarg; break;
        case 's': read_size(optarg, &w.rows, &w.cols); break;
        case 'r': w.rule = optarg; break;
        case 'b': w.boundary = boundary_of(optarg); break;
        case 'e': w.every = number(optarg, 1000000000); break;
        case 'z': w.zoom = number(optarg, 64); break;
        default: usage();
        }
    }
    if (w.pattern != NULL && (optind < argc || (w.out != NULL && kind_of(w.out) == NO_OUTPUT))) usage();
    return w;
}

int main(int argc, char **argv) {
    const wish w = read_wish(argc, argv);
    if (w.pattern != NULL) return play_pattern(&w);
    if (argc == 1) return compare_variants(500, 500, 100);
    if (argc != 4 || optind != 1) usage();
    return compare_variants(number(argv[1], 100000), number(argv[2], 100000), number(argv[3], 1000000));
}
