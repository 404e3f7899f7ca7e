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

name = strrep(operation, '.', '');
if operation(1) == '.'                          % the gateway reads the options
    values = cellfun(@as_word, options, 'UniformOutput', false);
elseif nargin > 4
    [values, inputs{end + 1}] = gpumex_read_options(operation, names, options, word);
else
    values = gpumex_read_options(operation, names, options);
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

function value = as_word(value)
% A text as a char row; anything else as it is, for the gateway to refuse.
if isa(value, 'string') && isscalar(value)
    value = char(value);
end
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
