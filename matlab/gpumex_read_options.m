function [values, word] = gpumex_read_options(operation, names, options, word)
%GPUMEX_READ_OPTIONS  The values of options; gpumex_call uses it.
%   VALUES = gpumex_read_options(OPERATION, NAMES, OPTIONS) returns the value of each
%   option of the cell array NAMES, in this order, 'auto' where OPTIONS, names and
%   values in pairs, do not have it. A text is a row of characters then.
%
%   [VALUES, WORD] = gpumex_read_options(OPERATION, NAMES, OPTIONS, WORD) also returns
%   what stands before the pairs, and WORD where nothing does.
%
%   See also gpumex_call, gpumex_order_options.

if nargin > 3 && mod(numel(options), 2) == 1
    word = options{1};
    options(1) = [];
    if ischar(as_word(word)) && any(strcmpi(as_word(word), names))
        refuse(operation, '%s has no value; an option is a name and a value', names{strcmpi(as_word(word), names)});
    end
end
values = cell(1, numel(names));
values(:) = {'auto'};
for k = 1:2:numel(options)
    chosen = option_number(operation, names, options{k});
    if k == numel(options)
        refuse(operation, '%s has no value; an option is a name and a value', names{chosen});
    end
    values{chosen} = as_word(options{k + 1});
end
end

function number = option_number(operation, names, name)
if isempty(names)
    refuse(operation, 'this call has no options');
end
word = as_word(name);
if ~ischar(word) || size(word, 1) > 1
    refuse(operation, 'the name of an option is a %s; the options are %s', class(name), strjoin(names, ', '));
end
number = find(strcmpi(word, names));
if isempty(number)
    refuse(operation, '''%s'' is not an option; the options are %s', char(name), strjoin(names, ', '));
end
end

function value = as_word(value)
% A text as a char row; anything else as it is, for the gateway to refuse.
if isa(value, 'string') && isscalar(value)
    value = char(value);
end
end

function refuse(operation, format, varargin)
error(['gpumex:' operation ':invalidOption'], ['gpumex.%s: ' format], operation, varargin{:});
end
