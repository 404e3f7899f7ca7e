function gpumex_array_error(method, reason, format, varargin)
%GPUMEX_ARRAY_ERROR  Raise the error gpumex:array:REASON of a method of gpumex.array.
%
%   See also gpumex.array, gpumex_array_call.

throw_for_caller(['gpumex:array:' reason], sprintf(['gpumex.array, %s: ' format], method, varargin{:}));
end
