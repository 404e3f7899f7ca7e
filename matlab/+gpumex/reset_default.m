function reset_default
%RESET_DEFAULT  Drop the library's default context.
%   gpumex.reset_default ends the context that 'Backend', 'auto' computes in;
%   the next call makes a new one, and a GPU that has come or gone since is
%   noticed. Call it after a CUDA error, and after gpuDevice has reset the
%   device. A device that gpumex.device has chosen is forgotten. The arrays of the
%   workspace are not touched, gpumex.arrays included, unless their device was
%   reset.
%
%   The environment is read once, when gpumex is first called: where GPUMEX_BACKEND,
%   GPUMEX_DEVICE, GPUMEX_NUM_THREADS or GPUMEX_LOG has another value since, there is a
%   warning (gpumex:reset_default:settings). gpumex.threads changes the threads.
%
%   Example:
%      gpumex.reset_default
%      gpumex.sort_keys([3 1 2])                       % 1 2 3, in a new context
%
%   See also gpumex.info, gpumex.device.

gpumex_call('reset_default', {}, {}, {});
end
