function [N, edges, bin] = histcounts(X, varargin)
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

if nargin < 1
    error('gpumex:histcounts:argumentCount', 'gpumex.histcounts: needs data');
end
how = read_options(varargin);
samples = as_samples(X, nargout > 2 || isempty(how.BinEdges));
edges = edges_for(samples, how);
counts = gpumex_call('histcounts', {as_counted(samples), edges, [], [], 'auto', 'auto', 'auto', 'auto', how.Backend}, {}, {});
if isa(counts, 'gpumex.array') || isa(counts, 'gpuArray')
    counts = gather(counts);
end
N = normalised(reshape(double(counts), 1, []), edges, numel(samples), how.Normalization);
if nargout > 2
    bin = gpumex_call('bin_numbers', {samples, edges}, {}, {});
end
end

function how = read_options(options)
names = {'NumBins', 'BinWidth', 'BinLimits', 'BinEdges', 'BinMethod', 'Normalization', 'Backend'};
values = cell(1, numel(names));
values(5:7) = {'auto', 'count', 'auto'};
how = cell2struct(values, names, 2);
if ~isempty(options) && isnumeric(options{1})
    how.(names{1 + 3 * (numel(options{1}) ~= 1)}) = options{1};
    options(1) = [];
end
for k = 1:2:numel(options)
    word = as_char(options{k});
    at = find(strcmpi(word, names));
    if ~ischar(word) || isempty(at)
        error('gpumex:histcounts:invalidOption', 'gpumex.histcounts: ''%s'' is not an option; the options are %s', ...
            as_shown(word), strjoin(names, ', '));
    elseif k == numel(options)
        error('gpumex:histcounts:invalidOption', 'gpumex.histcounts: %s has no value; an option is a name and a value', names{at});
    end
    how.(names{at}) = as_char(options{k + 1});
end
check(how);
end

function check(how)
must(isempty(how.NumBins) || is_number(how.NumBins) && how.NumBins >= 1 && how.NumBins == fix(how.NumBins), ...
    'NumBins is a whole number from 1');
must(isempty(how.BinWidth) || is_number(how.BinWidth) && how.BinWidth > 0, 'BinWidth is a finite number greater than 0');
limits = how.BinLimits;
must(isempty(limits) || isnumeric(limits) && isreal(limits) && numel(limits) == 2 && all(isfinite(limits(:))) && limits(1) <= limits(2), ...
    'BinLimits are [LO HI], two finite numbers that ascend');
edges = how.BinEdges;
must(isempty(edges) || (isnumeric(edges) || islogical(edges)) && isreal(edges) && isvector(edges) && numel(edges) > 1 && ...
    all(diff(double(edges(:))) >= 0), 'edges are a vector of two or more real numbers that ascend');
must(isempty(how.NumBins) || isempty(how.BinWidth), 'NumBins and BinWidth contradict each other');
must(isempty(edges) || isempty(how.NumBins) && isempty(how.BinWidth) && isempty(limits), 'BinEdges say all there is to say of the bins');
words = {'auto', 'scott', 'fd', 'integers', 'sturges', 'sqrt'};
must(ischar(how.BinMethod) && any(strcmpi(how.BinMethod, words)), ['BinMethod is one of ' strjoin(words, ', ')]);
words = {'count', 'probability', 'countdensity', 'pdf', 'cumcount', 'cdf'};
if ~ischar(how.Normalization) || ~any(strcmpi(how.Normalization, words))
    error('gpumex:histcounts:invalidNormalization', 'gpumex.histcounts: Normalization is one of %s', strjoin(words, ', '));
end
end

function must(good, rule)
if ~good
    error('gpumex:histcounts:invalidBins', 'gpumex.histcounts: %s', rule);
end
end

function tf = is_number(x)
tf = isnumeric(x) && isreal(x) && isscalar(x) && isfinite(x);
end

function x = as_char(x)
if isa(x, 'string') && isscalar(x)
    x = char(x);
end
end

function text = as_shown(x)
text = class(x);
if ischar(x)
    text = x;
end
end

function X = as_samples(X, is_of_host)
if is_of_host && (isa(X, 'gpumex.array') || isa(X, 'gpuArray'))
    X = gather(X);
end
is_good = isa(X, 'gpumex.array') || ((isnumeric(X) || islogical(X)) && isreal(X) && ~issparse(X));
if ~is_good
    error('gpumex:histcounts:invalidData', 'gpumex.histcounts: X is a %s; it is full and real: logical or numeric', class(X));
end
end

function X = as_counted(X)
% Of a class that the library counts.
if isa(X, 'gpumex.array')
    return
elseif islogical(X)
    X = uint8(X);
elseif isa(X, 'int8') || isa(X, 'int16')
    X = int32(X);
elseif isa(X, 'int64') || isa(X, 'uint64')
    X = double(X);
end
end

% ------------------------------------------------------------------------------------------------------- the bins

function edges = edges_for(X, how)
if ~isempty(how.BinEdges)
    edges = reshape(full(double(how.BinEdges)), 1, []);
    return
