function varargout = std(X, varargin)
%STD  Standard deviation of vectors, on gpuArrays.
%   Octave's std; along a dimension of one element, where Octave makes zeros, they are
%   on the device, too.

[varargout{1:max(nargout, 1)}] = builtin('std', X, varargin{:});
varargout{1} = gpuArray(varargout{1});
end
