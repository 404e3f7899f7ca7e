function [where, method, options] = gpumex_order_options(operation, options)
%GPUMEX_ORDER_OPTIONS  The options of a sort; gpumex.sort_keys and gpumex.sortrows use it.
%   [WHERE, METHOD, OPTIONS] = gpumex_order_options(OPERATION, OPTIONS) returns the
%   values of 'MissingPlacement' and 'ComparisonMethod', 'auto' where they are not given,
%   and what is left: the direction, where there is one, 'Variant' and 'Backend'.
%
%   See also gpumex_read_options, gpumex.sort_keys, gpumex.sortrows.

direction = options(1:mod(numel(options), 2));
values = gpumex_read_options(operation, {'MissingPlacement', 'ComparisonMethod', 'Variant', 'Backend'}, options, 'auto');
where = one_of(operation, 'MissingPlacement', values{1}, {'auto', 'first', 'last'});
method = one_of(operation, 'ComparisonMethod', values{2}, {'auto', 'real', 'abs'});
options = [direction, {'Variant', values{3}, 'Backend', values{4}}];
end

function word = one_of(operation, name, word, words)
if ~ischar(word) || ~any(strcmpi(word, words))
    error(['gpumex:' operation ':invalid' name], 'gpumex.%s: %s is one of %s', operation, name, strjoin(words, ', '));
end
word = lower(word);
end
