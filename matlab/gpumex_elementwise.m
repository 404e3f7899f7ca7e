classdef gpumex_elementwise
%GPUMEX_ELEMENTWISE  The element-wise operators and functions of gpumex.array.
%   Each is one pass of gpumex.map, with its classes and sizes. gpumex.map takes
%   whole expressions in one pass.
%
%   See also gpumex.array, gpumex.map.

methods
    % Operators and functions of two arrays.
    function C = plus(A, B), C = elementwise('plus', 'a + b', A, B); end
    function C = minus(A, B), C = elementwise('minus', 'a - b', A, B); end
    function C = times(A, B), C = elementwise('times', 'a * b', A, B); end
    function C = rdivide(A, B), C = elementwise('rdivide', 'a / b', A, B); end
    function C = ldivide(A, B), C = elementwise('ldivide', 'b / a', A, B); end
    function C = eq(A, B), C = elementwise('eq', 'a == b', A, B); end
    function C = ne(A, B), C = elementwise('ne', 'a ~= b', A, B); end
    function C = lt(A, B), C = elementwise('lt', 'a < b', A, B); end
    function C = le(A, B), C = elementwise('le', 'a <= b', A, B); end
    function C = gt(A, B), C = elementwise('gt', 'a > b', A, B); end
    function C = ge(A, B), C = elementwise('ge', 'a >= b', A, B); end
    function C = mod(A, B), C = elementwise('mod', 'mod(a, b)', A, B); end
    function C = rem(A, B), C = elementwise('rem', 'rem(a, b)', A, B); end
    function C = atan2(A, B), C = elementwise('atan2', 'atan2(a, b)', A, B); end
    function C = hypot(A, B), C = elementwise('hypot', 'hypot(a, b)', A, B); end
    function C = bitand(A, B), C = of_bits('bitand', 'and(a, b)', A, B); end
    function C = bitor(A, B), C = of_bits('bitor', 'or(a, b)', A, B); end
    function C = bitxor(A, B), C = of_bits('bitxor', 'xor(a, b)', A, B); end
    function C = bitshift(A, B), C = elementwise('bitshift', 'bitshift(a, b)', A, B); end

    function C = power(A, B)
        refuse('power', 'a < 0 & fix(b) ~= b', 'complex', A, B);
        C = elementwise('power', 'a ^ b', A, B);
    end

    function C = mpower(A, B)
        if numel(A) ~= 1 || numel(B) ~= 1
            gpumex_array_error('mpower', 'notServed', 'powers of matrices are not served; A.^B is the power of each element');
        end
        C = power(A, B);
    end

    function C = mrdivide(A, B)
        if numel(B) ~= 1
            gpumex_array_error('mrdivide', 'notServed', 'A/B is served where B is a number; A./B divides each element');
        end
        C = elementwise('mrdivide', 'a / b', A, B);
    end

    function C = mldivide(A, B)
        if numel(A) ~= 1
            gpumex_array_error('mldivide', 'notServed', 'A\\B is served where A is a number; gather(A)\\gather(B) solves on the host');
        end
        C = elementwise('mldivide', 'b / a', A, B);
    end

    % Logic, which NaN has no place in.
    function C = and(A, B)
        refuse('and', 'isnan(a) | isnan(b)', 'nan', A, B);
        C = elementwise('and', 'a & b', A, B);
    end

    function C = or(A, B)
        refuse('or', 'isnan(a) | isnan(b)', 'nan', A, B);
        C = elementwise('or', 'a | b', A, B);
    end

    function C = xor(A, B)
        refuse('xor', 'isnan(a) | isnan(b)', 'nan', A, B);
        C = elementwise('xor', 'xor(a, b)', A, B);
    end

    function C = not(A)
        refuse('not', 'isnan(a)', 'nan', A);
        C = elementwise('not', '~a', A);
    end

    % Functions of one array.
    function C = uplus(A), C = elementwise('uplus', '+a', A); end
    function C = uminus(A), C = elementwise('uminus', '-a', A); end
    function C = real(A), C = elementwise('real', '+a', A); end
    function C = conj(A), C = elementwise('conj', '+a', A); end
    function C = abs(A), C = elementwise('abs', 'abs(a)', A); end
    function C = sign(A), C = elementwise('sign', 'sign(a)', A); end
    function C = floor(A), C = elementwise('floor', 'floor(a)', A); end
    function C = ceil(A), C = elementwise('ceil', 'ceil(a)', A); end
    function C = fix(A), C = elementwise('fix', 'fix(a)', A); end
    function C = cbrt(A), C = elementwise('cbrt', 'cbrt(a)', A); end
    function C = exp(A), C = elementwise('exp', 'exp(a)', A); end
    function C = expm1(A), C = elementwise('expm1', 'expm1(a)', A); end
    function C = sin(A), C = elementwise('sin', 'sin(a)', A); end
    function C = cos(A), C = elementwise('cos', 'cos(a)', A); end
    function C = tan(A), C = elementwise('tan', 'tan(a)', A); end
    function C = atan(A), C = elementwise('atan', 'atan(a)', A); end
    function C = sinh(A), C = elementwise('sinh', 'sinh(a)', A); end
    function C = cosh(A), C = elementwise('cosh', 'cosh(a)', A); end
    function C = tanh(A), C = elementwise('tanh', 'tanh(a)', A); end
    function C = asinh(A), C = elementwise('asinh', 'asinh(a)', A); end
    function C = erf(A), C = elementwise('erf', 'erf(a)', A); end
    function C = erfc(A), C = elementwise('erfc', 'erfc(a)', A); end
    function C = isnan(A), C = elementwise('isnan', 'isnan(a)', A); end
    function C = isinf(A), C = elementwise('isinf', 'isinf(a)', A); end
    function C = isfinite(A), C = elementwise('isfinite', 'isfinite(a)', A); end
    function C = gamma(A), C = elementwise('gamma', 'gamma(a)', A); end

    function C = round(A, digits)
        if nargin > 1
            gpumex_array_error('round', 'notServed', 'rounding to %g digits is not served; round(A * 10^n) / 10^n is', digits);
        end
        C = elementwise('round', 'round(a)', A);
    end

    % Those of which some elements would be complex.
    function C = sqrt(A), C = real_of('sqrt', 'a < 0', A); end
    function C = log(A), C = real_of('log', 'a < 0', A); end
    function C = log2(A), C = real_of('log2', 'a < 0', A); end
    function C = log10(A), C = real_of('log10', 'a < 0', A); end
    function C = log1p(A), C = real_of('log1p', 'a < -1', A); end
    function C = asin(A), C = real_of('asin', 'abs(a) > 1', A); end
    function C = acos(A), C = real_of('acos', 'abs(a) > 1', A); end
    function C = acosh(A), C = real_of('acosh', 'a < 1', A); end
    function C = atanh(A), C = real_of('atanh', 'abs(a) > 1', A); end
    function C = gammaln(A), C = real_of('gammaln', 'a < 0', A); end

    % Classes.
    function C = double(A), C = elementwise('double', 'double(a)', A); end
    function C = single(A), C = elementwise('single', 'single(a)', A); end
    function C = int8(A), C = elementwise('int8', 'int8(a)', A); end
    function C = int16(A), C = elementwise('int16', 'int16(a)', A); end
    function C = int32(A), C = elementwise('int32', 'int32(a)', A); end
    function C = int64(A), C = elementwise('int64', 'int64(a)', A); end
    function C = uint8(A), C = elementwise('uint8', 'uint8(a)', A); end
    function C = uint16(A), C = elementwise('uint16', 'uint16(a)', A); end
    function C = uint32(A), C = elementwise('uint32', 'uint32(a)', A); end
    function C = uint64(A), C = elementwise('uint64', 'uint64(a)', A); end

    function C = logical(A)
        refuse('logical', 'isnan(a)', 'nan', A);
        C = elementwise('logical', 'logical(a)', A);
    end

    function C = cast(A, name, other)
        if nargin == 3 && strcmp(name, 'like')
            name = underlying(other);
        end
        names = {'double', 'single', 'logical', 'int8', 'int16', 'int32', 'int64', 'uint8', 'uint16', 'uint32', 'uint64'};
        if ~any(strcmp(name, names))
            gpumex_array_error('cast', 'invalidClass', '"%s" is not a class of numbers', name);
        end
        C = elementwise('cast', [name '(a)'], A);
    end

    % Whether all elements are equal.
    function tf = isequal(A, varargin), tf = are_equal('isequal', 'a == b', A, varargin); end
    function tf = isequaln(A, varargin), tf = are_equal('isequaln', 'a == b | (isnan(a) & isnan(b))', A, varargin); end
