function varargout = gpumex_set_call(operation, sets, options)
%GPUMEX_SET_CALL  Operations on sets with the words and classes that MATLAB's have; the gpumex functions use it.
%   [...] = gpumex_set_call(OPERATION, {A}, OPTIONS) and {A, B} call the gateway of
%   an operation after the words of OPTIONS, 'rows', 'stable', 'sorted', 'first' and
%   'last', were taken out, char became numbers, and arrays of two classes one
%   class: an integer class wins over single, single over double, double over
%   logical.
%
%   See also gpumex_call, gpumex.unique, gpumex.union.

[words, options] = take_words(operation, options);
original = sets{1};
has_mixed_classes = numel(sets) == 2 && ~any(cellfun(@is_char_or_array, sets)) && ~strcmp(class_of(sets{1}), class_of(sets{2})) && ...
    any(cellfun(@isinteger, sets)) && any(cellfun(@isfloat, sets));
if has_mixed_classes && strcmp(operation, 'ismember') && ~words.rows && any(cellfun(@is_wide, sets))
    [varargout{1:max(nargout, 1)}] = in_wide_integers(sets{:}, options);
    return
end
[sets, back] = in_one_class(operation, sets);
if strcmp(operation, 'setdiff') && ~strcmp(class_of(original), class_of(sets{1}))
    [C, IA] = gpumex_set_call(operation, sets, [fieldnames_of(words), options]);
    if words.rows
        varargout = {original(IA, :), IA};
    else
        varargout = {reshape(original(IA), size(C)), IA};
    end
    return
end
names = {'Sorted', 'Variant', 'Backend'};
if words.rows
    call = @(varargin) of_rows(operation, sets, options);
else
    call = @() gpumex_call(operation, sets, names, options);
end
count = max(nargout, 1);
if words.stable || words.last
    [varargout{1:count}] = in_another_order(operation, sets, words, call);
else
    [varargout{1:count}] = call();
end
if strcmp(operation, 'unique') && ~words.rows && isequal(size(sets{1}), [0 0])
    varargout{1} = reshape(varargout{1}, [0 0]);
end
if ~any(strcmp(operation, {'ismember', 'setdiff'}))
    varargout{1} = back(varargout{1});
end
end

