image = gpumex.raytrace([1 0.5 0 90 0 0 0], 200, 200);   % r, g, b, radius, x, y, z
fprintf('centre %d %d %d\n', image(101, 101, 1:3));
fprintf('corner %d %d %d\n', image(1, 1, 1:3));
