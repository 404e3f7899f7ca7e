/// @file
/// @brief Ray casting of spheres. See gpumex_raytrace.
#pragma once

#include <gpumex/context.hpp>
#include <gpumex/range.hpp>

namespace gpumex {

/// As gpumex_raytrace_options.
struct raytrace_options {
    gpumex::raytrace_variant variant = gpumex::raytrace_variant::auto_;
    std::int32_t channels = 4; ///< 4: red, green, blue, alpha; 3: without alpha.
    gpumex::picture_layout layout = gpumex::picture_layout::interleaved;
};

/// Colour (0 to 1), radius and centre (pixels, origin at the centre of the image).
struct sphere {
    float red, green, blue, radius, x, y, z;
};

/// image, height*width*channels bytes, <- the image of spheres: gpumex::sphere, or 7 floats each.
template <class Spheres, class Image>
void raytrace(context_ref ctx, const Spheres &spheres, std::size_t width, std::size_t height, Image &&image,
              const raytrace_options &options = {}) {
    using type = detail::element<const Spheres>;
    static_assert(std::is_same_v<type, sphere> || std::is_same_v<type, float>,
                  "gpumex: spheres are gpumex::sphere, or 7 floats each");
    static_assert(sizeof(detail::element<Image>) == 1, "gpumex: an image is of bytes");
    const std::size_t floats = detail::count(spheres) * (sizeof(type) / sizeof(float));
    if (floats % 7 != 0) detail::refuse("raytrace", "spheres are 7 floats each");
    const std::size_t channels = options.channels == 3 ? 3 : 4;
    detail::require_room("raytrace", "image", detail::count(image),
                         detail::product(detail::product(width, height), channels));
    gpumex_raytrace_options c = GPUMEX_RAYTRACE_OPTIONS_INIT;
    c.variant = detail::number(options.variant);
    c.channels = options.channels;
    c.layout = detail::number(options.layout);
    detail::check(gpumex_raytrace(ctx.get(), &c, static_cast<const float *>(detail::in(spheres)), floats / 7, width,
                                  height, static_cast<std::uint8_t *>(detail::out(image))));
}

} // namespace gpumex