function names = fieldnames_of(words)
names = fieldnames(words)';
names = names(structfun(@(tf) tf, words)');
end

function [words, options] = take_words(operation, options)
% 'sorted' is a word where no value follows it, and the name of an option where one does.
words = struct('rows', false, 'stable', false, 'sorted', false, 'first', false, 'last', false);
served = {'rows', 'stable', 'sorted'};
if strcmp(operation, 'unique')
    served = fieldnames(words)';
elseif strcmp(operation, 'ismember')
    served = {'rows'};
end
k = 1;
while k <= numel(options)
    word = as_char(options{k});
    has_value = k < numel(options) && ~is_one_of(as_char(options{k + 1}), [served, {'Variant', 'Backend'}]);
    if is_one_of(word, served) && ~(strcmpi(word, 'sorted') && has_value)
        words.(lower(word)) = true;
        options(k) = [];
    else
        if ~is_one_of(word, {'Sorted', 'Variant', 'Backend'})
            refuse_word(operation, word, served);
        end
        k = k + 2;                              % a name and its value, which gpumex_call reads
    end
end
if (words.stable && (words.sorted || words.last)) || (words.first && words.last)
    error(['gpumex:' operation ':invalidOption'], 'gpumex.%s: two words contradict each other', operation);
end
end

function refuse_word(operation, word, served)
given = ['the name of an option is a ' class(word)];
if ischar(word)
    given = ['''' word ''' is not an option'];
end
error(['gpumex:' operation ':invalidOption'], 'gpumex.%s: %s; the options are %s, Sorted, Variant, Backend', ...
    operation, given, strjoin(cellfun(@(x) ['''' x ''''], served, 'UniformOutput', false), ', '));
end

function tf = is_one_of(x, words)
tf = ischar(x) && any(strcmpi(x, words));
end

function x = as_char(x)
if isa(x, 'string') && isscalar(x)
    x = char(x);
end
end

function [sets, back] = in_one_class(operation, sets)
back = @(x) x;
names = cellfun(@class_of, sets, 'UniformOutput', false);
if any(strcmp(names, 'char'))
    back = @char;
    for k = find(strcmp(names, 'char'))
        sets{k} = double(sets{k});
        names{k} = 'double';
    end
end
if numel(sets) == 1 || strcmp(names{1}, names{2}) || ~all(cellfun(@is_number, sets))
    return
end
are_integers = strncmp(names, 'int', 3) | strncmp(names, 'uint', 4);
if all(are_integers)
    return                                      % the gateway refuses them
elseif strcmp(operation, 'ismember') && any(are_integers)
    [sets, is_done] = of_integer(sets, names, are_integers);
    if is_done
        return
    end
end
wanted = [names(are_integers), names(strcmp(names, 'single')), names(strcmp(names, 'double'))];
for k = 1:2
    sets{k} = cast(sets{k}, wanted{1});
end
end

function tf = is_wide(x)
tf = isa(x, 'int64') || isa(x, 'uint64');
end

function [tf, at] = in_wide_integers(A, B, options)
% Integers of 64 bits and floating-point numbers: those that are none of these integers are left out first.
name = class(A);
if isfloat(A)
    name = class(B);
end
of_A = find(is_in_class(A, name));
of_B = find(is_in_class(B, name));
tf = false(size(A));
at = zeros(size(A));
[tf(of_A), found] = gpumex_set_call('ismember', {cast(A(of_A), name), cast(B(of_B), name)}, options);
places = [0; of_B(:)];
at(of_A) = places(found + 1);
end

function tf = is_in_class(x, name)
tf = true(size(x));
if isfloat(x)
    tf = x == fix(x) & x >= double(intmin(name)) & x < double(intmax(name));
end
end

function [sets, is_done] = of_integer(sets, names, are_integers)
% Whether 2.5 is a member of integers: as doubles; those of 64 bits are whole numbers anyway.
is_done = ~any(ismember(names(are_integers), {'int64', 'uint64'}));
if is_done
    sets = cellfun(@double, sets, 'UniformOutput', false);
end
end

function name = class_of(x)
if isa(x, 'gpumex.array') || isa(x, 'gpuArray')
    name = classUnderlying(x);
else
    name = class(x);
end
end

function tf = is_char_or_array(x)
tf = ischar(x) || isa(x, 'gpumex.array') || isa(x, 'gpuArray');
end

function tf = is_number(x)
tf = isnumeric(x) || islogical(x);
end

% ---------------------------------------------------------------------------------------------------- other orders

function varargout = in_another_order(operation, sets, words, call)
if strcmp(operation, 'unique')
    [C, IA, IC] = call();
    if words.last
        IA(IC) = 1:numel(IC);
    end
    order = 1:numel(IA);
    if words.stable
        first = IA;
        [~, order] = sort(first);
        rank(order) = 1:numel(order);
        IC = reshape(rank(IC), size(IC));
    end
    varargout = {take(C, order, words), IA(order), IC};
    return
end
if strcmp(operation, 'setdiff')
    [C, IA] = call();
    [IA, order] = sort(IA);
    varargout = {take(C, order, words), IA};
    return
end
[C, IA, IB] = call();
if strcmp(operation, 'intersect')
    [IA, order] = sort(IA);
    varargout = {take(C, order, words), IA, IB(order)};
    return
end
IA = sort(IA);
IB = sort(IB);
if words.rows
    C = [sets{1}(IA, :); sets{2}(IB, :)];
else
    C = reshape([reshape(sets{1}(IA), [], 1); reshape(sets{2}(IB), [], 1)], size(C));
end
varargout = {C, IA, IB};
end

function C = take(C, order, words)
if words.rows
    C = C(order, :);
else
    C = C(order);
end
end

% ------------------------------------------------------------------------------------------------------------ rows

function varargout = of_rows(operation, sets, options)
% Each different row gets a number, in the order of rows; rows with NaN are all different. Then the numbers are sets.
if any(cellfun('isclass', sets, 'gpumex.array'))
    error(['gpumex:' operation ':invalidData'], 'gpumex.%s: with ''rows'' the inputs are matrices of the host', operation);
end
[sets, is_none] = with_columns(sets);
count = cellfun(@(x) size(x, 1), sets);
if any(cellfun(@ndims, sets) > 2) || (numel(sets) == 2 && size(sets{1}, 2) ~= size(sets{2}, 2))
    error(['gpumex:' operation ':sizeMismatch'], 'gpumex.%s: with ''rows'' the inputs are matrices with as many columns', operation);
end
options = without_sorted(operation, sets, options);
all_rows = vertcat(sets{:});
[ordered, position] = gpumex.sortrows(all_rows, 1:size(all_rows, 2), options{:});
is_new = [true(min(1, sum(count)), 1); any(ordered(2:end, :) ~= ordered(1:end - 1, :), 2)];
different = ordered(is_new, :);
number(position, 1) = cumsum(is_new);
numbers = mat2cell(reshape(number, [], 1), count, 1);
if strcmp(operation, 'ismember')
    [varargout{1:max(nargout, 1)}] = gpumex_call('ismember', numbers', {'Sorted', 'Variant', 'Backend'}, options);
    return
end
[varargout{1:max(nargout, 1)}] = gpumex_call(operation, numbers', {'Sorted', 'Variant', 'Backend'}, options);
varargout{1} = different(varargout{1}, :);
if is_none && isempty(varargout{1})
    varargout(:) = {[]};
end
end

function [sets, is_none] = with_columns(sets)
% [] has as many columns as the other set.
is_none = numel(sets) == 2 && any(cellfun(@(x) isequal(size(x), [0 0]), sets));
if is_none
    columns = max(cellfun(@(x) size(x, 2), sets));
    for k = find(cellfun('isempty', sets))
        sets{k} = reshape(sets{k}, size(sets{k}, 1), columns);
    end
end
end

function options = without_sorted(operation, sets, options)
% 'Sorted' is checked, and saves nothing.
at = find(cellfun(@(x) is_one_of(as_char(x), {'Sorted'}), options), 1);
if isempty(at)
    return
end
is_sorted = options{at + 1};
options(at:at + 1) = [];
if ~isscalar(is_sorted) || ~any(is_sorted == [0 1])
    error(['gpumex:' operation ':invalidSorted'], 'gpumex.%s: Sorted is true or false', operation);
elseif is_sorted && ~all(cellfun(@(A) isempty(A) || isequaln(gpumex.sortrows(A), A), sets))
    error(['gpumex:' operation ':invalidArgument'], 'gpumex.%s: the rows of a set are not in ascending order', operation);
end
end
