function varargout = mode(X, varargin)
%MODE  Most frequent elements, on gpuArrays.
%   Octave's mode, whose results get the class of X again: Octave asks class, which is
%   'gpuArray'.

[varargout{1:max(nargout, 1)}] = builtin('mode', X, varargin{:});
varargout{1} = cast(gpuArray(varargout{1}), underlyingType(X));
end
