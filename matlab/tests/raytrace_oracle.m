function image = raytrace_oracle(spheres, width, height)
%RAYTRACE_ORACLE  The picture by the formula of the header, one sphere after the other.
%   A fused multiply-add is computed in double precision and rounded once.
fma = @(a, b, c) single(double(a) .* double(b) + double(c));
i = single(ones(height, 1) * ((0:width - 1) - width / 2));
j = single(((0:height - 1).' - height / 2) * ones(1, width));
nearest = -inf(height, width, 'single');
image = zeros(height, width, 3, 'uint8');
spheres = single(spheres);
for k = 1:size(spheres, 1)
    radius = spheres(k, 4);
    dx = i - spheres(k, 5);
    dy = j - spheres(k, 6);
    distance = fma(dy, dy, dx .* dx);
    hit = radius > 0 & distance < radius * radius;
    height_above = sqrt(max(fma(radius, radius, -distance), 0));
    z = height_above + spheres(k, 7);
    seen = hit & z > nearest;
    if ~any(seen(:))
        continue
    end
    nearest(seen) = z(seen);
    for channel = 1:3
        plane = image(:, :, channel);
        level = spheres(k, channel) * (height_above(seen) / radius) * 255;
        plane(seen) = uint8(fix(min(max(level, 0), 255)));
        image(:, :, channel) = plane;
    end
end
end
