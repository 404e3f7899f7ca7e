function varargout = empirical_cdf(varargin)
%EMPIRICAL_CDF  Distribution function of a sample, on gpuArrays.
%   Octave's empirical_cdf, whose results of single arrays are single again: Octave asks
%   class, which is 'gpuArray'.

[varargout{1:max(nargout, 1)}] = builtin('empirical_cdf', varargin{:});
varargout{1} = gpuArray(varargout{1});
if any(cellfun(@(x) strcmp(underlyingType(x), 'single'), varargin))
    varargout{1} = single(varargout{1});
end
end
