function z = scatter(y, indices, x, varargin)
%SCATTER  Assign to elements at some indices.
%   Z = gpumex.scatter(Y, INDICES, X) is Y after Y(INDICES) = X. Y and X are full and
%   real and of one class: logical, char, an integer class, single or double; X has an
%   element for each of INDICES, which are whole numbers from 1 to numel(Y) of any
%   class. Where one of them occurs twice, one of its elements is taken: on the CPU
%   with 'sequential' the last one, else any.
%
%   A gpumex.array as X or Y gives Z as a gpumex.array.
%
%   Z = gpumex.scatter(..., 'Variant', VARIANT) chooses how it is computed: 'auto'
%   (default), or 'sequential', a plain loop on one core, CPU backend only.
%
%   Z = gpumex.scatter(..., 'Backend', BACKEND) chooses where: 'auto' (default; the
%   environment variable GPUMEX_BACKEND, else a GPU where there is one, else the
%   CPU), 'cpu', or 'cuda'.
%
%   Example:
%      gpumex.scatter([1 2 3], [3 1], [30 10])          % 10 2 30
%
%   Errors: gpumex:scatter:argumentCount, invalidData, invalidIndices,
%   mixedClasses, sizeMismatch, invalidOption, invalidVariant, invalidBackend,
%   and the states of the library: noDevice, invalidArgument, unsupported,
%   outOfMemory, cuda, busy, internal.
%
%   See also gpumex.gather, gpumex.bulk_insert, accumarray.

persistent gateway raise
try
    z = gateway('.scatter', y, indices, x, varargin{:});
    return
catch problem
    if isempty(gateway)                         % the first call
        [gateway, raise] = gpumex_gateway('scatter');
    else                                        % a gpumex.array, or what the way below serves, or refuses
        raise('scatter', problem);
    end
end
if nargin < 3
    error('gpumex:scatter:argumentCount', 'gpumex.scatter: needs an array, indices and elements');
end
z = gpumex_call('.scatter', {y, indices, x}, {}, varargin);   % {'Variant', 'Backend'}
