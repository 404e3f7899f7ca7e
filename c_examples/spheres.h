/* spheres.h - the scenes of the ray caster. */
#ifndef GPUMEX_EXAMPLES_SPHERES_H
#define GPUMEX_EXAMPLES_SPHERES_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>

enum { FULL = 2048 }; /* spheres, and the size of the image that their radii are given for */

typedef struct sphere { /* as gpumex_raytrace takes it: 7 floats */
    float r, g, b, radius, x, y, z;
} sphere;

/* The next number from 0 to `most` of the sequence that `state` stands in. */
static inline float uniform(uint64_t *state, float most) {
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return most * ((float)(*state >> 40) / (float)(1 << 24));
}

/* Spheres of any colour, all over a cube as wide as the image; radius 20 to 120 in an image of 2048, the same ones for the same
 * seed. More than 2048 have radii smaller by sqrt(2048 / count): they cover the image as often as 2048 do. */
static inline void make_scene(sphere *scene, size_t count, size_t size, uint64_t seed) {
    const float width = (float)size, unit = width / (float)FULL;
    const float scale = count > FULL ? unit * sqrtf((float)FULL / (float)count) : unit;
    for (size_t i = 0; i < count; i++) {
        sphere *s = &scene[i];
        s->r = uniform(&seed, 1), s->g = uniform(&seed, 1), s->b = uniform(&seed, 1);
        s->x = uniform(&seed, width) - width / 2, s->y = uniform(&seed, width) - width / 2;
        s->z = uniform(&seed, width) - width / 2;
        s->radius = (20 + uniform(&seed, 100)) * scale;
    }
}

/* What the eye sees in column i, row j, by the plain loop, in the arithmetic that gpumex.h promises to the last bit. */
static inline void plain_pixel(const sphere *scene, size_t count, size_t size, size_t i, size_t j, uint8_t *rgba) {
    const float ox = (float)i - (float)size / 2, oy = (float)j - (float)size / 2;
    const sphere *hit = NULL;
    float nearest = 0, height = 0;
    for (const sphere *s = scene; s < scene + count; s++) {
        const float dx = ox - s->x, dy = oy - s->y;
        if (!(dy * dy < s->radius * s->radius)) continue; /* d is not below dy*dy */
        const float d = fmaf(dy, dy, dx * dx);
        if (!(d < s->radius * s->radius)) continue;
        const float dz = sqrtf(fmaf(s->radius, s->radius, -d));
        if (hit == NULL || s->z + dz > nearest) hit = s, nearest = s->z + dz, height = dz;
    }
    const float shade = hit ? height / hit->radius : 0;
    const float colour[4] = {hit ? hit->r * shade : 0, hit ? hit->g * shade : 0, hit ? hit->b * shade : 0, 1};
    for (int channel = 0; channel < 4; channel++) rgba[channel] = (uint8_t)(colour[channel] * 255);
}

#endif
