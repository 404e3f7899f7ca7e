function varargout = var(X, varargin)
%VAR  Variance of vectors, on gpuArrays.
%   Octave's var; along a dimension of one element, where Octave makes zeros, they are
%   on the device, too.

[varargout{1:max(nargout, 1)}] = builtin('var', X, varargin{:});
varargout{1} = gpuArray(varargout{1});
end
