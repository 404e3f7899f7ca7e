function bench_gpuarray (largest)
%BENCH_GPUARRAY  What operations on gpuArrays cost, beside Octave's own arrays.
%   bench_gpuarray prints the time of an operator on numbers, of chains of
%   element-wise operators, and of a generation of Life as array code writes it,
%   on the device that gpuDevice has. Each time is the best of several.
%
%   bench_gpuarray (LARGEST) has boards up to LARGEST x LARGEST; the default is
%   8192 on a GPU and 1000 on the CPU.
%
%   Example:
%      bench_gpuarray (1000)
%
%   See also gputimeit, gpuDevice, bench_life.

device = gpuDevice ();
is_gpu = strcmp (device.Backend, 'cuda');
if nargin < 1
    largest = 1000 + 7192 * is_gpu;
end
printf ('%s, Octave %s, %s\n', device.Name, version (), datestr (now (), 'yyyy-mm-dd'));
x = gpuArray (3); h = 3;
report ('one operator, 1x1', best (@() repeat (x, 10000)) / 10000, best (@() repeat (h, 10000)) / 10000);
sizes = [1e4 1e6 1e7];
if is_gpu
    sizes(end + 1) = 1e8;
end
for n = sizes
    a = rand (1, n, 'single'); b = rand (1, n, 'single'); c = rand (1, n, 'single');
    name = sprintf ('a.*b + c.*2 - a./(b + 1), %g', n);
    compare (@chain, name, 'single', a, b, c);
    if n <= 1e7
        compare (@chain, name, 'double', double (a), double (b), double (c));
    end
end
for n = unique (min ([500 1000 4096 8192], largest))
    compare (@(X) updateGrid (X, n), sprintf ('updateGrid %d x %d', n, n), 'logical', rand (n) > 0.75);
end
end

function compare (f, name, type, varargin)
on_device = cellfun (@gpuArray, varargin, 'UniformOutput', false);
report ([name ', ' type], best (@() f (on_device{:})), best (@() f (varargin{:})));
end

function report (name, device, host)
printf ('%-44s %10.2f us, Octave''s arrays %12.2f us, %6.2f x\n', name, device * 1e6, host * 1e6, host / device);
end

function t = best (f)
device = gpuDevice ();
t = Inf;
begin = tic;
for k = 1:20
    wait (device);
    start = tic;
    y = f ();
    wait (device);
    t = min (t, toc (start));
    clear y
    if toc (begin) > 5 && k >= 3
        break
    end
end
end

function y = repeat (x, count)
for k = 1:count
    y = x + 1;
end
end

function y = chain (a, b, c)
y = a .* b + c .* 2 - a ./ (b + 1);
end

function X = updateGrid (X, N)
p = [1 1:N-1];
q = [2:N N];
neighbors = X(:,p) + X(:,q) + X(p,:) + X(q,:) + X(p,p) + X(q,q) + X(p,q) + X(q,p);
X = (X & (neighbors == 2)) | (neighbors == 3);
end
