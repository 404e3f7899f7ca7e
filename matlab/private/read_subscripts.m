function [at, counts, originals, reach] = read_subscripts(method, extents, subscripts)
%READ_SUBSCRIPTS  Subscripts of a gpumex.array as the gateway takes them.
%   AT has ':' or positions for each subscript, COUNTS how many elements it takes, ORIGINALS its own size, and REACH the
%   greatest position. That of positions on the device is asked for; that they are whole numbers the library checks.

n = numel(subscripts);
extents = [extents, ones(1, n - numel(extents))];
extents = [extents(1:n - 1), prod(extents(n:end))];
at = cell(1, n);
originals = cell(1, n);
[counts, reach] = deal(zeros(1, n));
for k = 1:n
    s = subscripts{k};
    if (ischar(s) || isa(s, 'string')) && isequal(char(s), ':')
        at{k} = ':';
        originals{k} = [extents(k), 1];
        [counts(k), reach(k)] = deal(extents(k));
        continue
    elseif isa(s, 'gpumex.array')
        at{k} = on_device(method, s);
        originals{k} = size(at{k});
    elseif islogical(s)
        at{k} = find(s);
        originals{k} = size(at{k});
    elseif isnumeric(s) && isreal(s)
        at{k} = double(full(s));
        originals{k} = size(s);
    else
        gpumex_array_error(method, 'invalidSubscript', 'subscript %d is a %s; it is '':'', whole numbers or a mask', k, class(s));
    end
    counts(k) = numel(at{k});
    if counts(k) > 0 && ~isa(s, 'gpumex.array')
        reach(k) = greatest(method, k, at{k}(:));
    elseif counts(k) > 0
        reach(k) = greatest(method, k, [gather(min(at{k}, [], 'all')); gather(max(at{k}, [], 'all'))]);
    end
end
end

function reach = greatest(method, k, positions)
is_wrong = ~(positions >= 1 & positions == fix(positions) & positions < 2^53);
if any(is_wrong)
    gpumex_array_error(method, 'invalidSubscript', 'subscript %d has the value %g; it is a whole number from 1', k, positions(find(is_wrong, 1)));
end
reach = max(positions);
end

function positions = on_device(method, s)
% A mask as positions; numbers as doubles.
if islogical(s)
    positions = gpumex_array_call(method, 'find', s);
    positions = gpumex_array_call(method, 'map', 'double(a) + 1', positions, 'auto', 'auto', 'auto', 'auto');
    if numel(s) == 1 && numel(positions) == 0
        positions = reshape(positions, [0, 0]);
    end
else
    positions = double(s);
end
end
