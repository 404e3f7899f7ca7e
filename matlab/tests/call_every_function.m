function call_every_function(list, report, first)
%CALL_EVERY_FUNCTION  Call functions of Octave on gpuArrays and on arrays of the host, and write down what differs.
%   call_every_function(LIST, REPORT, FIRST) calls the functions whose names are the lines of the file LIST, from line FIRST on,
%   with arguments of several forms, each once with arrays of the host and once with gpuArrays. It appends a line to the file
%   REPORT for each function that it begins, and one for each call whose results differ:
%
%      begins NUMBER NAME
%      differs NAME(FORM): the class, size or values of a result are not those of the host
%      copies NAME(FORM): a result is an array of the host, of more than one element
%      unnamed NAME(FORM): MESSAGE    an error that names neither gpuArray nor the function
%      slow NAME(FORM)
%
%   A function that ends the process or hangs is the last one that begins; scripts/gpuarray-functions goes on behind it.

names = strsplit(strtrim(fileread(list)), "\n");
output = fopen(report, 'a');
forms = argument_forms();
before = warning('off', 'all');
formatter = makeinfo_program('true');                   % wrong numbers of arguments would format a help text each time
restore = {onCleanup(@() warning(before)), onCleanup(@() makeinfo_program(formatter))};
rand('twister', 1);
for k = first:numel(names)
    fprintf(output, 'begins %d %s\n', k, names{k});
    fflush(output);
    for f = 1:size(forms, 1)
        compare(output, names{k}, forms{f, :});
    end
end
fprintf(output, 'ends\n');
fclose(output);
end

function forms = argument_forms()
A = reshape(mod(7 * (1:12), 13) / 4 + 0.25, 3, 4);
S = [4 1 0.5; 1 3 0.25; 0.5 0.25 2];
v = [3 1 2 5 4];
Z = A + 1i * (fliplr(A) - 1);
u = v - 1i * fliplr(v);
g = @gpuArray;
forms = {
    'matrix', {A}, {g(A)}
    'row', {v}, {g(v)}
    'column', {v'}, {g(v')}
    'scalar', {0.5}, {g(0.5)}
    'square', {S}, {g(S)}
    'single', {single(A)}, {g(single(A))}
    'logical', {A > 1}, {g(A > 1)}
    'int32', {int32(4 * A)}, {g(int32(4 * A))}
    'uint8 row', {uint8(v)}, {g(uint8(v))}
    'N-D', {reshape(1:24, 2, 3, 4)}, {g(reshape(1:24, 2, 3, 4))}
    'empty', {zeros(0, 3)}, {g(zeros(0, 3))}
    'matrix, 2', {A, 2}, {g(A), 2}
    '2, matrix', {2, A}, {2, g(A)}
    'matrix, matrix', {A, A + 1}, {g(A), g(A + 1)}
    'matrix, host', {A, A + 1}, {g(A), A + 1}
    'square, column', {S, [1; 2; 3]}, {g(S), g([1; 2; 3])}
    'row, row', {v, v + 1}, {g(v), g(v + 1)}
    'matrix, [], 2', {A, [], 2}, {g(A), [], 2}
    'matrix, dimension', {A, 2}, {g(A), g(2)}
    'row, row, row', {v, v + 1, v + 2}, {g(v), g(v + 1), g(v + 2)}
    'row, row, scalar', {1:5, v, 2.5}, {g(1:5), g(v), g(2.5)}
    'int32, int32', {int32(A), int32(A + 1)}, {g(int32(A)), g(int32(A + 1))}
    'int32, 2', {int32(A), 2}, {g(int32(A)), 2}
    'int32 row, row, row', {int32(v), 1:5, 1:5}, {g(int32(v)), 1:5, 1:5}
    'single, single', {single(A), single(A + 1)}, {g(single(A)), g(single(A + 1))}
    'single, 2', {single(A), 2}, {g(single(A)), 2}
    'logical, logical', {A > 1, A > 2}, {g(A > 1), g(A > 2)}
    'logical, 2', {A > 1, 2}, {g(A > 1), 2}
    'text, row', {'%g ', v}, {'%g ', g(v)}
    'matrix, text', {A, 'omitnan'}, {g(A), 'omitnan'}
    'function, row', {@(x) x + 1, v}, {@(x) x + 1, g(v)}
    'cell', {{v, 2}}, {{g(v), 2}}
    'complex', {Z}, {g(Z)}
    'complex, complex', {Z, conj(Z) + 1}, {g(Z), g(conj(Z) + 1)}
    'complex, matrix', {Z, A}, {g(Z), A}
    'matrix, complex', {A, Z}, {g(A), Z}
    'complex, 2', {Z, 2}, {g(Z), 2}
    'complex row', {u}, {g(u)}
    'complex row, row', {u, v}, {g(u), g(v)}
    'row, complex row', {v, u}, {g(v), g(u)}
    'complex square', {S + 1i * S(:, [2 3 1])}, {g(S + 1i * S(:, [2 3 1]))}
    'complex single', {single(Z)}, {g(single(Z))}
    'complex number', {1 - 2i}, {g(1 - 2i)}
    };
