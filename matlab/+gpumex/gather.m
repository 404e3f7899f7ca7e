function y = gather(x, indices, varargin)
%GATHER  Elements at some indices.
%   Y = gpumex.gather(X, INDICES) is X(INDICES): Y has the class of X and the size of
%   INDICES; where both are vectors it lies as X does. X is full and real, of any
%   size: logical, char, an integer class, single or double. INDICES are whole numbers from 1 to numel(X) of any class.
%
%   A gpumex.array as X gives Y as a gpumex.array.
%
%   Y = gpumex.gather(..., 'Variant', VARIANT) chooses how it is computed: 'auto'
%   (default), or 'sequential', a plain loop on one core, CPU backend only.
%
%   Y = gpumex.gather(..., 'Backend', BACKEND) chooses where: 'auto' (default; the
%   environment variable GPUMEX_BACKEND, else a GPU where there is one, else the
%   CPU), 'cpu', or 'cuda'.
%
%   Example:
%      gpumex.gather([10 20 30], [3 1 1])               % 30 10 10
%
%   Errors: gpumex:gather:argumentCount, invalidData, invalidIndices,
%   invalidOption, invalidVariant, invalidBackend, and the states of the
%   library: noDevice, invalidArgument, unsupported, outOfMemory, cuda, busy,
%   internal.
%
%   See also gpumex.scatter, gpumex.compact, gpumex.array, sub2ind.

persistent gateway raise
try
    y = gateway('.gather', x, indices, varargin{:});
    return
catch problem
    if isempty(gateway)                         % the first call
        [gateway, raise] = gpumex_gateway('gather');
    else                                        % a gpumex.array, or what the way below serves, or refuses
        raise('gather', problem);
    end
end
if nargin < 2
    error('gpumex:gather:argumentCount', 'gpumex.gather: needs an array and indices');
end
y = gpumex_call('.gather', {x, indices}, {}, varargin);   % {'Variant', 'Backend'}
