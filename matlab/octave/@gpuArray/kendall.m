function varargout = kendall(varargin)
%KENDALL  Kendall's rank correlation, on gpuArrays.
%   Octave's kendall, whose results of single arrays are single again: Octave asks
%   class, which is 'gpuArray'.

[varargout{1:max(nargout, 1)}] = builtin('kendall', varargin{:});
varargout{1} = gpuArray(varargout{1});
if any(cellfun(@(x) strcmp(underlyingType(x), 'single'), varargin))
    varargout{1} = single(varargout{1});
end
end
