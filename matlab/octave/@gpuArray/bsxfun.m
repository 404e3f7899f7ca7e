function C = bsxfun(fun, A, B)
%BSXFUN  Element-wise function of two arrays whose sizes fit, on gpuArrays.
%   C = bsxfun(FUN, A, B) is FUN(A, B). Operators and element-wise functions
%   broadcast by themselves; FUN has to be one.
%
%   See also gpuArray.

if nargin < 3
    error('Invalid call to bsxfun');
end
if ischar(fun)
    fun = str2func(fun);
end
C = fun(A, B);
rank = max(ndims(A), ndims(B));
a = size(A);
b = size(B);
a(end+1:rank) = 1;
b(end+1:rank) = 1;
a(a == 1) = b(a == 1);
c = size(C);
c(end+1:rank) = 1;
if ~isequal(c, a)
    error('gpumex:gpuArray:notServed', ...
        'bsxfun: not served for gpuArrays with %s, which is no element-wise function of two arrays', func2str(fun));
end
end
