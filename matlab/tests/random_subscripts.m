function subscripts = random_subscripts(shape, within)
%RANDOM_SUBSCRIPTS  Subscripts of an array of a shape: ranges, vectors, masks and ':', as many as there are
%   dimensions or fewer. Few lie outside; not WITHIN they are for an assignment: more do, and no place comes twice.
count = ceil(rand * max(3, numel(shape)));
if count > numel(shape) && rand < 0.7
    count = numel(shape);
end
extents = [shape ones(1, count)];
extents = [extents(1:count - 1) prod(extents(count:end))];
subscripts = cell(1, count);
for k = 1:count
    n = extents(k);
    most = n + (rand < 0.05) + (~within && rand < 0.1) * 2;
    switch ceil(rand * 8)
        case {1, 2}, subscripts{k} = ':';
        case 3, subscripts{k} = ceil(rand * most);
        case 4, subscripts{k} = 1:most;
        case 5, subscripts{k} = most:-1:1;
        case 6, subscripts{k} = ceil(rand(1, floor(rand * 6)) * most);
        case 7, subscripts{k} = rand(1, n) < 0.5;
        case 8, subscripts{k} = 1:2:most;
    end
    if rand < 0.3 && isnumeric(subscripts{k})
        subscripts{k} = subscripts{k}(:);
    end
    if ~within && isnumeric(subscripts{k})      % which of two equal subscripts wins is left open
        subscripts{k} = unique(subscripts{k});
    end
end
end
