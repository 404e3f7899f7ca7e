function count = threads(n, varargin)
%THREADS  How many threads of the CPU compute.
%   gpumex.threads(N) has the calls from here on use N threads of the CPU backend; 0
%   is as many as there are cores. It holds for the context of one backend, and until
%   gpumex.reset_default for that of 'auto'.
%
%   COUNT = gpumex.threads returns how many threads the CPU backend has, and
%   COUNT = gpumex.threads(N) how many it had before.
%
%   gpumex.threads(N, 'Backend', BACKEND) chooses whose: 'auto' (default), 'cpu', or
%   'cuda', whose calls use them where they compute on the host.
%
%   Example:
%      gpumex.threads(1);
%      gpumex.sort_keys(rand(1e6, 1));
%      gpumex.threads(0);
%
%   Errors: gpumex:threads:invalidCount, invalidOption, invalidBackend, and the
%   states of the library: noDevice, invalidArgument, unsupported, busy, internal.
%
%   See also gpumex.info, gpumex.device, maxNumCompThreads.

if nargout > 0 || nargin == 0
    device = gpumex.info(varargin{:});
    count = device.MultiprocessorCount;
end
if nargin > 0
    gpumex_call('.threads', {n}, {}, varargin); % {'Backend'}
end
