function varargout = gpumex_narrow_call(x, op, place, call)
%GPUMEX_NARROW_CALL  Reductions, also of logicals and of integers of 1 and 2 bytes; the gpumex functions use it.
%   [...] = gpumex_narrow_call(X, OP, PLACE, CALL) returns what CALL(X) does. Where X is
%   of a class that the library does not reduce it is what CALL(WIDE) does, where
%   WIDE has the elements of X in a class that the library reduces, and gives output
%   PLACE the class of X: doubles are exact for sums, products and extrema, which
%   saturate where they are rounded to that class at last. Sums and products of logicals
%   stay double. What nothing was reduced to is what leaves any number as it is.
%
%   See also gpumex_call, gpumex.segreduce, gpumex.reduce_by_key.

if ~(islogical(x) && ~issparse(x)) && ~any(strcmp(class(x), {'int8', 'uint8', 'int16', 'uint16'}))
    [varargout{1:nargout}] = call(x);
    return
end
are_bits = any(strcmpi(op, {'and', 'or', 'xor'}));
wide = 'double';
if are_bits && any(strcmp(class(x), {'int8', 'int16'}))
    wide = 'int32';
elseif are_bits
    wide = 'uint32';
end
[varargout{1:nargout}] = call(cast(x, wide));
if nargout < place || islogical(x) && any(strcmpi(op, {'sum', 'prod'}))
    return
end
y = varargout{place};
of_none = isnan(double(y));
if islogical(x)
    y(of_none) = strcmpi(op, 'min');
    y = y ~= 0;
else
    limits = {intmin(class(x)), intmax(class(x))};
    y = cast(y, class(x));
    y(of_none) = limits{1 + strcmpi(op, 'min')};
end
varargout{place} = y;
end
