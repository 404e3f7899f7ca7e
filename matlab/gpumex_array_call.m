function varargout = gpumex_array_call(method, operation, varargin)
%GPUMEX_ARRAY_CALL  Call the gateway of an operation for a method of gpumex.array.
%   [...] = gpumex_array_call(METHOD, OPERATION, ...) calls the MEX file gpumex_mex
%   with the inputs: a gpumex.array goes in as its handle, and a handle that comes
%   out becomes a gpumex.array, or, where it is one logical, a logical of the
%   host, so that `if` and `while` take it. Errors are those of METHOD:
%   gpumex:array:REASON.
%
%   See also gpumex.array, gpumex_call.

for k = 1:numel(varargin)
    if isa(varargin{k}, 'gpumex.array')
        varargin{k} = gateway_handle(varargin{k});
    end
end
try
    [varargout{1:nargout}] = gpumex_mex(operation, varargin{:});
    for k = 1:nargout
        varargout{k} = as_array(varargout{k});
    end
catch problem
    raise_problem('array', problem, method);
end
end

function x = as_array(x)
if ~isstruct(x)
    return
end
if strcmp(x.Class, 'logical') && isequal(x.Size, [1 1])
    handle = x;
    x = gpumex_mex('array', 'gather', handle);
    gpumex_mex('array', 'free', handle);
else
    x = gpumex.array(x);
end
end
