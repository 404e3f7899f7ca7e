function values = tuning(kernel, values, varargin)
%TUNING  Launch parameters of the kernels.
%   TEXT = gpumex.tuning is a table of all kernels that can be tuned, with their
%   launch parameters on this device and what these mean.
%
%   VALUES = gpumex.tuning(KERNEL) returns those of one kernel, by its name in that
%   table, as a structure: Threads of a block; Values, the work of a thread or a
%   block; Cache, the preferred split of the L1 cache, a number of
%   gpumex_cache_preference. 0 is chosen by the types or the size.
%
%   gpumex.tuning(KERNEL, VALUES) sets them for the calls from here on; a field that
%   is not there stays as it is. Results are the same with every tuning.
%
%   ... = gpumex.tuning(..., 'Backend', BACKEND) is of the context of 'auto' (default),
%   'cpu', or 'cuda', which are three; gpumex.reset_default forgets those of 'auto'.
%
%   Example:
%      device = gpumex.info;
%      if strcmp(device.Backend, 'cuda')
%          values = gpumex.tuning('histogram_shared');
%          gpumex.tuning('histogram_shared', struct('Threads', 256));
%          gpumex.tuning('histogram_shared', values);
%      end
%
%   Errors: gpumex:tuning:invalidKernel, invalidTuning, invalidOption,
%   invalidBackend, and the states of the library: noDevice, invalidArgument,
%   unsupported, cuda, busy, internal.
%
%   See also gpumex.info, gpumex.timer.

names = {'Backend'};
if nargin == 0 || is_word(kernel, names)
    given = {};
    if nargin > 0
        given = [{kernel, values}, varargin];
    end
    values = gpumex_call('.tuning', {'text', [], []}, {}, given);
elseif nargin == 1 || is_word(values, names)
    given = {};
    if nargin > 1
        given = [{values}, varargin];
    end
    values = gpumex_call('.tuning', {'get', kernel, []}, {}, given);
else
    gpumex_call('.tuning', {'set', kernel, values}, {}, varargin);
    values = gpumex_call('.tuning', {'get', kernel, []}, {}, varargin);
end
end

function tf = is_word(x, words)
tf = (ischar(x) || isa(x, 'string')) && any(strcmpi(char(x), words));
end
