function device = info(varargin)
%INFO  Which backend and device gpumex computes on.
%   gpumex.info prints the device and the version of the library, and of a library
%   without CUDA kernels how another one takes its place.
%
%   DEVICE = gpumex.info returns them as a structure; names as in gpuDevice:
%      Backend              'cuda' or 'cpu'
%      Name                 of the GPU or the CPU
%      Ordinal              CUDA's number of the device, -1 on the CPU
%      ComputeCapability    '9.0', say; '' on the CPU
%      MultiprocessorCount  multiprocessors; threads on the CPU
%      ClockRateKHz, MemoryClockRateKHz, MemoryBusWidth (bits),
%      MemoryBandwidth (GB/s), L2CacheSize, MaxShmemPerBlock (bytes),
%      ECC, DriverVersion   0 or false on the CPU and where unknown
%      TotalMemory, AvailableMemory   in bytes
%      Text                 the device in a few lines
%      Version, Build       of the library, and how it was built
%      KernelMs             milliseconds that the last computation took, with
%                           the same 'Backend' in both calls
%
%   DEVICE = gpumex.info('Backend', BACKEND) asks for 'auto' (default; a GPU
%   where there is one, else the CPU), 'cpu', or 'cuda'. Without a usable GPU
%   'cuda' is the error gpumex:info:noDevice, and its message says why.
%
%   Example:
%      device = gpumex.info;
%      fprintf('gpumex computes on the %s: %s\n', device.Backend, device.Name);
%
%   See also gpumex.device, gpumex.reset_default, gpumex.life.

result = gpumex_call('info', {}, {'Backend'}, varargin);
if nargout > 0
    device = result;
else
    fprintf('%s\n%s\n', result.Text, result.Build);
    if ~isempty(strfind(result.Build, 'CPU backend only'))
        fprintf('%s\n', way_to_cuda());
    end
end
end

function line = way_to_cuda()
% In Octave's package there is no build_gpumex.
line = 'For a GPU, take a libgpumex.so with CUDA (a release for your machine, or `make build`): ';
if exist('build_gpumex', 'file')
    line = [line 'build_gpumex(''/its/path/libgpumex.so'')'];
else
    line = [line 'setenv GPUMEX_LIB /its/path/libgpumex.so, then pkg install gpumex again'];
end
end
