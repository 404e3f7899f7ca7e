function varargout = gpumex_call(operation, inputs, names, options)
%GPUMEX_CALL  Call the MEX gateway of an operation; the gpumex functions use it.
%   [...] = gpumex_call(OPERATION, INPUTS, NAMES, OPTIONS) calls the MEX
%   file OPERATION_mex with the values of the cell array INPUTS and then
%   with the value of each option in the cell array NAMES. OPTIONS is a cell
%   array of name-value pairs; an option that is not there is 'auto'.
%
%   This function lies beside the package because the MEX files lie in a
%   private folder, which Octave does not search for package functions.
%
%   See also gpumex.life, build_gpumex.

values = read_options(operation, names, options);
try
    [varargout{1:nargout}] = feval([operation '_mex'], inputs{:}, values{:});
catch problem
    raise(operation, problem);
end
end

function values = read_options(operation, names, options)
% The value of each name, in the order of names.
values = repmat({'auto'}, 1, numel(names));
if mod(numel(options), 2) ~= 0
    refuse(operation, 'an option', 'a name and a value');
end
for k = 1:2:numel(options)
    name = as_word(options{k});
    if ~ischar(name) || ~any(strcmpi(name, names))
        refuse(operation, 'the name of an option', strjoin(names, ' or '));
    end
    values{strcmpi(name, names)} = as_word(options{k + 1});
end
end

function value = as_word(value)
% A text as a char row in lower case; anything else as it is, for the gateway to refuse.
if isa(value, 'string') && isscalar(value)
    value = char(value);
end
if ischar(value)
    value = lower(value);
end
end

function refuse(operation, what, rule)
error(['gpumex:' operation ':invalidOption'], 'gpumex.%s: %s is %s', operation, what, rule);
end

function raise(operation, problem)
% Raises a problem of the gateway in the name of the function that the user called.
gateway = fullfile(fileparts(mfilename('fullpath')), 'private', [operation '_mex.' mexext]);
if ~exist(gateway, 'file')
    error(['gpumex:' operation ':notBuilt'], ...
        'gpumex.%s: %s is not there; build_gpumex builds the MEX files', operation, gateway);
end
if strncmp(problem.identifier, 'gpumex:', 7)
    id = problem.identifier;
elseif ~isempty(strfind(lower(problem.message), 'memory'))
    id = ['gpumex:' operation ':outOfMemory'];          % raised by MATLAB or Octave, for the result
else
    rethrow(problem);
end
prefixes = ['^(' operation '_mex: )?(gpumex_\w+: )?'];
error(id, 'gpumex.%s: %s', operation, regexprep(problem.message, prefixes, ''));
end
