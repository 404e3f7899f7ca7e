function B = medfilt2(A, varargin)
%MEDFILT2  Median of the elements around each element.
%   B = gpumex.medfilt2(A) is A with each element replaced by the median of the 3-by-3
%   elements around it. A is a full real matrix: logical, an integer class, single or
%   double; B has its class and size.
%
%   B = gpumex.medfilt2(A, [M N]) takes M-by-N elements, up to 31 of each; of an even
%   number there is one more below and on the right, and the median is the mean of the
%   two in the middle.
%
%   B = gpumex.medfilt2(..., PADDING): outside A are 'zeros' (default); with 'symmetric'
%   its mirror image; with 'indexed' ones where A is double, else zeros.
%
%   A gpumex.array as A gives B as a gpumex.array.
%
%   B = gpumex.medfilt2(..., 'Variant', VARIANT) chooses how it is computed: 'auto'
%   (default), or 'sequential', a plain loop on one core, CPU backend only.
%
%   B = gpumex.medfilt2(..., 'Backend', BACKEND) chooses where: 'auto' (default; the
%   environment variable GPUMEX_BACKEND, else a GPU where there is one, else the
%   CPU), 'cpu', or 'cuda'.
%
%   Example:
%      gpumex.medfilt2([1 1 1; 1 9 1; 1 1 1], [3 3], 'symmetric')   % ones(3)
%
%   Errors: gpumex:medfilt2:argumentCount, invalidData, invalidWindow,
%   invalidPadding, invalidOption, invalidVariant, invalidBackend, and the
%   states of the library: noDevice, invalidArgument, unsupported, outOfMemory,
%   cuda, busy, internal.
%
%   See also gpumex.convolve, medfilt2, median.

persistent gateway raise
window = [3 3];
if ~isempty(varargin) && isnumeric(varargin{1})
    window = double(varargin{1});
    varargin(1) = [];
end
try
    B = gateway('.medfilt2', A, window, varargin{:});
    return
catch problem
    if isempty(gateway)                         % the first call
        [gateway, raise] = gpumex_gateway('medfilt2');
    else                                        % a gpumex.array, or what the way below serves, or refuses
        raise('medfilt2', problem);
    end
end
if nargin < 1
    error('gpumex:medfilt2:argumentCount', 'gpumex.medfilt2: needs a matrix');
end
B = gpumex_call('.medfilt2', {A, window}, {}, varargin);   % {'Variant', 'Backend'}
