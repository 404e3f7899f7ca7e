function [word, options] = gpumex_order_option(operation, options, name, words)
%GPUMEX_ORDER_OPTION  Take one option out of those of a sort; gpumex.sort_keys and gpumex.sortrows use it.
%   [WORD, OPTIONS] = gpumex_order_option(OPERATION, OPTIONS, NAME, WORDS) returns the
%   value of the option NAME, one of WORDS, the first of which stands for one that is
%   not given, and the options without it. What is no option of a sort is refused.
%
%   See also gpumex_call, gpumex.sort_keys, gpumex.sortrows.

names = {'MissingPlacement', 'ComparisonMethod', 'Variant', 'Backend'};
word = words{1};
if mod(numel(options), 2) == 1 && is_one_of(options{1}, names)
    refuse(operation, 'invalidOption', '%s has no value; an option is a name and a value', char(options{1}));
end
k = 1 + mod(numel(options), 2);                 % behind the direction
while k < numel(options)
    if ~is_text(options{k})
        refuse(operation, 'invalidOption', 'the name of an option is a %s; the options are %s', class(options{k}), strjoin(names, ', '));
    elseif ~is_one_of(options{k}, names)
        refuse(operation, 'invalidOption', '''%s'' is not an option; the options are %s', char(options{k}), strjoin(names, ', '));
    elseif strcmpi(char(options{k}), name)
        word = options{k + 1};
        if ~is_one_of(word, words)
            refuse(operation, ['invalid' name], '%s is one of %s', name, strjoin(words, ', '));
        end
        options(k:k + 1) = [];
    else
        k = k + 2;
    end
end
word = lower(char(word));
end

function tf = is_text(x)
tf = ischar(x) || isa(x, 'string');
end

function tf = is_one_of(x, words)
tf = is_text(x) && any(strcmpi(char(x), words));
end

function refuse(operation, reason, format, varargin)
error(['gpumex:' operation ':' reason], ['gpumex.%s: ' format], operation, varargin{:});
end
