function ms = timer(action, varargin)
%TIMER  Time on the device between two calls.
%   gpumex.timer('start') starts the timer of the context, and MS = gpumex.timer('stop')
%   returns how many milliseconds have passed since on the device, whose work between
%   them is waited for; on the CPU backend it is the clock on the wall. The timer runs
%   on and may be read again.
%
%   gpumex.timer(..., 'Backend', BACKEND) takes that of 'auto' (default), 'cpu', or
%   'cuda', which are three.
%
%   Example:
%      A = gpumex.array(rand(1000));
%      gpumex.timer('start');
%      B = gpumex.matmul(A, A);
%      ms = gpumex.timer('stop');
%
%   Errors: gpumex:timer:argumentCount, invalidAction, invalidOption, invalidBackend,
%   and the states of the library: noDevice, invalidArgument (the timer was not
%   started), cuda, busy, internal.
%
%   See also gpumex.device, tic, toc.

if nargin < 1
    error('gpumex:timer:argumentCount', 'gpumex.timer: needs ''start'' or ''stop''');
end
if strcmpi(action, 'start')
    gpumex_call('.timer', {action}, {}, varargin);      % {'Backend'}
else
    ms = gpumex_call('.timer', {action}, {}, varargin);
end
end
