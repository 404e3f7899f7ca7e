function z = interval_move(y, to, x, from, counts, varargin)
%INTERVAL_MOVE  Copy intervals of one vector into another.
%   Z = gpumex.interval_move(Y, TO, X, FROM, COUNTS) is Y after
%      Y(TO(i) + (0:COUNTS(i) - 1)) = X(FROM(i) + (0:COUNTS(i) - 1))
%   for all i at once. X and Y are vectors of one class: logical, char, an integer class,
%   single or double; TO, FROM and COUNTS are whole numbers of any class and have as
%   many elements. Every interval lies in its vector. Where intervals of Y overlap it
%   gets an element of any of them. The work is shared evenly, however different the
%   counts.
%
%   A gpumex.array as X or Y gives Z as a gpumex.array.
%
%   Z = gpumex.interval_move(..., 'Variant', VARIANT) chooses how it is computed: 'auto'
%   (default), or 'sequential', a plain loop on one core, CPU backend only.
%
%   Z = gpumex.interval_move(..., 'Backend', BACKEND) chooses where: 'auto' (default; the
%   environment variable GPUMEX_BACKEND, else a GPU where there is one, else the
%   CPU), 'cpu', or 'cuda'.
%
%   Example:
%      gpumex.interval_move(zeros(1, 6), [1 5], 11:19, [4 1], [3 2])   % 14 15 16 0 11 12
%
%   Errors: gpumex:interval_move:argumentCount, invalidData, invalidIndices,
%   invalidCounts, mixedClasses, sizeMismatch, invalidOption, invalidVariant,
%   invalidBackend, and the states of the library: noDevice, invalidArgument,
%   unsupported, outOfMemory, cuda, busy, internal.
%
%   See also gpumex.interval_expand, gpumex.scatter.

persistent gateway raise
try
    z = gateway('.interval_move', y, to, x, from, counts, varargin{:});
    return
catch problem
    if isempty(gateway)                         % the first call
        [gateway, raise] = gpumex_gateway('interval_move');
    else                                        % a gpumex.array, or what the way below serves, or refuses
        raise('interval_move', problem);
    end
end
if nargin < 5
    error('gpumex:interval_move:argumentCount', 'gpumex.interval_move: needs two vectors, two lists of first elements and counts');
end
z = gpumex_call('.interval_move', {y, to, x, from, counts}, {}, varargin);   % {'Variant', 'Backend'}
