function tf = issorted(X, varargin)
%ISSORTED  Whether a vector ascends, or descends, on gpuArrays.
%   issorted(X, MODE): MODE is 'ascend' (the default), 'descend' or 'either'; NaN is
%   after all numbers, descending before them.

if any(strcmp(varargin, 'rows'))
    error('gpumex:gpuArray:notServed', 'issorted: ''rows'' is not served for gpuArrays');
end
modes = [varargin {'ascend'}];
mode = lower(modes{1});
if ~any(strcmp(mode, {'ascend', 'ascending', 'descend', 'descending', 'either'}))
    error('issorted: MODE must be "ascend", "descend", or "either"');
elseif ~(isvector(X) || isempty(X))
    error('issorted: needs a vector');
end
n = numel(X);
first = X(1:n - 1);
second = X(2:n);
tf = (~strncmp(mode, 'desc', 4) && in_order(first, second)) || (~strncmp(mode, 'asc', 3) && in_order(second, first));
end

function tf = in_order(small, large)
tf = all(small <= large | isnan(large));
end
