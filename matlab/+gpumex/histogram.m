function varargout = histogram(data, varargin)
%HISTOGRAM  How often each byte occurs.
%   COUNTS = gpumex.histogram(DATA) counts the elements of DATA, a uint8 array
%   of any size or a char array with codes up to 255. COUNTS is 256-by-1 double
%   and exact: COUNTS(v + 1) elements have the value v. A char array is
%   converted to uint8 first, which takes a copy.
%
%   COUNTS = gpumex.histogram(..., 'Variant', VARIANT) chooses how it is
%   computed; the counts are the same:
%      'auto'        the best one (default)
%      'sequential'  a plain loop on one core, CPU backend only
%      'global'      a thread for each byte, atomics on counters in global memory
%      'strided'     as 'global', with a grid of fixed size that strides on
%      'shared'      counters of each block in the GPU's shared memory, added up
%   On the CPU backend the last three are computed as 'auto' is.
%
%   COUNTS = gpumex.histogram(..., 'Backend', BACKEND) chooses where: 'auto'
%   (default; the environment variable GPUMEX_BACKEND, else a GPU where there
%   is one, else the CPU), 'cpu', or 'cuda'.
%
%   A gpumex.array as DATA, uint8, gives COUNTS as a gpumex.array of uint64, the
%   library's own counters; they are not converted to double on the device.
%
%   [COUNTS, MS] = gpumex.histogram(...) also returns how many milliseconds the
%   computation itself took, without the transfers to and from the GPU.
%
%   Example:
%      counts = gpumex.histogram('to be or not to be');
%      [most, index] = max(counts);
%      fprintf('''%s'' occurs %d times\n', char(index - 1), most);
%
%   Errors: gpumex:histogram:argumentCount, invalidData, invalidOption,
%   invalidVariant, invalidBackend, and the states of the library: noDevice, invalidArgument,
%   unsupported, outOfMemory, cuda, busy, internal.
%
%   See also histc, accumarray, gpumex.info.

if nargin < 1
    error('gpumex:histogram:argumentCount', 'gpumex.histogram: needs data');
end
% MS is fetched when it is asked for: it waits for the device.
[varargout{1:max(nargout, 1)}] = gpumex_call('histogram', {as_bytes(data)}, {'Variant', 'Backend'}, varargin);
if isa(varargout{1}, 'gpuArray')
    varargout{1} = double(varargout{1});
end
end

function data = as_bytes(data)
% Characters as bytes; the gateway refuses what is neither.
if ischar(data)
    if any(data(:) > 255)
        error('gpumex:histogram:invalidData', ...
            'gpumex.histogram: data holds the character code %d; codes go up to 255', max(double(data(:))));
    end
    data = uint8(data);
end
end
