function gpurng(seed, generator)
%GPURNG  Where the random numbers of gpuArrays begin.
%   gpurng(SEED) is gpuArray.rng(SEED) for a whole number SEED; gpurng('default')
%   begins as a session does, gpurng('shuffle') by the clock. There is one generator,
%   and another one than MATLAB's: the name of one is refused.
%
%   Example:
%      gpurng(7);
%      x = gpuArray.rand(1, 3);
%
%   See also gpuArray.

if nargin > 1
    error('gpumex:gpuArray:notServed', 'gpurng: there is one generator, ''%s'' is not served', generator);
elseif nargin < 1 || (ischar(seed) && ~any(strcmp(seed, {'default', 'shuffle'})))
    error('gpumex:gpuArray:notServed', 'gpurng: takes a seed, ''default'' or ''shuffle''; states are not served');
elseif ischar(seed) && strcmp(seed, 'shuffle')
    seed = mod(floor(now() * 8.64e10), 2^32);
elseif ischar(seed)
    seed = 0;
end
gpuArray.rng(seed);
end
