function d = det(A)
%DET  Determinant of a square matrix, on gpuArrays: the product of the pivots of lu.

if ndims(A) > 2 || size(A, 1) ~= size(A, 2)
    error('det: A must be a square matrix');
end
[~, U, p] = lu(A, 'vector');
d = prod(diag(U));
swaps = numel(p) - cycles(p);
if mod(swaps, 2) == 1
    d = -d;
end
end

function count = cycles(p)
count = 0;
seen = false(size(p));
for k = 1:numel(p)
    if ~seen(k)
        count = count + 1;
        while ~seen(k)
            seen(k) = true;
            k = p(k);
        end
    end
end
end
