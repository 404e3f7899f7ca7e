function name = underlying(x)
%UNDERLYING  The class of the elements of an array of the host or a gpumex.array.
if isa(x, 'gpumex.array')
    name = classUnderlying(x);
else
    name = class(x);
end
end
