/* raytrace.c - a ray caster of spheres that lie in global memory, behind the read-only cache, in constant memory, or in bins, one
 * for each tile of the picture.
 *
 * Build:  make examples
 *    or:  cc -O2 c_examples/raytrace.c -o raytrace -Iinclude -Ltarget/release -lgpumex -Ltarget/release/examples -lpictures \
 *            -lpthread -ldl -lm -Wl,-rpath,$PWD/target/release
 * Run:    raytrace [-o OUT.png|OUT.ppm]    where the picture of the last row goes                        (raytrace.ppm)
 *                  [--size N]              an image of N x N pixels                                      (2048)
 *                  [--spheres N]           one row, of N spheres
 *                  [--all]                 rows up to 1000000 spheres, as on a GPU; on the CPU backend   (2048)
 *                  [--seed N]              another scene
 *                  [--csv FILE]            the table, a line a row
 *                  [--plot FILE.png]       the table as curves
 *
 * Prints the kernel times in ms; "-" where one picture is expected to take longer than a second:
 *
 *     Spheres |   Normal | Read-only | Constant |   Binned
 *          16 |    0.042 |     0.041 |    0.039 |    0.011
 *          32 |    ...
 *
 * Exits with 1 when the images of a row differ in a byte, or from the plain loop in their middle line.
 * Source: J. Sanders, E. Kandrot, "CUDA by Example", chapter 6; RSE-Sheffield, CUDALab03, exercise 2. */
#include "common.h"
#include "pictures.h"
#include "spheres.h"

enum { VARIANTS = 4, MAX_ROWS = 16, MILLION = 1000000 };
static const double LONGEST = 1000;                   /* ms */
static const double COMPARED = 2048.0 * 2048.0;       /* pixels times spheres of the plain loop */

static const char *const names[VARIANTS] = {"Normal", "Read-only", "Constant", "Binned"};
static const int32_t variants[VARIANTS] = {GPUMEX_RAYTRACE_VARIANT_GLOBAL, GPUMEX_RAYTRACE_VARIANT_READ_ONLY,
                                           GPUMEX_RAYTRACE_VARIANT_CONSTANT, GPUMEX_RAYTRACE_VARIANT_BINNED};

typedef struct arguments {
    const char *picture, *csv, *plot;
    size_t size, spheres; /* spheres: of the only row, or 0 */
    uint64_t seed;
    int all;
} arguments;

/* What has been measured, ms; NAN where it was left out. */
typedef struct table {
    size_t rows;
    double spheres[MAX_ROWS], ms[VARIANTS][MAX_ROWS];
} table;

static arguments read_arguments(int argc, char **argv) {
    arguments a = {"raytrace.ppm", NULL, NULL, FULL, 0, 4521, 0};
    for (int i = 1; i < argc; i++) {
        const char *name = argv[i];
        a.all |= strcmp(name, "--all") == 0;
        if (strcmp(name, "--all") == 0) continue;
        const char *value = ++i < argc ? argv[i] : NULL;
        if (value != NULL && strcmp(name, "-o") == 0) a.picture = value;
        else if (value != NULL && strcmp(name, "--csv") == 0) a.csv = value;
        else if (value != NULL && strcmp(name, "--plot") == 0) a.plot = value;
        else if (value != NULL && strcmp(name, "--size") == 0) a.size = number(value, 32768);
        else if (value != NULL && strcmp(name, "--spheres") == 0) a.spheres = number(value, 100 * MILLION);
        else if (value != NULL && strcmp(name, "--seed") == 0) a.seed = number_from(0, value, 0xFFFFFFFF);
        else {
            fprintf(stderr, "usage: raytrace [-o OUT.png|OUT.ppm] [--size N] [--spheres N] [--all] [--seed N] "
                            "[--csv FILE] [--plot FILE.png]\n");
            exit(2);
        }
    }
    return a;
}

/* spheres of the row after one of `count`: twice as many to 4096, then four times, a million at last. */
static size_t next_count(size_t count) {
    const size_t next = count < 2 * FULL ? 2 * count : 4 * count;
    return count < MILLION && next > MILLION ? (size_t)MILLION : next;
}

/* spheres of the last row. */
static size_t most_spheres(gpumex_context *ctx, int all) {
    int32_t backend;
    CHECK(gpumex_context_backend(ctx, &backend));
    return all || backend == GPUMEX_BACKEND_CUDA ? (size_t)MILLION : (size_t)FULL;
}

/* image <- the picture of the spheres, by one variant; the kernel time in ms. */
static double cast(gpumex_context *ctx, int32_t variant, const sphere *scene, size_t count, size_t size,
                   uint8_t *image) {
    double times[REPEATS];
    for (int i = 0; i < REPEATS; i++) {
        memset(image, 0xEE, size * size * 4);
        CHECK(gpumex_raytrace(ctx, GPUMEX_OPTIONS(raytrace, .variant = variant), &scene->r, count, size, size, image));
        times[i] = kernel_ms(ctx);
    }
    return median(times);
}

