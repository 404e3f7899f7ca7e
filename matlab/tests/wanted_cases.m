function count = wanted_cases(count)
%WANTED_CASES  How many random cases of a kind: GPUMEX_TEST_CASES in the environment takes so many for each thousand.
wanted = str2double(getenv('GPUMEX_TEST_CASES'));
if ~isnan(wanted)
    count = ceil(count * wanted / 1000);
end
end
