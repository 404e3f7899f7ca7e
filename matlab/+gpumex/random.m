function X = random(extents, varargin)
%RANDOM  Random numbers that every backend makes alike.
%   X = gpumex.random([M N P ...]) is an array of that size of uniform random numbers,
%   at least 0 and less than 1; gpumex.random(N) is N-by-N. The numbers depend on the
%   seed and the place in X alone: each call gives the same, on a GPU too.
%
%   X = gpumex.random(..., 'Seed', SEED) gives others for each whole number SEED; 0 is
%   the default.
%
%   X = gpumex.random(SIZE, DISTRIBUTION): 'uniform' (default); 'normal', of mean 0 and
%   standard deviation 1; 'sorted', uniform and ascending.
%
%   X = gpumex.random(..., 'Limits', [LO HI]): at least LO and less than HI, of an integer
%   class HI too; with 'normal' [MEAN DEVIATION].
%
%   X = gpumex.random(..., 'Class', CLASS) has another class than double: logical, single,
%   or an integer class; with 'normal' single.
%
%   X = gpumex.random(..., 'Place', 'device') is a gpumex.array; 'host' is the default.
%
%   X = gpumex.random(..., 'Backend', BACKEND) chooses where: 'auto' (default; the
%   environment variable GPUMEX_BACKEND, else a GPU where there is one, else the
%   CPU), 'cpu', or 'cuda'.
%
%   Example:
%      dice = gpumex.random([1 10], 'Limits', [1 6], 'Class', 'uint8', 'Seed', 7);
%
%   Errors: gpumex:random:argumentCount, invalidSize, invalidDistribution,
%   invalidLimits, invalidSeed, invalidClass, invalidPlace, invalidOption,
%   invalidBackend, and the states of the library: noDevice, invalidArgument,
%   unsupported, outOfMemory, cuda, busy, internal.
%
%   See also gpumex.fill, rand, randn, randi.

persistent gateway raise
try
    X = gateway('.random', extents, varargin{:});
catch problem
    if isempty(gateway)                         % the first call
        [gateway, raise] = gpumex_gateway('random');
    else                                        % what the way below serves, or refuses
        raise('random', problem);
    end
    if nargin < 1
        error('gpumex:random:argumentCount', 'gpumex.random: needs a size');
    end
    if isscalar(extents)
        extents = [extents extents];
    end
    X = gpumex_call('.random', {double(extents)}, {}, varargin);   % {'Limits', 'Seed', 'Class', 'Place', 'Backend'}
end
if isstruct(X)
    X = gpumex.array(X);
end
