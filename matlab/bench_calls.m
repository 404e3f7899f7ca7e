function bench_calls(rows, count, cells)
%BENCH_CALLS  What calls on arrays of the host cost from M code, beside the same functions called from C.
%   bench_calls prints a table for the product of two 4096-by-4096 matrices of
%   class single, for 10^7 doubles sorted, and for 100 generations of Life on
%   500-by-500 cells: the median times of the C function into new memory, of the
%   function of gpumex and of the built-in one, the three in turn in one process,
%   and the factor that gpumex takes over the C function.
%
%   bench_calls(ROWS, COUNT, CELLS) takes matrices of ROWS rows, COUNT doubles and
%   a board of CELLS rows.
%
%   Example:
%      bench_calls(64, 1000, 20)
%
%   See also bench_functions, bench_life, gpumex.info.

if nargin < 3
    [rows, count, cells] = deal(4096, 1e7, 500);
end
restore = keep_random(); %#ok<NASGU> until the function ends
device = gpumex.info;
fprintf('%s, %s, %s\n', device.Name, version(), datestr(now(), 'yyyy-mm-dd'));
fprintf('%-34s%12s%12s%12s%12s\n', 'milliseconds', 'C', 'gpumex', 'gpumex / C', 'built-in');
A = rand(rows, 'single');
B = rand(rows, 'single');
row(sprintf('matmul %d single', rows), 'matmul', A, B, @() gpumex.matmul(A, B), @() A * B);
x = rand(count, 1);
row(sprintf('sort of %g doubles', count), 'sort', x, [], @() gpumex.sort_keys(x), @() sort(x));
board = rand(cells) > 0.75;
row(sprintf('life %d x %d, 100 generations', cells, cells), 'life', board, 100, @() gpumex.life(board, 100), []);
row(sprintf('life %d x %d, the gateway', cells, cells), 'life', board, 100, @() gpumex_mex('life', board, 100), []);
row(sprintf('copy of %d x %d', cells, cells), 'life', board, 0, @() gpumex_mex('copy', board), @() board & true);
end

function row(name, operation, a, b, of_gpumex, built_in)
[in_c, ours, theirs] = deal([]);
begin = tic;
while numel(ours) < 11 || (toc(begin) < 1 && numel(ours) < 201)
    in_c(end + 1) = gpumex_mex('c_call', operation, a, b);
    ours(end + 1) = timed(of_gpumex);
    if ~isempty(built_in) && (isempty(theirs) || (numel(theirs) < 11 && toc(begin) < 5)) % which may take long
        theirs(end + 1) = timed(built_in);
    end
end
in_c = median(in_c(2:end));
ours = median(ours(2:end));
fprintf('%-34s%12.3f%12.3f%12.2f', name, 1e3 * in_c, 1e3 * ours, ours / in_c);
if ~isempty(theirs)
    fprintf('%12.3f', 1e3 * median(theirs(min(2, end):end)));
end
fprintf('\n');
end

function seconds = timed(f)
start = tic;
f();
seconds = toc(start);
end
