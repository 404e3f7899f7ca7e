samples = [0.1 0.7 0.2 0.9 0.15 1.5];        % 1.5 lies outside
counts = gpumex.histogram(samples, 4, [0 1]);
fprintf('from %.2f: %d\n', [(0:3) / 4; counts.']);
