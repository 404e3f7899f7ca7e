function check_on_ranks(mode)
%CHECK_ON_RANKS  The methods of gpumex.comm on all ranks of MPI, against the functions of one rank.
%   mpirun -n 4 octave-cli --eval "addpath tests; check_on_ranks" prints 'passed on rank R' for each rank.
%   check_on_ranks('faults') checks what goes wrong on one rank, check_on_ranks('late') a rank that does not come,
%   check_on_ranks('interrupt') Ctrl-C on the last rank, check_on_ranks('spmd') MATLAB's spmd over stand-ins, and
%   check_on_ranks('other') that MPICH's library does not take Open MPI's ranks.
addpath(fileparts(fileparts(mfilename('fullpath'))));
if nargin < 1
    mode = 'results';
end
if strcmp(mode, 'other')
    other_mpi();
    return
end
checks = struct('results', @results, 'faults', @faults, 'late', @late, 'interrupt', @interrupted, 'spmd', @workers);
c = gpumex.comm;
assert(strcmp(c.transport, 'mpi'));
checks.(mode)(c);
fprintf('passed on rank %d\n', c.rank);
if exist('OCTAVE_VERSION', 'builtin')
    fflush(stdout);
end
c.reduce(1, 'sum');                             % a launcher may end what is left when one rank has ended
end

function other_mpi()
setenv('GPUMEX_MPI', 'mpich');
said = check_refused('gpumex:comm:noMpi', @() gpumex.comm);
assert(~isempty(strfind(said, sprintf('the launcher started %s ranks', getenv('OMPI_COMM_WORLD_SIZE')))), said);
fprintf('passed on rank %s\n', getenv('OMPI_COMM_WORLD_RANK'));
end

function results(c)
rand('twister', 7);
boards(c);
counts(c);
numbers(c);
sorted(c);
texts(c);
products(c);
end

function x = part(c, x)
% The columns of this rank: uneven, and none on rank 1 where there are three or more.
weights = 1 + mod(0:c.ranks - 1, 3);
if c.ranks > 2
    weights(2) = 0;
end
ends = round(size(x, 2) * [0, cumsum(weights)] / sum(weights));
x = x(:, ends(c.rank + 1) + 1:ends(c.rank + 2));
end

function boards(c)
board = rand(37, 61) > 0.6;
for boundary = {'clamp', 'dead', 'torus'}
    options = {'Boundary', boundary{1}, 'Rule', 'B36/S23'};
    assert(isequal(c.life(part(c, board), 50, options{:}), part(c, gpumex.life(board, 50, options{:}))));
end
next = c.life(part(c, 3 * board), 5);
assert(isa(next, 'double') && isequal(next, part(c, gpumex.life(3 * board, 5))));
words = gpumex.pack_board(board);
assert(isequal(c.life(part(c, words), 9, 'Cells', 'bits'), part(c, gpumex.life(words, 9, 'Cells', 'bits'))));
next = gather(c.life(gpumex.array(part(c, board)), 50));
assert(isequal(next, part(c, gpumex.life(board, 50))));
end

function counts(c)
data = uint8(255 * rand(1, 1003));
assert(isequal(c.histogram(part(c, data)), gpumex.histogram(data)));
assert(isequal(c.histogram(char(part(c, data)), 7, [0 200]), gpumex.histogram(data, 7, [0 200])));
x = 4 * rand(1, 501) - 2;
edges = [-1 0 0.5 3];
assert(isequal(c.histogram(part(c, x), edges, 'Outliers', 'clamp'), gpumex.histogram(x, edges, 'Outliers', 'clamp')));
weights = round(8 * rand(1, 501));
assert(isequal(c.histogram(part(c, x), edges, 'Weights', part(c, weights)), gpumex.histogram(x, edges, 'Weights', weights)));
end