end
end

function C = elementwise(method, text, varargin)
for k = 1:numel(varargin)
    if ischar(varargin{k})
        varargin{k} = double(varargin{k});
    end
end
C = gpumex_array_call(method, 'map', text, varargin{:}, 'auto', 'auto', 'auto', 'auto');
end

function C = of_bits(method, of_logicals, A, B)
if all(strcmp({underlying(A), underlying(B)}, 'logical'))
    C = elementwise(method, of_logicals, A, B);
    return
end
refuse(method, '~(a >= 0 & b >= 0 & fix(a) == a & fix(b) == b & a < 2^53 & b < 2^53)', 'fraction', A, B);
C = elementwise(method, [method '(a, b)'], A, B);
end

function C = real_of(method, condition, A)
refuse(method, condition, 'complex', A);
C = elementwise(method, [method '(a)'], A);
end

function refuse(method, condition, reason, varargin)
% Looks at the elements, where some may be of that kind, and waits for the answer.
names = cellfun(@underlying, varargin, 'UniformOutput', false);
are_integers = strncmp(names, 'int', 3) | strncmp(names, 'uint', 4);
if all(are_integers) || (strcmp(reason, 'nan') && ~any(ismember(names, {'single', 'double'})))
    return
end
if any_true(elementwise(method, condition, varargin{:}))
    texts = struct('nan', 'NaN is neither true nor false', 'fraction', 'doubles are whole numbers from 0 to 2^53', ...
        'complex', 'the result is complex for some elements; only real ones are served');
    gpumex_array_error(method, reason, texts.(reason));
end
end

function tf = any_true(flags)
if isa(flags, 'gpumex.array')                  % not a logical of the host, as one flag is
    flags = any(flags(:));
end
tf = flags;
end

function tf = are_equal(method, condition, A, others)
if isempty(others)
    gpumex_array_error(method, 'argumentCount', 'there is one array; two are compared');
end
tf = true;
for k = 1:numel(others)
    B = others{k};
    is_array = isa(B, 'gpumex.array') || isnumeric(B) || islogical(B) || ischar(B);
    tf = tf && is_array && isequal(size(A), size(B));
    if tf && numel(A) > 0
        differ = elementwise(method, ['~(' condition ')'], A, B);
        tf = ~any_true(differ);
    end
end
end
