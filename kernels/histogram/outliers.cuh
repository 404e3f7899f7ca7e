// outliers.cuh — samples outside the bins: the numbers of gpumex_histogram_outliers.
#pragma once

enum Outliers { OUTLIERS_IGNORE, OUTLIERS_CLAMP };                 // into no bin; into the first bin or the last one

inline bool is_outliers(int number) { return number == OUTLIERS_IGNORE || number == OUTLIERS_CLAMP; }
