function varargout = gpumex_call(operation, inputs, names, options, word)
%GPUMEX_CALL  Call the MEX gateway of an operation; the gpumex functions use it.
%   [...] = gpumex_call(OPERATION, INPUTS, NAMES, OPTIONS) calls the MEX file
%   gpumex_mex with the name of the operation, with the values of the cell array
%   INPUTS and then with the value of each option in the cell array NAMES.
%   OPTIONS is a cell array of name-value pairs; an option that is not there is
%   'auto'. A gpumex.array or gpumex.comm goes in as its handle, and a handle of an
%   array that comes out becomes a gpumex.array.
%
%   [...] = gpumex_call(OPERATION, INPUTS, NAMES, OPTIONS, WORD) takes one more
%   input: what stands before the pairs of OPTIONS, and WORD where nothing does.
%
%   gpumex_call(['.' OPERATION], INPUTS, {}, OPTIONS) leaves it to the gateway to
%   read OPTIONS, which may begin with a word.
%
%   This function lies beside the package because the MEX file lies in a
%   private folder, which Octave does not search for package functions.
%
%   See also gpumex_gateway, gpumex.array, build_gpumex.

if nargin > 4
    [inputs{end + 1}, options] = take_word(operation, names, options, word);
end
if operation(1) == '.'                          % the gateway reads the options
    name = operation(2:end);
    values = cellfun(@as_word, options, 'UniformOutput', false);
else
    name = operation;
    values = read_options(operation, names, options);
end
try
    inputs = as_handles([inputs, values]);
    [varargout{1:nargout}] = gpumex_mex(operation, inputs{:});
catch problem
    raise_problem(name, problem);
end
if ~strcmp(operation, 'array')                  % gpumex.array itself makes one of its handle
    varargout = as_arrays(varargout);
end
end

function [word, options] = take_word(operation, names, options, word)
% What stands before the pairs: there is one more then.
if mod(numel(options), 2) == 1
    word = options{1};
    options(1) = [];
    if ischar(as_word(word)) && any(strcmpi(as_word(word), names))
        refuse(operation, '%s has no value; an option is a name and a value', names{strcmpi(as_word(word), names)});
    end
end
end

function values = read_options(operation, names, options)
% The value of each name, in the order of names.
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

function inputs = as_handles(inputs)
for k = find(cellfun('isclass', inputs, 'gpumex.array') | cellfun('isclass', inputs, 'gpumex.comm'))
    inputs{k} = gateway_handle(inputs{k});
end
end

function outputs = as_arrays(outputs)
for k = 1:numel(outputs)
    if isstruct(outputs{k}) && isfield(outputs{k}, 'gpumexArray')
        outputs{k} = gpumex.array(outputs{k});
    end
end
end
