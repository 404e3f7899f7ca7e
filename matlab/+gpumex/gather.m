function varargout = gather(x, indices, varargin)
%GATHER  Elements at some indices.
%   Y = gpumex.gather(X, INDICES) is X(INDICES): Y has the class of X and the size of
%   INDICES. X is full and real, of any size: logical, an integer class, single or
%   double. INDICES are whole numbers from 1 to numel(X) of any class.
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

if nargin < 2
    error('gpumex:gather:argumentCount', 'gpumex.gather: needs an array and indices');
end
persistent gateway raise
if isempty(gateway)
    [gateway, raise] = gpumex_gateway('gather');
end
try
    if nargout < 2
        varargout = {gateway('.gather', x, indices, varargin{:})};
    else
        [varargout{1:nargout}] = gateway('.gather', x, indices, varargin{:});
    end
    return
catch problem                                   % a gpumex.array, or what the way below serves, or refuses
    raise('gather', problem);
end
[varargout{1:max(nargout, 1)}] = gpumex_call('.gather', {x, indices}, {}, varargin);   % {'Variant', 'Backend'}
