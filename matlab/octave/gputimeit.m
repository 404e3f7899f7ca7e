function t = gputimeit (f, outputs)
%GPUTIMEIT  Time that a function takes on the device.
%   T = gputimeit (F) calls the handle F without arguments several times and
%   returns the median time of a call in seconds, what the device does included.
%   gputimeit (F, N) calls it for N outputs; the default is one, or none where F
%   has none.
%
%   Example:
%      A = gpuArray.rand (1000);
%      t = gputimeit (@() A * A)
%
%   See also gpuDevice, wait, timeit.

if nargin < 2
    outputs = count_outputs (f);
end
device = gpuDevice ();
once = time_of (f, outputs, device, 1);
calls = max (1, min (1000, ceil (2e-3 / max (once, 1e-7))));
times = zeros (1, 7);
for k = 1:numel (times)
    times(k) = time_of (f, outputs, device, calls);
    if sum (times(1:k)) * calls > 5 && k >= 3
        times = times(1:k);
        break
    end
end
t = median (times);
end

function outputs = count_outputs (f)
try
    result = f ();
    outputs = 1;
catch problem
    if isempty (strfind (problem.message, 'value on the right hand side of the assignment not defined'))
        rethrow (problem);
    end
    outputs = 0;
end
end

function t = time_of (f, outputs, device, calls)
wait (device);
start = tic;
for k = 1:calls
    if outputs == 0
        f ();
    else
        [results{1:outputs}] = f ();
    end
    wait (device);
end
t = toc (start) / calls;
end
