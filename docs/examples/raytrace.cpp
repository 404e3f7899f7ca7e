#include <gpumex.hpp>

#include <iostream>
#include <vector>

int main() {
    const gpumex::context ctx; // CUDA where it works, else the CPU
    const std::vector<gpumex::sphere> spheres{{1, 0.5f, 0, 90, 0, 0, 0}};
    std::vector<std::uint8_t> image(200 * 200 * 4);
    gpumex::raytrace(ctx, spheres, 200, 200, image);
    const auto show = [&image](const char *where, std::size_t pixel) {
        std::cout << where << " " << +image[4 * pixel] << " "
                  << +image[4 * pixel + 1] << " "
                  << +image[4 * pixel + 2] << "\n";
    };
    show("centre", 100 * 200 + 100);
    show("corner", 0);
}