function numbers(c)
x = round(2000 * rand(1, 777)) - 1000;
for op = {'sum', 'min', 'max'}
    assert(c.reduce(part(c, x), op{1}) == gpumex.reduce(x, op{1}));
    [y, total] = c.scan(part(c, x), op{1}, 'exclusive');
    [all_y, all_total] = gpumex.scan(x, op{1}, 'exclusive');
    assert(isequaln(y, part(c, all_y)) && total == all_total);
end
k = int32(x);
assert(c.reduce(part(c, k), 'xor') == gpumex.reduce(k, 'xor'));
large = int32(2e9 * rand(1, 99));
wrapped = gpumex.reduce(large, 'sum', 'Overflow', 'wrap');
assert(c.reduce(part(c, large), 'sum', 'Overflow', 'wrap') == wrapped && isa(wrapped, 'int32'));
assert(isequal(c.scan(part(c, k).', 'max'), part(c, gpumex.scan(k, 'max')).'));
assert(c.dot_product(part(c, x), part(c, fliplr(x))) == x * fliplr(x).');
assert(isnan(c.reduce([], 'min')) && c.reduce(int32([]), 'min') == intmax && c.reduce([], 'sum') == 0);
near = c.reduce(part(c, x / 7), 'sum');
assert(abs(near - sum(x / 7)) < 1e-9);
end

function sorted(c)
x = round(40 * rand(1, 1234)) - 20;
x(5:100:end) = NaN;
for direction = {'ascend', 'descend'}
    [B, I] = c.sort_keys(part(c, x), direction{1});
    [all_B, all_I] = gpumex.sort_keys(x, direction{1});
    assert(isequaln(B, part(c, all_B)) && isequal(I, part(c, all_I)));
end
k = uint16(100 * rand(1, 999));
v = int32(1:999);
[K, V] = c.sort_by_key(part(c, k), part(c, v));
[all_K, all_V] = gpumex.sort_by_key(k, v);
assert(isequal(K, part(c, all_K)) && isequal(V, part(c, all_V)) && isa(K, 'uint16'));
assert(isequal(c.sort_keys(part(c, k).'), part(c, all_K).'));
end

function texts(c)
text = repmat('the quick brown fox, na', 1, 40);
text = [text, char([195 175]), 've the end of the fox''s story '];
for k = [0 3 100]
    [words, counts, summary] = c.words(part(c, text), k);
    [all_words, all_counts, all_summary] = gpumex.words(text, k);
    assert(isequal(words, all_words) && isequal(counts, all_counts), '%d words', k);
    assert(summary.Words == all_summary.Words && summary.Distinct == all_summary.Distinct);
end
assert(isequal(c.words(part(c, upper(text)), 2, 'Fold', true), gpumex.words(upper(text), 2, 'Fold', true)));
end

function products(c)
A = round(9 * rand(13, 29));
B = round(9 * rand(29, 17));
assert(isequal(c.matmul(part(c, A), part(c, B)), part(c, A * B)));
S = c.matmul(part(c, single(A)), part(c, single(B)), 'Alpha', 2, 'Beta', 1, 'C', part(c, ones(13, 17, 'single')));
assert(isa(S, 'single') && isequal(S, part(c, single(2 * A * B + 1))));
one = c.matmul(part(c, 1:c.ranks), part(c, (1:c.ranks).' * (1:9)));
assert(isequal(one, part(c, (1:c.ranks) * (1:c.ranks).' * (1:9))));
end

function faults(c)
% What one rank has otherwise is an error on all, at once, and the communicator lives.
is_bad = c.rank == c.ranks - 1;
x = 1:4;
own = {@() c.reduce(x, 'sum'), @() c.reduce(1i, 'sum'), 'reduce', 'invalidData'; ...
    @() c.life(true(4), 2), @() c.life(true(4), 2, 'Progress', @disp), 'life', 'invalidProgress'; ...
    @() c.life(true(4), 2), @() c.life([1 NaN], 2), 'life', 'invalidBoard'; ...
    @() c.life(true(4), 2), @() c.life(true(4)), 'life', 'argumentCount'; ...
    @() c.scan(x, 'sum'), @() c.scan(x, 'sum', 'reverse'), 'scan', 'unsupported'; ...
    @() c.reduce(int32(x), 'max'), @() c.reduce(int32(x), 'sum'), 'reduce', 'unsupported'; ...
    @() c.sort_keys(x), @() c.sort_keys(magic(3)), 'sort_keys', 'unsupported'; ...
    @() c.sort_keys(x), @() c.sort_keys(x, 'MissingPlacement', 'first'), 'sort_keys', 'invalidOption'; ...
    @() c.histogram(x, [0 1]), @() c.histogram(x, [1 0]), 'histogram', 'invalidBins'; ...
    @() c.words('a b', 2), @() c.words('a b', -1), 'words', 'invalidCount'; ...
    @() c.matmul(ones(2, 1), ones(c.ranks, 3)), @() c.matmul(ones(2, 1), ones(c.ranks + 1, 3)), 'matmul', 'sizeMismatch'};
for k = 1:size(own, 1)
    [good, bad, name, reason] = own{k, :};
    if is_bad
        check_refused(['gpumex:' name ':' reason], bad);
    else
        said = check_refused(['gpumex:' name ':peer'], good);
        assert(~isempty(strfind(said, sprintf('rank %d ended the call before it began', c.ranks - 1))), said);
    end
    assert(c.reduce(1, 'sum') == c.ranks);
end
differ = {@() c.life(true(4 + is_bad, 3), 2), 'life', 'the number of rows is'; ...
    @() c.life(true(4, 3), 2 + is_bad), 'life', 'generations is 2 on rank 0 and 3'; ...
    @() c.words('a b', 2 + is_bad), 'words', 'k is 2 on rank 0 and 3'; ...
    @() c.matmul(ones(2 + is_bad, 1), ones(c.ranks, 3)), 'matmul', 'the number of rows of A is'; ...
    @() another(c, is_bad), 'reduce', 'rank 0 is in reduce, rank'};
for k = 1:size(differ, 1)
    [call, name, says] = differ{k, :};
    if is_bad && k == size(differ, 1)
        name = 'dot_product';
    end
    said = check_refused(['gpumex:' name ':invalidArgument'], call);
    assert(~isempty(strfind(said, says)), said);
    assert(c.reduce(1, 'sum') == c.ranks);
end
end

function another(c, is_bad)
if is_bad
    c.dot_product(1, 1);
else
    c.reduce(1, 'sum');
end
end

function late(c)
% A rank that does not come costs the others the time limit, and the communicator; another one is not concerned.
brief = gpumex.comm('mpi', 'Timeout', 0.3);
if c.rank ~= c.ranks - 1
    start = tic;
    check_refused('gpumex:reduce:timeout', @() brief.reduce(1, 'sum'));
    assert(toc(start) < 10);
    check_refused('gpumex:reduce:peer', @() brief.reduce(1, 'sum'));
end
assert(c.reduce(1, 'sum') == c.ranks);
end

function interrupted(c)
% Ctrl-C on one rank, in a call to which the others come late.
if c.rank == c.ranks - 1
    system(sprintf('(sleep 0.5; kill -INT %d) &', getpid()));
    cleanup = onCleanup(@() fprintf('ended on rank %d\n', c.rank));
    c.reduce(1, 'sum');
    error('not interrupted');
else
    pause(3);
end
end

function workers(c)
% MATLAB's functions are played by the files of the folder spmd, over c: the id, or that there is none, comes to all workers.
addpath(fullfile(fileparts(mfilename('fullpath')), 'spmd'));
spmd_ranks(c);
reason = 'noId';                                % without libnccl.so.2
if strcmp(getenv('GPUMEX_TEST_NCCL'), '1')
    reason = 'unsupported';                     % with one the id is there, and the CPU backend is no GPU
end
said = check_refused(['gpumex:comm:' reason], @() gpumex.comm('Backend', 'cpu'));
assert(~isempty(strfind(said, 'NCCL')) || ~isempty(strfind(said, 'nccl')), said);
assert(c.reduce(1, 'sum') == c.ranks);
end