/* Whether the middle line is that of the plain loop; of many spheres some of its pixels. */
static int is_plain(const sphere *scene, size_t count, size_t size, const uint8_t *image) {
    const double every = (double)size * (double)count / COMPARED;
    const size_t step = every > 1 ? (size_t)every : 1, middle = size / 2;
    for (size_t i = 0; i < size; i += step) {
        uint8_t pixel[4];
        plain_pixel(scene, count, size, i, middle, pixel);
        if (memcmp(image + (middle * size + i) * 4, pixel, 4) != 0) return 0;
    }
    return 1;
}

/* Whether a picture of so many spheres will take longer than LONGEST, after the row before. */
static int is_slow(const table *t, int variant, size_t count) {
    if (t->rows == 0 || variant == VARIANTS - 1) return 0;
    const double before = t->ms[variant][t->rows - 1];
    return isnan(before) || before * (double)count / t->spheres[t->rows - 1] > LONGEST;
}

/* Measures and prints the row of a scene; how many images are not what they should be. image <- the last one. */
static int measure(gpumex_context *ctx, table *t, const sphere *scene, size_t count, size_t size, uint8_t *image,
                   uint8_t *other) {
    int wrong = 0, images = 0;
    for (int v = 0; v < VARIANTS; v++) {
        double *ms = &t->ms[v][t->rows];
        *ms = NAN;
        if (is_slow(t, v, count)) continue;
        *ms = cast(ctx, variants[v], scene, count, size, images == 0 ? image : other);
        wrong += images++ > 0 && memcmp(image, other, size * size * 4) != 0;
    }
    wrong += !is_plain(scene, count, size, image);
    printf("%7zu", count);
    for (int v = 0; v < VARIANTS; v++) {
        const double ms = t->ms[v][t->rows];
        if (isnan(ms)) printf(" | %*s", v == 1 ? 9 : 8, "-");
        else printf(" | %*.3f", v == 1 ? 9 : 8, ms);
    }
    printf("\n");
    fflush(stdout);
    t->spheres[t->rows++] = (double)count;
    return wrong;
}

static int write_csv(const char *path, const table *t) {
    FILE *file = fopen(path, "w");
    if (file == NULL) return 1;
    fprintf(file, "spheres,normal_ms,read_only_ms,constant_ms,binned_ms\n");
    for (size_t row = 0; row < t->rows; row++) {
        fprintf(file, "%.0f", t->spheres[row]);
        for (int v = 0; v < VARIANTS; v++) {
            if (isnan(t->ms[v][row])) fprintf(file, ",");
            else fprintf(file, ",%.6f", t->ms[v][row]);
        }
        fprintf(file, "\n");
    }
    return fclose(file) != 0;
}

static int write_plot(const char *path, const table *t, size_t size) {
    picture_curve curves[VARIANTS];
    char title[80];
    for (int v = 0; v < VARIANTS; v++) {
        const picture_curve curve = {names[v], t->spheres, t->ms[v], t->rows};
        curves[v] = curve;
    }
    snprintf(title, sizeof title, "Ray caster, %zu x %zu pixels", size, size);
    return picture_save_plot(path, title, "Spheres", "Kernel time, ms", curves, VARIANTS);
}

/* Says that a file was written, or why not. */
static int tell(const char *what, const char *path, int failed, const char *why) {
    if (failed) fprintf(stderr, "%s: %s\n", path, why);
    else printf("%s: %s\n", what, path);
    return failed != 0;
}

int main(int argc, char **argv) {
    const arguments a = read_arguments(argc, argv);
    gpumex_context *ctx = open_context(GPUMEX_BACKEND_AUTO);
    const size_t first = a.spheres > 0 ? a.spheres : 16;
    const size_t last = a.spheres > 0 ? a.spheres : most_spheres(ctx, a.all);
    const size_t bytes = a.size * a.size * 4;
    uint8_t *image = (uint8_t *)allocate(bytes), *other = (uint8_t *)allocate(bytes);
    sphere *scene = (sphere *)allocate(last * sizeof *scene);
    static table times;
    int wrong = 0;

    print_device(ctx);
    printf("Ray caster: %zu x %zu pixels, kernel ms\n\n", a.size, a.size);
    printf("Spheres |   Normal | Read-only | Constant |   Binned\n");
    for (size_t count = first; count <= last; count = next_count(count)) {
        make_scene(scene, count, a.size, a.seed);
        wrong += measure(ctx, &times, scene, count, a.size, image, other);
    }
    if (wrong == 0) printf("\nTest passed: the images of each row are the same in every byte\n");
    else printf("\nTest FAILED: %d images are not what they should be\n", wrong);
    const int unsaved = picture_save(a.picture, image, a.size, a.size, 4);
    wrong += tell("Picture", a.picture, unsaved, picture_error());
    if (a.csv != NULL) wrong += tell("Table", a.csv, write_csv(a.csv, &times), "cannot be written");
    if (a.plot != NULL) wrong += tell("Plot", a.plot, write_plot(a.plot, &times, a.size), picture_error());

    CHECK(gpumex_context_destroy(ctx));
    free(scene);
    free(other);
    free(image);
    return wrong != 0;
}
