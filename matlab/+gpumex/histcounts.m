function varargout = histcounts(X, varargin)
%HISTCOUNTS  Histogram counts, with bins that suit the data.
%   [N, EDGES] = gpumex.histcounts(X) counts how many elements of X fall into each
%   of some bins of one width, which cover all finite ones. X is full and real, of
%   any size: logical, an integer class, single or double. N and EDGES are rows of
%   doubles: N(k) elements have EDGES(k) <= x < EDGES(k + 1), in the last bin <=.
%   NaN is in no bin.
%
%   [N, EDGES] = gpumex.histcounts(X, NBINS) takes NBINS bins, and
%   gpumex.histcounts(X, EDGES) the edges as they are: two or more, which ascend.
%
%   [N, EDGES, BIN] = gpumex.histcounts(...) also returns in which bin each element
%   is, 0 for none. BIN is double and has the size of X.
%
%   [...] = gpumex.histcounts(..., NAME, VALUE, ...) chooses the bins:
%      'NumBins'     how many
%      'BinWidth'    how wide; edges are multiples of it, with limits from the
%                    first limit on, and the last bin may be narrower then
%      'BinLimits'   [LO HI]: the first edge and the last one; what lies outside is
%                    not counted
%      'BinEdges'    the edges
%      'BinMethod'   the width without these three, n elements of deviation s:
%         'auto'       'integers' where X are whole numbers over 50 at most, else
%                      'scott' (default)
%         'scott'      3.5*s/n^(1/3)
%         'fd'         2*iqr(X)/n^(1/3), Freedman and Diaconis
%         'integers'   1, edges between the integers; wider, a power of ten, where
%                      these were more than 65536 bins
%         'sturges'    that of ceil(1 + log2(n)) bins
%         'sqrt'       that of ceil(sqrt(n)) bins
%   Widths are rounded to the nearest of 1, 2, 3 and 5 times a power of ten, and
%   edges are multiples of them, or with 'BinLimits' evenly spaced between these.
%
%   N = gpumex.histcounts(..., 'Normalization', WHAT) with counts c, widths w and
%   numel(X) = n: 'count' is c (default), 'probability' c/n, 'countdensity' c./w,
%   'pdf' c./(n*w), 'cumcount' cumsum(c), 'cdf' cumsum(c/n).
%
%   [...] = gpumex.histcounts(..., 'Backend', BACKEND) chooses where it is counted:
%   'auto' (default; the environment variable GPUMEX_BACKEND, else a GPU where
%   there is one, else the CPU), 'cpu', or 'cuda'. A gpumex.array as X is counted on
%   its device where the bins are given by edges, and else gathered; N, EDGES and
%   BIN are arrays of the host.
%
%   int64 and uint64 are converted to double. The limits of the bins that MATLAB
%   chooses are not documented; they may differ where these rules leave it open.
%
%   Example:
%      [N, edges] = gpumex.histcounts([1 2 2 3 5])            % 1 2 1 0 1, 0.5 to 5.5
%      N = gpumex.histcounts([0.1 0.4 0.9], [0 0.5 1])        % 2 1
%
%   Errors: gpumex:histcounts:argumentCount, invalidData, invalidBins,
%   invalidNormalization, invalidOption, invalidBackend, and the states of the
%   library: noDevice, invalidArgument, unsupported, outOfMemory, cuda, busy,
%   internal.
%
%   See also gpumex.histogram, gpumex.unique, gpumex.search, histcounts, histc.

persistent gateway raise
try
    if nargout < 2
        varargout = {gateway('.histcounts', X, varargin{:})};
    else
        [varargout{1:nargout}] = gateway('.histcounts', X, varargin{:});
    end
    return
catch problem
    if isempty(gateway)                         % the first call
        [gateway, raise] = gpumex_gateway('histcounts');
    else                                        % a gpumex.array, or what is refused
        raise('histcounts', problem);
    end
end
if nargin < 1
    error('gpumex:histcounts:argumentCount', 'gpumex.histcounts: needs data');
end
if (isa(X, 'gpumex.array') || isa(X, 'gpuArray')) && (nargout > 2 || ~has_edges(varargin))
    X = gather(X);
end
% {'NumBins', 'BinWidth', 'BinLimits', 'BinEdges', 'BinMethod', 'Normalization', 'Backend'}
[varargout{1:max(nargout, 1)}] = gpumex_call('.histcounts', {X}, {}, varargin);
end

function tf = has_edges(options)
is_text = cellfun(@(x) ischar(x) || isa(x, 'string'), options);
tf = (~isempty(options) && isnumeric(options{1}) && numel(options{1}) > 1) || ...
    any(cellfun(@(x) strcmpi(char(x), 'BinEdges'), options(is_text)));
end
