function varargout = join(A, B, varargin)
%JOIN  Pairs of rows with equal keys, as a database joins them.
%   [IA, IB] = gpumex.join(A, B) returns every pair of an element of A and an
%   element of B that are equal: A(IA) is B(IB). A and B hold the keys of two
%   tables, in any order and with duplicates; they are full and real, of any
%   size and one class: logical, char, an integer class, single or double. A key that
%   A has m times and B n times gives m*n pairs. IA and IB are columns of
%   doubles.
%
%   [IA, IB] = gpumex.join(A, B, KIND) also keeps what has no partner, for which
%   the other index is 0:
%
%      'inner'  pairs alone (default)
%      'left'   every element of A
%      'right'  every element of B
%      'outer'  every element of both
%
%   The pairs come in the order of their keys, those of one key in the order of
%   A, then of B. What B alone has comes after all from A. No NaN has a
%   partner.
%
%   [IA, IB] = gpumex.join(..., 'Sorted', true) says that A and B are in
%   ascending order already, which saves sorting them; where they are not, it is
%   an error (invalidArgument). The default is false.
%
%   A and B may be gpumex.arrays; IA and IB are arrays of the host.
%
%   [IA, IB] = gpumex.join(..., 'Variant', VARIANT) chooses how it is computed:
%   'auto' (default), or 'sequential', a plain loop on one core, CPU backend
%   only.
%
%   [IA, IB] = gpumex.join(..., 'Backend', BACKEND) chooses where: 'auto'
%   (default; the environment variable GPUMEX_BACKEND, else a GPU where there is
%   one, else the CPU), 'cpu', or 'cuda'.
%
%   Example:
%      [ia, ib] = gpumex.join([3 1 2], [2 3 3 9]);             % [3; 1; 1] and [1; 2; 3]
%      [ia, ib] = gpumex.join([3 1 2], [2 3 3 9], 'outer');    % [2; 3; 1; 1; 0] and [0; 1; 2; 3; 4]
%
%   Errors: gpumex:join:argumentCount, invalidKeys, mixedClasses, invalidKind,
%   invalidSorted, invalidOption, invalidVariant, invalidBackend, and the states
%   of the library: noDevice, invalidArgument, unsupported, outOfMemory, cuda,
%   busy, internal.
%
%   See also gpumex.intersect, gpumex.ismember, gpumex.search, innerjoin,
%   outerjoin.

persistent gateway raise
try
    if nargout < 2
        varargout = {gateway('.join', A, B, varargin{:})};
    else
        [varargout{1:nargout}] = gateway('.join', A, B, varargin{:});
    end
    return
catch problem
    if isempty(gateway)                         % the first call
        [gateway, raise] = gpumex_gateway('join');
    else                                        % a gpumex.array, or what the way below serves, or refuses
        raise('join', problem);
    end
end
if nargin < 2
    error('gpumex:join:argumentCount', 'gpumex.join: needs the keys of two tables');
end
[varargout{1:max(nargout, 1)}] = gpumex_call('join', {A, B}, {'Sorted', 'Variant', 'Backend'}, varargin, 'inner');
