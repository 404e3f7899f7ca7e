function varargout = gradient(X, varargin)
%GRADIENT  Gradient by differences, on gpuArrays.
%   Octave's gradient, whose results get the class of X again: Octave asks class, which is
%   'gpuArray'.

[varargout{1:max(nargout, 1)}] = builtin('gradient', X, varargin{:});
varargout{1} = gpuArray(varargout{1});
if isgpuarray(X) && isnumeric(X)
    varargout{1} = cast(varargout{1}, underlyingType(X));
end
end
