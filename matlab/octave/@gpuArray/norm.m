function n = norm(A, p, varargin)
%NORM  Norm of a vector or matrix, on gpuArrays.
%   norm(V, P) of a vector: P is 2 (the default), any other positive number, 0,
%   Inf, -Inf or 'fro'. norm(A, P) of a matrix: P is 1, Inf or 'fro'. The 2-norm of
%   a matrix needs singular values and is not served. norm(A, P, 'rows') and
%   'columns' are vectors of norms.

if nargin < 2
    p = 2;
end
words = [{p}, varargin];
is_word = cellfun(@ischar, words);
along = '';
for k = find(is_word)
    switch lower(words{k})
        case {'rows', 'columns', 'cols'}
            along = lower(words{k});
            words{k} = 2;
        case {'inf', '-inf'}
            words{k} = str2double(words{k});
        case 'fro'
            words{k} = 'fro';
        otherwise
            error('norm: unrecognized option: %s', words{k});
    end
end
p = words{1};
if isa(p, 'gpuArray')
    p = gather(p);
end
if ~isa(A, 'gpuArray')
    A = gpuArray(A);
end
if ~isfloat(A)
    error('norm: X must be a numeric matrix of class single or double');
end
if ndims(A) > 2
    error('norm: only valid for 2-D objects');
end
if ~isempty(along)
    n = of_vectors(A, p, 1 + strcmp(along, 'rows'));
elseif isempty(A)
    n = zeros(1, 1, 'like', A);
elseif any(size(A) == 1) || strcmp(p, 'fro')
    n = of_vectors(A(:), p, 1);
elseif p == 1
    n = max(sum(abs(A), 1));
elseif p == Inf
    n = max(sum(abs(A), 2));
else
    error('gpumex:gpuArray:notServed', ...
        'norm: the %g-norm of a matrix is not served for gpuArrays; 1, Inf and ''fro'' are', p);
end
end

function n = of_vectors(A, p, dim)
if p == Inf
    n = max(abs(A), [], dim);
    n(any(isnan(A), dim)) = NaN;
elseif p == -Inf
    n = min(abs(A), [], dim);
    n(any(isnan(A), dim)) = NaN;
elseif p == 1
    n = sum(abs(A), dim);
elseif p == 0
    n = cast(sum(A ~= 0, dim), underlyingType(A));
else
    if strcmp(p, 'fro')
        p = 2;
    end
    scale = max(abs(A), [], dim);                       % so that powers are neither infinite nor 0
    scale(~(scale > 0 & scale < Inf)) = 1;
    n = scale .* sum(abs(A ./ scale) .^ p, dim) .^ (1 / p);
end
end
