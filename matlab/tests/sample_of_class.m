function x = sample_of_class(class, n, values)
%SAMPLE_OF_CLASS  A row of N numbers of CLASS, about VALUES different ones, the same each time.
%   Among them are the largest and the smallest integer, or NaN, Inf, -Inf and
%   both zeros.
rand('twister', n + values);
k = floor(values * rand(1, n));
odd = rand(1, n) < 0.05;
if strcmp(class, 'logical')
    x = mod(k, 2) == 1;
    return
elseif strncmp(class, 'u', 1)
    x = cast(k, class);
else
    x = cast(k - floor(values / 2), class);
end
if any(strcmp(class, {'single', 'double'}))
    special = cast([NaN Inf -Inf -0 0], class);
    x = x / 4;
else
    special = [intmax(class) intmin(class)];
end
x(odd) = special(1 + mod(k(odd), numel(special)));
end
