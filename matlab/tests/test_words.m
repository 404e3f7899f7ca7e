function tests = test_words
%TEST_WORDS  gpumex.words against words that regexp finds.
tests = localfunctions();
end

function test_the_example(backend)
[words, counts, summary] = gpumex.words('to be, or not to be: that is', 2, 'Backend', backend);
assert(isequal(words, {'to'; 'be'}) && isequal(counts, [2; 2]));
assert(summary.Words == 8 && summary.Distinct == 6 && summary.Listed == 2 && summary.KernelMs >= 0);
end

function test_random_words_are_counted(backend)
rand('twister', 1);
letters = 'ab''AB .,1';
for n = [0 1 2 100 5000 100000]
    text = letters(1 + floor(numel(letters) * rand(1, n)));
    for fold = [false true]
        [words, counts] = gpumex.words(text, 50, 'Fold', fold, 'Backend', backend);
        [want, wanted] = count(text, fold, 50);
        assert(isequal(words, want) && isequal(counts, wanted), '%d characters', n);
    end
end
end

function test_bytes_are_utf8(backend)
text = [uint8('na'), 195, 175, uint8('ve na'), 195, 175, uint8('ve caf'), 195, 169];
[words, counts] = gpumex.words(text, 5, 'Backend', backend);
assert(numel(words) == 2 && isequal(counts, [2; 1]));
[words, counts] = gpumex.words(text, 5, 'Encoding', 'ascii', 'Backend', backend);
assert(isequal(words, {'na'; 've'; 'caf'}) && isequal(counts, [2; 2; 1]));
end

function test_fewer_words_than_asked_for(backend)
[words, counts] = gpumex.words('a b a', 100, 'Backend', backend);
assert(isequal(words, {'a'; 'b'}) && isequal(counts, [2; 1]));
[words, counts] = gpumex.words('...', 100, 'Backend', backend);
assert(isempty(words) && isempty(counts) && isa(counts, 'double'));
[words, counts, summary] = gpumex.words('a b a', 0, 'Backend', backend);
assert(isempty(words) && isempty(counts) && summary.Words == 3);
end

function test_options_without_a_count(backend)
assert(isequal(gpumex.words('A b a', 'Fold', true, 'Backend', backend), gpumex.words('A b a', 20, 'Fold', true, 'Backend', backend)));
end

function test_bad_input_is_refused(backend)
check_refused('gpumex:words:argumentCount', @() gpumex.words());
check_refused('gpumex:words:invalidText', @() gpumex.words(1:3, 2, 'Backend', backend));
check_refused('gpumex:words:invalidCount', @() gpumex.words('a', -1, 'Backend', backend));
check_refused('gpumex:words:invalidOption', @() gpumex.words('a b', 'Folds', true, 'Backend', backend));
check_refused('gpumex:words:invalidFold', @() gpumex.words('a', 1, 'Fold', 2, 'Backend', backend));
check_refused('gpumex:words:invalidEncoding', @() gpumex.words('a', 1, 'Encoding', 'latin', 'Backend', backend));
end

function [words, counts] = count(text, fold, k)
% Words by regexp, counted by unique.
if isempty(text)
    text = ' ';
end
found = regexp(text, '[a-zA-Z0-9]+(?:''[a-zA-Z0-9]+)*', 'match');
words = cell(0, 1);
counts = zeros(0, 1);
if isempty(found)
    return
end
keys = found;
if fold
    keys = lower(found);
end
[~, first, index] = unique(keys, 'first');
counts = accumarray(index(:), 1);
[~, order] = sortrows([-counts(:), first(:)]);
order = order(1:min(k, numel(order)));
words = reshape(found(first(order)), [], 1);
counts = counts(order);
end
