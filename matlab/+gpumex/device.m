function varargout = device(varargin)
%DEVICE  Choose the GPU that gpumex computes on, ask about it, wait for it.
%   DEVICE = gpumex.device returns what gpumex.info returns, and prints it
%   without an output.
%
%   gpumex.device(K) chooses the CUDA device K, counted from 0 as CUDA and the
%   environment variable GPUMEX_DEVICE count (gpuDevice counts from 1). From here
%   on 'Backend', 'auto' and 'Backend', 'cuda' compute there, until
%   gpumex.reset_default or another choice. gpumex.arrays on the device before
%   are usable again when that one is chosen again; gather them first.
%   DEVICE = gpumex.device(K) returns its information, too.
%
%   COUNT = gpumex.device('count') is how many CUDA devices there are; 0 where
%   CUDA cannot be used.
%
%   gpumex.device('wait') waits until the device has done all it was given, as
%   wait(gpuDevice) does, and reports a fault of it. Calls with gpumex.arrays may
%   return before that; gather and MS wait by themselves.
%
%   gpumex.device(..., 'Backend', BACKEND) asks about or waits for 'auto'
%   (default), 'cpu', or 'cuda'.
%
%   Example:
%      A = gpumex.array(rand(2000));
%      tic, gpumex.matmul(A, A); gpumex.device('wait'), toc
%
%   Errors: gpumex:device:invalidDevice, invalidAction, invalidOption,
%   invalidBackend, and the states of the library: noDevice, cuda, busy, internal.
%
%   See also gpumex.info, gpumex.reset_default, gpumex.array.

[action, options] = split(varargin);
if nargout > 1
    error('gpumex:device:argumentCount', 'gpumex.device: %d outputs are asked for; there is one at most', nargout);
elseif isnumeric(action)
    gpumex_call('device', {'choose', action}, {}, options);
    if nargout > 0
        varargout{1} = gpumex.info;
    end
elseif strcmp(action, 'info')
    if ~isempty(options) && ~(numel(options) == 2 && strcmpi(options{1}, 'Backend'))
        error('gpumex:device:invalidOption', 'gpumex.device: the option of ''info'' is Backend, with a value');
    end
    [varargout{1:nargout}] = gpumex.info(options{:});
elseif strcmp(action, 'count')
    varargout{1} = gpumex_call('device', {action}, {}, options);
elseif strcmp(action, 'wait')
    gpumex_call('device', {action}, {'Backend'}, options);
else
    refuse(action);
end
end

function refuse(action)
if ~ischar(action)
    action = class(action);
end
error('gpumex:device:invalidAction', ...
    'gpumex.device: the action is %s; it is the number of a device, ''info'', ''count'' or ''wait''', action);
end

function [action, options] = split(given)
% A number or a word may stand before the options.
action = 'info';
options = given;
if ~isempty(given) && (isnumeric(given{1}) || mod(numel(given), 2) == 1)
    action = given{1};
    options = given(2:end);
end
if isa(action, 'string') && isscalar(action)
    action = char(action);
end
if ischar(action)
    action = lower(action);
end
end
