function stats = allocator(varargin)
%ALLOCATOR  How gpumex keeps memory for the next call, and how much.
%   STATS = gpumex.allocator returns what the allocator of the context holds and
%   did; without an output it is printed:
%      Allocator            'caching', 'simple', 'pool' or 'custom'
%      Allocated, Cached    bytes in use and bytes kept idle
%      Capacity             bytes in use and idle together stay below it, as far
%                           as freeing idle blocks can keep it
%      Largest              bytes of the largest block that is kept
%      Peak                 the most that Allocated has been
%      AllocatedBlocks, CachedBlocks      the blocks in use and idle
%      Hits, Misses         allocations that an idle block served, and others
%      Evictions            idle blocks that were given back
%
%   gpumex.allocator('trim') gives everything idle back to the system.
%
%   gpumex.allocator(NAME) changes the allocator, when no gpumex.array is held:
%      'caching'     blocks are kept and used again (default)
%      'simple'      straight from the driver and back
%      'pool'        the stream-ordered pool of the CUDA driver, GPU only
%
%   gpumex.allocator(..., 'Capacity', BYTES, 'Largest', BYTES) changes these two;
%   one that is left out stays as it is. 0 keeps nothing idle.
%
%   gpumex.allocator(..., 'Backend', BACKEND) chooses the context: that of 'auto'
%   (default), 'cpu', or 'cuda', which are three. STATS are those after the change.
%
%   Example:
%      A = gpumex.array(zeros(1000));
%      clear A
%      stats = gpumex.allocator;            % stats.Cached is 8 MB and a little
%      gpumex.allocator('trim');
%
%   Errors: gpumex:allocator:invalidAction, invalidCapacity, invalidLargest,
%   invalidOption, invalidBackend, busy (arrays are held), unsupported ('pool' on
%   the CPU), and the states of the library: noDevice, outOfMemory, cuda, internal.
%
%   See also gpumex.array, gpumex.device, gpumex.info.

action = 'stats';
options = varargin;
if mod(nargin, 2) == 1
    action = varargin{1};
    options = varargin(2:end);
end
if ischar(action)
    action = lower(action);
end
now = gpumex_call('allocator', {action}, {'Capacity', 'Largest', 'Backend'}, options);
if nargout > 0
    stats = now;
elseif isempty(options) && strcmp(action, 'stats') || nargin == 2 && strcmpi(options{1}, 'Backend')
    disp(now);                                  % nothing was changed, so that somebody wants to see
end
end