end

function compare(output, name, form, host, device)
most = number_of_results(name);
if ~isempty(getenv('CALL_EVERY_FUNCTION_FORMS'))
    fprintf(output, 'form %s(%s)\n', name, form);
    fflush(output);
end
for wanted = unique([min(most, 1), most])
    [expected, problem] = results_of(name, host, wanted);
    if ~isempty(problem)
        again = {};
    else
        again = results_of(name, host, wanted);
        if ~same(expected, again)
            continue
        end
    end
    start = tic;
    [got, refusal] = results_of(name, device, wanted);
    call = sprintf('%s(%s)->%d', name, form, wanted);
    if toc(start) > 5
        fprintf(output, 'slow %s\n', call);
    end
    if ~isempty(refusal)
        if isempty(problem) && isempty(strfind(refusal, 'gpuArray')) && isempty(strfind(refusal, name))
            fprintf(output, 'unnamed %s: %s\n', call, strrep(refusal, "\n", ' '));
        elseif isempty(problem)
            fprintf(output, 'refused %s: %s\n', call, strrep(refusal, "\n", ' '));
        end
    elseif ~isempty(problem)
        fprintf(output, 'accepts %s, which is "%s" on the host\n', call, strrep(problem, "\n", ' '));
    else
        write_differences(output, call, expected, got);
    end
    fflush(output);
end
end

function count = number_of_results(name)
try
    count = nargout(name);
catch
    count = -1;
end
if count < 0
    count = 1;
end
count = min(count, 3);
end

function [results, problem] = results_of(name, inputs, wanted)
problem = '';
results = cell(1, wanted);
try
    if wanted == 0
        results = {evalc('feval(name, inputs{:})')};
    else
        evalc('[results{1:wanted}] = feval(name, inputs{:}); cellfun(@gather_all, results, ''UniformOutput'', false);');
    end
catch failure
    problem = failure.message;
    if isempty(problem)
        problem = 'an error without a message';
    end
end
end

function write_differences(output, call, expected, got)
for k = 1:numel(expected)
    device = isgpuarray(got{k});
    host = gather_all(got{k});
    if ~strcmp(class(host), class(expected{k}))
        fprintf(output, 'differs %s: result %d is %s, on the host %s\n', call, k, class(host), class(expected{k}));
    elseif ~isequal(size(host), size(expected{k}))
        fprintf(output, 'differs %s: result %d is %s, on the host %s\n', call, k, mat2str(size(host)), ...
            mat2str(size(expected{k})));
    elseif ~same(expected(k), {host})
        fprintf(output, 'differs %s: result %d is %s, on the host %s\n', call, k, brief(host), brief(expected{k}));
    elseif ~device && isnumeric(host) && numel(host) > 1
        fprintf(output, 'copies %s: result %d\n', call, k);
    end
end
end

function text = brief(value)
text = regexprep(disp(value), '\s+', ' ');
text = text(1:min(60, numel(text)));
end

function value = gather_all(value)
if isgpuarray(value)
    value = gather(value);
elseif iscell(value)
    value = cellfun(@gather_all, value, 'UniformOutput', false);
end
end

function tf = same(a, b)
tf = false;
try
    tf = isequaln_near(a, b);
catch
end
end

function tf = isequaln_near(a, b)
if iscell(a)
    tf = iscell(b) && numel(a) == numel(b) && all(cellfun(@isequaln_near, a, b));
elseif is_function_handle(a)
    tf = is_function_handle(b);
elseif isfloat(a) && isfloat(b) && ~issparse(a)
    tf = isequal(size(a), size(b)) && isequal(isnan(a), isnan(b));
    a(isnan(a)) = 0;
    b(isnan(b)) = 0;
    near = abs(a - b) <= 1e-5 * (strcmp(class(a), 'single') + 1e-7) * max(1, abs(a)) | a == b;
    tf = tf && all(near(:));
else
    tf = isequal(a, b);
end
end
