function varargout = add(X, Y, varargin)
%ADD  Sum of two vectors, the textbook's first kernel.
%   Z = gpumex.add(X, Y) is X + Y for full real arrays with as many elements, both
%   single or both double. Z has the size of Y. Nothing is expanded: gpumex.map and
%   gpumex.array have sizes that broadcast.
%
%   A gpumex.array as X or Y gives Z as a gpumex.array.
%
%   [Z, MS] = gpumex.add(...) also returns how many milliseconds the computation
%   itself took, without the transfers to and from the GPU.
%
%   Z = gpumex.add(..., 'Variant', VARIANT) chooses how it is computed: 'auto'
%   (default); 'on_demand' and 'prefetch', in managed memory, whose pages move when
%   they are touched or before; 'sequential', a plain loop on one core, CPU backend
%   only. On the CPU backend the first three are one.
%
%   Z = gpumex.add(..., 'Backend', BACKEND) chooses where: 'auto' (default; the
%   environment variable GPUMEX_BACKEND, else a GPU where there is one, else the
%   CPU), 'cpu', or 'cuda'.
%
%   Example:
%      gpumex.add([1 2 3], [10 20 30])                 % 11 22 33
%
%   Errors: gpumex:add:argumentCount, invalidData, mixedClasses, sizeMismatch,
%   invalidOption, invalidVariant, invalidBackend, and the states of the
%   library: noDevice, invalidArgument, unsupported, outOfMemory, cuda, busy,
%   internal.
%
%   See also gpumex.dot_product, gpumex.map, plus.

persistent gateway raise
try
    if nargout < 2
        varargout = {gateway('.add', X, Y, varargin{:})};
    else
        [varargout{1:nargout}] = gateway('.add', X, Y, varargin{:});
    end
    return
catch problem
    if isempty(gateway)                         % the first call
        [gateway, raise] = gpumex_gateway('add');
    else                                        % a gpumex.array, or what the way below serves, or refuses
        raise('add', problem);
    end
end
if nargin < 2
    error('gpumex:add:argumentCount', 'gpumex.add: needs two arrays');
end
[varargout{1:max(nargout, 1)}] = gpumex_call('.add', {X, Y}, {}, varargin);   % {'Variant', 'Backend'}
