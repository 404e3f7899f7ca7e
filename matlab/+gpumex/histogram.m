function varargout = histogram(data, varargin)
%HISTOGRAM  How many elements fall into each bin.
%   COUNTS = gpumex.histogram(DATA) counts the elements of DATA, a uint8 array
%   of any size or a char array with codes up to 255. COUNTS is 256-by-1 double
%   and exact: COUNTS(v + 1) elements have the value v. A char array is
%   converted to uint8 first, which takes a copy.
%
%   COUNTS = gpumex.histogram(DATA, EDGES) counts into numel(EDGES) - 1 bins, as
%   histcounts does: bin k has EDGES(k) <= x < EDGES(k + 1), and the last one its
%   right edge as well. EDGES is a vector of at least two ascending doubles.
%   COUNTS = gpumex.histogram(DATA, N, [LO HI]) counts into N bins of one width:
%   bin k begins at LO + (k - 1)*((HI - LO)/N), and the last one ends at HI.
%   COUNTS is a column. NaN and what lies outside is not counted. DATA is uint8,
%   uint16, uint32, int32, single or double; int8 and int16 are converted to
%   int32, logical and char to uint8, which takes a copy. int64 and uint64, of
%   which double does not hold all values, are refused.
%
%   COUNTS = gpumex.histogram(..., 'Outliers', 'clamp') counts what lies outside
%   in the first bin or the last one; 'ignore' is the default.
%
%   COUNTS = gpumex.histogram(..., 'Weights', W) adds W(i) where it would count
%   DATA(i): W is double or single and has an element for each of DATA. Sums may
%   differ by rounding from backend to backend.
%
%   COUNTS = gpumex.histogram(..., 'Channels', C) takes DATA(c:C:end) for channel
%   c of 1 to 4, as the rows of a C-by-N matrix are, and gives a column of COUNTS
%   for each; W has an element for each C of DATA.
%
%   COUNTS = gpumex.histogram(..., 'Variant', VARIANT) chooses how it is
%   computed; the counts are the same:
%      'auto'        the best one (default)
%      'sequential'  a plain loop on one core, CPU backend only
%      'global'      a thread for each byte, atomics on counters in global memory
%      'strided'     as 'global', with a grid of fixed size that strides on
%      'shared'      counters of each block in the GPU's shared memory, added up
%   The last three are those of a textbook, for gpumex.histogram(DATA) alone. On
%   the CPU backend they are computed as 'auto' is.
%
%   COUNTS = gpumex.histogram(..., 'Backend', BACKEND) chooses where: 'auto'
%   (default; the environment variable GPUMEX_BACKEND, else a GPU where there
%   is one, else the CPU), 'cpu', or 'cuda'.
%
%   A gpumex.array as DATA, or as W, gives COUNTS as a gpumex.array: of uint64,
%   the library's own counters, which are not converted to double on the device,
%   or of double with weights.
%
%   [COUNTS, MS] = gpumex.histogram(...) also returns how many milliseconds the
%   computation itself took, without the transfers to and from the GPU.
%
%   Examples:
%      counts = gpumex.histogram('to be or not to be');
%      [most, index] = max(counts);
%      fprintf('''%s'' occurs %d times\n', char(index - 1), most);
%
%      bar(gpumex.histogram(randn(1e6, 1), 100, [-4 4]))
%
%   Errors: gpumex:histogram:argumentCount, invalidData, invalidBins,
%   invalidWeights, invalidChannels, invalidOutliers, invalidOption,
%   invalidVariant, invalidBackend, and the states of the library: noDevice, invalidArgument,
%   unsupported, outOfMemory, cuda, busy, internal.
%
%   See also histcounts, histc, accumarray, gpumex.info.

persistent gateway raise
try                                             % MS is fetched when it is asked for: it waits for the device
    if nargout < 2
        varargout = {gateway('.histogram', data, varargin{:})};
    else
        [varargout{1:nargout}] = gateway('.histogram', data, varargin{:});
    end
catch problem
    if isempty(gateway)                         % the first call
        [gateway, raise] = gpumex_gateway('histogram');
    else                                        % a gpumex.array, or what the way below serves, or refuses
        raise('histogram', problem);
    end
    if nargin < 1
        error('gpumex:histogram:argumentCount', 'gpumex.histogram: needs data');
    end
    [bins, options] = take_bins(varargin);
    inputs = [{as_samples(data, ~isempty(bins))}, bins];
    [varargout{1:max(nargout, 1)}] = gpumex_call('.histogram', inputs, {}, options); % {'Weights', 'Channels', 'Outliers', 'Variant', 'Backend'}
end
if isa(varargout{1}, 'gpuArray')
    varargout{1} = double(varargout{1});
end
end

function [bins, options] = take_bins(options)
% Edges, or a number of bins and their limits, as doubles, where they are given, and what is behind them.
bins = {};
if isempty(options) || ~isnumeric(options{1})
    return
end
if ~isscalar(options{1})
    bins = {as_edges(options{1})};
    options(1) = [];
    return
end
if numel(options) < 2 || ~isnumeric(options{2}) || ~isreal(options{2}) || numel(options{2}) ~= 2
    error('gpumex:histogram:invalidBins', ...
        'gpumex.histogram: behind a number of bins come their limits, [lo hi]; edges are two or more');
end
bins = {options{1}, full(double(options{2}))};
options(1:2) = [];
end

function edges = as_edges(edges)
if ~isreal(edges) || ~isvector(edges) % their order the gateway checks
    error('gpumex:histogram:invalidBins', ...
        'gpumex.histogram: edges are a vector of two or more real numbers that ascend');
end
edges = full(double(edges));
end

function data = as_samples(data, has_bins)
% Small numbers as those of a class that is counted; the gateway refuses the rest.
if has_bins && ~issparse(data) && islogical(data)
    data = uint8(data);
elseif has_bins && (isa(data, 'int8') || isa(data, 'int16'))
    data = int32(data);
end
end
