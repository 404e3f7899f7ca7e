function varargout = iqr(X, varargin)
%IQR  Interquartile range, on gpuArrays.
%   Octave's iqr, whose results of a single X are single again: Octave asks class,
%   which is 'gpuArray'.

[varargout{1:max(nargout, 1)}] = builtin('iqr', X, varargin{:});
varargout{1} = gpuArray(varargout{1});
if strcmp(underlyingType(X), 'single')
    varargout{1} = single(varargout{1});
end
end
