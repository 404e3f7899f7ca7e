function varargout = merge_keys(A, B, varargin)
%MERGE_KEYS  Two sorted vectors in one.
%   C = gpumex.merge_keys(A, B) merges two vectors that are in ascending order:
%   C is gpumex.sort_keys([A(:); B(:)]), found in one pass. A and B are of one
%   class: logical, char, an integer class, single or double. C is a row where both
%   are, else a column. Of equal elements those of A come first.
%
%   C = gpumex.merge_keys(A, B, 'descend') merges two vectors in descending
%   order. 'ascend' is the default.
%
%   [C, I] = gpumex.merge_keys(A, B) also returns where the elements were: with
%   AB = [A(:); B(:)], C is AB(I). I is double.
%
%   [C, V] = gpumex.merge_keys(A, B, VA, VB) moves values along, one for each
%   element of A and of B. VA and VB are vectors of one class, of those above but
%   char.
%
%   Vectors that are not in order are refused (invalidArgument). NaN is greater
%   than every number, and -0 equals 0.
%
%   With a gpumex.array as A or B, C is a gpumex.array, with one as VA or VB V
%   is; I is an array of the host.
%
%   C = gpumex.merge_keys(..., 'Variant', VARIANT) chooses how it is computed:
%   'auto' (default), or 'sequential', a plain loop on one core, CPU backend
%   only.
%
%   C = gpumex.merge_keys(..., 'Backend', BACKEND) chooses where: 'auto'
%   (default; the environment variable GPUMEX_BACKEND, else a GPU where there is
%   one, else the CPU), 'cpu', or 'cuda'.
%
%   Example:
%      [C, I] = gpumex.merge_keys([1 3 5], [2 3])           % 1 2 3 3 5 and 1 4 2 5 3
%      [C, V] = gpumex.merge_keys([1 3], [2 3], single([10 30]), single([20 31]))   % V is 10 20 30 31
%
%   Errors: gpumex:merge_keys:argumentCount, invalidKeys, invalidValues,
%   mixedClasses, sizeMismatch, invalidDirection, invalidOption, invalidVariant,
%   invalidBackend, and the states of the library: noDevice, invalidArgument,
%   unsupported, outOfMemory, cuda, busy, internal.
%
%   See also gpumex.sort_keys, gpumex.union, gpumex.search, sort.

persistent gateway raise
values = {[], []};
if numel(varargin) > 1 && ~ischar(varargin{1}) && ~isa(varargin{1}, 'string')
    values = varargin(1:2);
    varargin(1:2) = [];
end
try
    if nargout < 2
        varargout = {gateway('.merge_keys', A, B, values{:}, varargin{:})};
    else
        [varargout{1:nargout}] = gateway('.merge_keys', A, B, values{:}, varargin{:});
    end
    return
catch problem
    if isempty(gateway)                         % the first call
        [gateway, raise] = gpumex_gateway('merge_keys');
    else                                        % a gpumex.array, or what the way below serves, or refuses
        raise('merge_keys', problem);
    end
end
if nargin < 2
    error('gpumex:merge_keys:argumentCount', 'gpumex.merge_keys: needs two vectors');
end
[varargout{1:max(nargout, 1)}] = gpumex_call('.merge_keys', [{A, B}, values], {}, varargin); % {'Variant', 'Backend'}
