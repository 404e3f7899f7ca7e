#include <gpumex.hpp>

#include <iostream>

int main() {
    const gpumex::context ctx; // CUDA where it works, else the CPU
    gpumex::array<float> array(ctx, 6); // on the device
    array.fill_ascending(0, 0.5);
    std::cout << gpumex::print(ctx, array, "%g", 3); // the array has not left it
}
