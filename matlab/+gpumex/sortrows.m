function [B, I] = sortrows(A, varargin)
%SORTROWS  Rows of a matrix in order.
%   B = gpumex.sortrows(A) sorts the rows of the matrix A in ascending order of
%   their first elements, where these are equal of the second ones, and so on. A
%   is full and real, logical, char, of an integer class, single or double.
%
%   B = gpumex.sortrows(A, COLUMNS) compares the elements of these columns
%   alone, in this order; a negative number stands for descending order.
%
%   B = gpumex.sortrows(A, COLUMNS, DIRECTION): 'ascend' or 'descend', or a cell array
%   with a word for each of COLUMNS, which are positive then.
%
%   B = gpumex.sortrows(..., 'MissingPlacement', WHERE, 'ComparisonMethod', METHOD) are
%   as gpumex.sort_keys has them.
%
%   [B, I] = gpumex.sortrows(...) also returns where the rows were: B is A(I,:).
%   I is a column of doubles. Equal rows keep their order.
%
%   The keys are sorted as gpumex.sort_keys does, a column after another, from
%   the last one to the first. A is an array of the host.
%
%   B = gpumex.sortrows(..., 'Variant', VARIANT) chooses how it is computed:
%   'auto' (default), or 'sequential', a plain loop on one core, CPU backend
%   only.
%
%   B = gpumex.sortrows(..., 'Backend', BACKEND) chooses where: 'auto' (default;
%   the environment variable GPUMEX_BACKEND, else a GPU where there is one, else
%   the CPU), 'cpu', or 'cuda'.
%
%   Example:
%      [B, I] = gpumex.sortrows([2 7; 1 9; 2 3], [1 -2])       % [1 9; 2 7; 2 3] and [2; 1; 3]
%
%   Errors: gpumex:sortrows:argumentCount, invalidData, invalidColumns, invalidDirection,
%   invalidOption, invalidVariant, invalidBackend, and the states of the
%   library: noDevice, invalidArgument, unsupported, outOfMemory, cuda, busy,
%   internal.
%
%   See also gpumex.sort_keys, gpumex.sort_by_key, sortrows.

persistent gateway raise
try
    if nargout < 2
        B = gateway('.sortrows', A, varargin{:});
    else
        [B, I] = gateway('.sortrows', A, varargin{:});
    end
    return
catch problem
    if isempty(gateway)                         % the first call
        [gateway, raise] = gpumex_gateway('sortrows');
    else                                        % what the way below serves, or refuses
        raise('sortrows', problem);
    end
end
if nargin < 1
    error('gpumex:sortrows:argumentCount', 'gpumex.sortrows: needs a matrix');
end
columns = 1:size(A, 2);
if ~isempty(varargin) && ~ischar(varargin{1}) && ~isa(varargin{1}, 'string') && ~iscellstr(varargin{1})
    columns = varargin{1};
    varargin(1) = [];
end
check_arguments(A, columns);
% {'MissingPlacement', 'ComparisonMethod', 'Variant', 'Backend'}
[where, method, options] = gpumex_order_options('sortrows', varargin);
[columns, options] = take_directions(double(columns), options);
if strcmp(where, 'auto') && ~strcmp(method, 'abs')
    [B, I] = gpumex_call('.sortrows', {A, columns}, {}, options); % {'Variant', 'Backend'}
    return
end
words = {'descend', 'ascend'};
I = (1:size(A, 1)).';
for k = numel(columns):-1:1
    [~, order] = gpumex.sort_keys(A(I, abs(columns(k))), 1, words{1 + (columns(k) > 0)}, options{:}, ...
        'MissingPlacement', where, 'ComparisonMethod', method);
    I = I(order);
end
B = A(I, :);
end

function [columns, options] = take_directions(columns, options)
% Negative columns where the direction is descending.
if mod(numel(options), 2) == 0
    return
end
words = {'descend', 'ascend'};
given = options{1};
options(1) = [];
if isa(given, 'string')
    given = cellstr(given);
elseif ischar(given)
    given = {given};
end
if ~iscell(given) || ~any(numel(given) == [1, numel(columns)]) || ~all(cellfun(@(x) any(strcmpi(x, words)), given))
    error('gpumex:sortrows:invalidDirection', 'gpumex.sortrows: the direction is ascend or descend, or a cell array with one for each column');
end
columns = reshape(abs(columns(:)) .* (2 * strcmpi(given(:), 'ascend') - 1), 1, []);
end

function check_arguments(A, columns)
if isa(A, 'gpumex.array') || ~(isnumeric(A) || islogical(A) || ischar(A)) || ndims(A) ~= 2 || issparse(A)
    error('gpumex:sortrows:invalidData', 'gpumex.sortrows: A is a full matrix, logical, char or numeric, of the host');
end
if ~isnumeric(columns) || any(columns(:) == 0 | columns(:) ~= fix(columns(:)) | abs(columns(:)) > size(A, 2))
    error('gpumex:sortrows:invalidColumns', ...
        'gpumex.sortrows: columns are whole numbers from 1 to %d, negative ones for descending order', size(A, 2));
end
end
