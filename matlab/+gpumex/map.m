function y = map(expression, varargin)
%MAP  Element-wise expression over arrays, in one pass over memory.
%   Y = gpumex.map(EXPRESSION, A, B, ...) computes EXPRESSION, a text, for each
%   element of up to 16 arrays, which it calls a, b, c and so on. The arrays are
%   full and real, logical, of an integer class, single or double; their sizes
%   are equal, or 1 along a dimension in which others are longer, as for A + B.
%   The whole expression reads each array once and writes Y once, on all cores
%   or on the GPU: there are no temporary arrays, whatever it has of operators.
%
%   Y = gpumex.map(..., 'Names', NAMES) calls the arrays by other names: 'x n', or
%   {'x', 'n'}. A name hides a function or a constant that has it.
%
%   Operators, from low to high precedence:
%      c ? x : y                  one of two values
%      ||, then &&, |, &          logic; both sides are computed
%      == ~= != < <= > >=         comparisons
%      + -, then * / .* ./        all element-wise
%      + - ~ !                    of one value
%      ^ .^                       powers, from the left
%
%   Numbers are 1, 2.5, 1e-3, 0x1F, pi, inf, nan, eps, true, false. Functions:
%      abs sign min max mod rem power hypot floor ceil round fix sqrt cbrt exp
%      expm1 exp2 log log1p log2 log10 sin cos tan asin acos atan atan2 sinh cosh
%      tanh asinh acosh atanh erf erfc gamma gammaln isnan isinf isfinite not and
%      or xor eq ne lt le gt ge plus minus times rdivide uminus uplus ifelse
%      select bitand bitor bitxor bitcmp bitshift, and the names of classes.
%
%   Classes are those of MATLAB's operators: an integer class wins over single,
%   single over double, and logicals are doubles in sums; integers round and
%   saturate, and two integer classes in one sum are an error. What differs: a
%   result that would be complex is NaN (sqrt(-1)); NaN is true as a condition;
%   int64 and uint64 with whole numbers in the text are exact; a single is
%   compared with a double as it is; mod takes no quotient near a whole number
%   for whole.
%
%   Y = gpumex.map(..., 'Class', CLASS) converts the result: 'single', 'uint8'.
%
%   A gpumex.array as one of the arrays gives Y as a gpumex.array, and a gpuArray
%   of MATLAB, which is used where it lies, a gpuArray.
%
%   Y = gpumex.map(..., 'Variant', VARIANT) chooses how it is computed: 'auto'
%   (default), or 'sequential', on one core, CPU backend only.
%
%   Y = gpumex.map(..., 'Backend', BACKEND) chooses where: 'auto' (default; where
%   a gpumex.array of the inputs lies, else the environment variable
%   GPUMEX_BACKEND, else a GPU where there is one, else the CPU), 'cpu', or 'cuda'.
%
%   Accuracy: sums, products, quotients, square roots, conversions and comparisons
%   are rounded once each; the other functions are within 4 units in the last
%   place, gamma and gammaln 16.
%
%   An expression that is wrong is the error gpumex:map:invalidExpression: the
%   message has the expression and a mark below the character where it is wrong.
%
%   Examples:
%      x = rand(1000) > 0.7;
%      n = uint8(8 * rand(1000));
%      next = gpumex.map('(x & n == 2) | n == 3', x, n, 'Names', 'x n');
%
%      gpumex.map('sqrt(a^2 + b^2)', 3, [4 0 -4])      % 5 3 5
%      gpumex.map('a + b', int8(100), (0:50:100).')    % 100; 127; 127
%
%   Errors: gpumex:map:argumentCount, invalidExpression, invalidData,
%   sizeMismatch, invalidNames, invalidClass, invalidOption, invalidVariant,
%   invalidBackend, and the states of the library: noDevice, invalidArgument,
%   unsupported, outOfMemory, cuda, busy, cancelled, internal.
%
%   See also gpumex.array, gpumex.reduce, arrayfun, bsxfun.

if nargin < 1
    error('gpumex:map:argumentCount', 'gpumex.map: needs an expression');
end
persistent gateway raise
if isempty(gateway)
    [gateway, raise] = gpumex_gateway('map');
end
if ~any(cellfun('isclass', varargin, 'char'))
    try
        y = gateway('map', expression, varargin{:}, 'auto', 'auto', 'auto', 'auto');
        return
    catch problem                               % a gpumex.array, or what the way below serves, or refuses
        raise('map', problem);
    end
end
first = find([cellfun(@is_text, varargin), true], 1);
options = varargin(first:end);
for k = 2:2:numel(options)
    if iscellstr(options{k}) && strcmpi(options{k - 1}, 'Names')
        options{k} = strjoin(options{k}, ' ');
    end
end
if isa(expression, 'string')
    expression = char(expression);
end
y = gpumex_call('map', [{expression}, varargin(1:first - 1)], {'Names', 'Class', 'Variant', 'Backend'}, options);
end

function tf = is_text(x)
tf = ischar(x) || isa(x, 'string');
end
