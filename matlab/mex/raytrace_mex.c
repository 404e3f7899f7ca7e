/* raytrace_mex.c - [image, ms] = raytrace(spheres, width, height, variant, backend), the gateway behind gpumex.raytrace.
 *
 * spheres: 7xN single, a column [r g b radius x y z]' a sphere. image: height x width x 3 uint8, which the library writes as such. */

#include "gateway.h"

static const enumerator variants[] = {{"auto", GPUMEX_RAYTRACE_VARIANT_AUTO},
                                      {"sequential", GPUMEX_RAYTRACE_VARIANT_SEQUENTIAL},
                                      {"global", GPUMEX_RAYTRACE_VARIANT_GLOBAL},
                                      {"readonly", GPUMEX_RAYTRACE_VARIANT_READ_ONLY},
                                      {"constant", GPUMEX_RAYTRACE_VARIANT_CONSTANT},
                                      {"binned", GPUMEX_RAYTRACE_VARIANT_BINNED},
                                      {NULL, 0}};

void raytrace_mex(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
    check_argument_count(nlhs, 2, nrhs, 5, "[image, ms] = raytrace(spheres, width, height, variant, backend)");
    operand spheres = read_operand(prhs[0]);
    int is_scene = is_full_matrix(spheres) && spheres.class_id == mxSINGLE_CLASS && rows(spheres) == 7;
    require(is_scene, "invalidSpheres", "spheres", spheres, "it is a full real 7xN single matrix");
    uint64_t width = read_integer(prhs[1], "invalidSize", "width");
    uint64_t height = read_integer(prhs[2], "invalidSize", "height");
    if (height > 0 && width > (UINT64_C(1) << 48) / height)
        fail("invalidSize", "width is %.0f and height %.0f; an image has at most 2^48 pixels", (double)width,
             (double)height);
    gpumex_raytrace_options options = GPUMEX_RAYTRACE_OPTIONS_INIT;
    options.channels = 3;
    options.layout = GPUMEX_PICTURE_LAYOUT_PLANAR_COLUMNS;
    options.variant = read_enum(prhs[3], "invalidVariant", "variant", variants);
    session s = open_session(prhs[4]);

    const mwSize dims[3] = {(mwSize)height, (mwSize)width, 3};
    result image = new_result(s, spheres.location, mxUINT8_CLASS, 3, dims);
    check(s, gpumex_raytrace(s.ctx, &options, spheres.data, cols(spheres), (size_t)width, (size_t)height, image.data));
    plhs[0] = to_mxarray(image);
    if (nlhs > 1)
        plhs[1] = kernel_ms(s);
}
