#include <gpumex.hpp>

#include <iostream>
#include <vector>

int main() {
    const gpumex::context ctx; // CUDA where it works, else the CPU
    const std::vector<float> data{3, -7, 0, 5, 0, 6};
    gpumex::reduce_options magnitude;
    magnitude.expression = "abs (a) >= abs (b) ? a : b";
    std::cout << "farthest " << gpumex::reduce(ctx, data, magnitude);
    gpumex::scan_options last;
    last.kind = gpumex::scan_kind::inclusive;
    last.expression = "b == 0 ? a : b";
    std::vector<float> latest(6);
    gpumex::scan(ctx, data, latest, last);
    std::cout << ", latest";
    for (const float value : latest) std::cout << " " << value;
    std::cout << "\n";
}
