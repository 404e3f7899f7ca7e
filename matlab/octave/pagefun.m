function varargout = pagefun (f, varargin)
%PAGEFUN  Call a function with each page of gpuArrays.
%   C = pagefun (@mtimes, A, B) is an array of products, C(:,:,k) = A(:,:,k) *
%   B(:,:,k). One page of either goes with every page of the other. Element-wise
%   functions, @transpose and @ctranspose are served as well; for others there
%   is an error.
%
%   Example:
%      A = gpuArray.rand (8, 8, 1000);
%      B = pagefun (@mtimes, A, pagefun (@transpose, A));
%
%   See also pagemtimes, arrayfun.

name = f;
if is_function_handle (f)
    name = func2str (f);
end
name = strrep (name, '@', '');
elementwise = {'plus', 'minus', 'times', 'rdivide', 'power', 'eq', 'ne', 'lt', 'le', 'gt', 'ge', 'and', 'or', 'not', ...
               'uminus', 'uplus', 'abs', 'sqrt', 'exp', 'log', 'max', 'min'};
if strcmp (name, 'mtimes')
    varargout{1} = pagemtimes (varargin{:});
elseif any (strcmp (name, {'transpose', 'ctranspose'}))
    x = varargin{1};
    if name(1) == 'c' && iscomplex (x)
        x = conj (x);
    end
    varargout{1} = permute (x, [2 1 3:ndims(x)]);
elseif any (strcmp (name, elementwise))
    varargout{1} = feval (name, varargin{:});
else
    error ('gpumex:gpuArray:notServed', 'pagefun: @%s is not served', name);
end
end
