function [B, I] = sortrows(A, columns, varargin)
%SORTROWS  Rows of a matrix in order.
%   B = gpumex.sortrows(A) sorts the rows of the matrix A in ascending order of
%   their first elements, where these are equal of the second ones, and so on. A
%   is full and real, logical, of an integer class, single or double.
%
%   B = gpumex.sortrows(A, COLUMNS) compares the elements of these columns
%   alone, in this order; a negative number stands for descending order.
%
%   [B, I] = gpumex.sortrows(...) also returns where the rows were: B is A(I,:).
%   I is a column of doubles. Equal rows keep their order.
%
%   The keys are sorted by gpumex.sort_keys, a column after another, from the
%   last one to the first; the rows are gathered by MATLAB. A is an array of the
%   host.
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
%   Errors: gpumex:sortrows:argumentCount, invalidData, invalidColumns,
%   invalidOption, invalidVariant, invalidBackend, and the states of the
%   library: noDevice, invalidArgument, unsupported, outOfMemory, cuda, busy,
%   internal.
%
%   See also gpumex.sort_keys, gpumex.sort_by_key, sortrows.

if nargin < 1
    error('gpumex:sortrows:argumentCount', 'gpumex.sortrows: needs a matrix');
end
if nargin < 2 || ischar(columns) || isa(columns, 'string')
    if nargin > 1
        varargin = [{columns}, varargin];
    end
    columns = 1:size(A, 2);
end
check_arguments(A, columns);
directions = {'descend', 'ascend'};
I = (1:size(A, 1)).';
for column = reshape(columns(end:-1:1), 1, [])
    direction = directions{1 + (column > 0)};
    [~, order] = gpumex_call('sortrows', {A(I, abs(column))}, {'Variant', 'Backend'}, varargin, direction);
    I = I(order);
end
B = A(I, :);
end

function check_arguments(A, columns)
if isa(A, 'gpumex.array') || ~(isnumeric(A) || islogical(A)) || ndims(A) ~= 2 || issparse(A)
    error('gpumex:sortrows:invalidData', 'gpumex.sortrows: A is a full matrix, logical or numeric, of the host');
end
if ~isnumeric(columns) || any(columns(:) == 0 | columns(:) ~= fix(columns(:)) | abs(columns(:)) > size(A, 2))
    error('gpumex:sortrows:invalidColumns', ...
        'gpumex.sortrows: columns are whole numbers from 1 to %d, negative ones for descending order', size(A, 2));
end
end