end
limits = double(how.BinLimits);
has_limits = ~isempty(limits);
if has_limits && ~(isempty(how.NumBins) && isempty(how.BinWidth))
    of = struct('least', limits(1), 'greatest', limits(2), 'count', 1);
elseif has_limits
    of = summary_of(X(X >= limits(1) & X <= limits(2)));
    [of.least, of.greatest] = deal(limits(1), limits(2));
else
    of = summary_of(X);
end
if of.count == 0 && ~has_limits
    edges = without_samples(how);
    return
end
range = of.greatest - of.least;
if ~isempty(how.BinWidth)
    edges = of_width(of, double(how.BinWidth), has_limits);
elseif has_limits
    n = double(how.NumBins);
    if isempty(n)
        n = max(1, ceil(range / width_of(X, of, how.BinMethod)));
    end
    edges = evenly(limits, n);
elseif ~isempty(how.NumBins)
    edges = of_number(of, double(how.NumBins));
elseif is_by_integers(of, how.BinMethod)
    width = 1;
    if range > 65536
        width = 10 ^ ceil(log10(range / 65536));
    end
    first = width * floor(of.least / width) - width / 2;
    edges = first + width * (0:max(1, ceil((of.greatest - first) / width)));
else
    edges = of_width(of, nice(width_of(X, of, how.BinMethod), of), false);
end
end

function edges = without_samples(how)
n = 1;
if ~isempty(how.NumBins)
    n = double(how.NumBins);
end
width = 1;
if ~isempty(how.BinWidth)
    width = double(how.BinWidth);
end
edges = width * (0:n);
end

function of = summary_of(X)
row = gpumex_call('sample_summary', {X}, {}, {});
of = struct('least', row(1), 'greatest', row(2), 'deviation', row(3), 'count', row(4), 'are_whole', row(5) == 1);
end

function tf = is_by_integers(of, method)
is_small = of.are_whole && of.greatest - of.least <= 50 && max(abs([of.least, of.greatest])) <= flintmax / 2;
tf = strcmpi(method, 'integers') || (strcmpi(method, 'auto') && is_small);
end

function width = width_of(X, of, method)
range = of.greatest - of.least;
switch lower(method)
case 'fd'
    width = 2 * quartile_distance(X) / of.count ^ (1/3);
case 'integers'
    width = 1;
case 'sturges'
    width = range / ceil(1 + log2(max(of.count, 1)));
case 'sqrt'
    width = range / ceil(sqrt(max(of.count, 1)));
otherwise
    width = 3.5 * of.deviation / max(of.count, 1) ^ (1/3);
    if is_by_integers(of, method)
        width = 1;
    end
end
if ~(width > 0)
    width = max(range, 1);
end
end

function distance = quartile_distance(X)
% Between the quartiles, each interpolated between the elements k - 1/2 of the sorted ones.
sorted = double(gpumex.sort_keys(reshape(X(isfinite(X)), [], 1)));
n = numel(sorted);
at = min(max([0.25 0.75] * n + 0.5, 1), n);
values = sorted(floor(at)) + (at.' - floor(at.')) .* (sorted(ceil(at)) - sorted(floor(at)));
distance = values(2) - values(1);
end

function width = nice(width, of)
% The nearest of 1, 2, 3, 5 and 10 times a power of ten; not less than what tells the elements apart.
width = max(width, eps(max(abs([of.least, of.greatest]))));
power = 10 ^ floor(log10(width));
digits = [1 2 3 5 10];
[~, at] = min(abs(width / power - digits));
width = digits(at) * power;
end

function edges = of_width(of, width, has_limits)
if has_limits
    edges = of.least + width * (0:floor((of.greatest - of.least) / width));
    if edges(end) < of.greatest || numel(edges) < 2
        edges(end + 1) = of.greatest;
    end
    return
end
if of.greatest == of.least && width >= 1 && of.least ~= fix(of.least)
    edges = of.least + [-0.5 0.5];
    return
end
first = min(width * floor(of.least / width), of.least);
n = max(1, ceil((of.greatest - first) / width));
edges = first + width * (0:n);
edges(end) = max(edges(end), of.greatest);
end

function edges = of_number(of, n)
% N bins of a round width, the first one from a multiple of a round number on.
range = of.greatest - of.least;
if ~(range > 0)
    edges = evenly(of.least + [-0.5 0.5], n);
    return
end
width = range / n;
power = 10 ^ floor(log10(width));
width = power * floor(width / power);
first = min(width * floor(of.least / width), of.least);
if n > 1
    least = (of.greatest - first) / n;
    power = 10 ^ floor(log10((of.greatest - first) / (n - 1) - least));
    width = power * ceil(least / power);
end
edges = [first + width * (0:n - 1), max(first + n * width, of.greatest)];
end

function edges = evenly(limits, n)
edges = [limits(1) + (0:n - 1) * ((limits(2) - limits(1)) / n), limits(2)];
end

function N = normalised(N, edges, count, what)
switch lower(what)
case 'probability'
    N = N / count;
case 'countdensity'
    N = N ./ diff(edges);
case 'pdf'
    N = N / count ./ diff(edges);
case 'cumcount'
    N = cumsum(N);
case 'cdf'
    N = cumsum(N / count);
end
end
