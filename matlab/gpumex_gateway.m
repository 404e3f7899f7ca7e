function [gateway, raise] = gpumex_gateway(operation)
%GPUMEX_GATEWAY  Handles of the MEX gateway, for functions that call it the shortest way.
%   [GATEWAY, RAISE] = gpumex_gateway(OPERATION) returns the handle of the MEX file
%   gpumex_mex, and that of the function that raises what the library reported, in
%   the name of an operation: RAISE(OPERATION, PROBLEM). Where the gateway has
%   refused the arguments it returns: M code may serve them, or call gpumex_call,
%   which says what is wrong. The package functions do not see them, as both lie
%   in the private folder beside this function.
%
%   A call by handle saves what gpumex_call does for every operation, some 50
%   microseconds in Octave, of which a call of another function in M takes 10: the
%   package functions begin with the same lines each, not with a function of them.
%   Octave takes 1 to 2 microseconds for each name of a function that it looks up:
%   the first call fails for want of the handles and asks for them then, and what is
%   checked beside is checked once the gateway has refused. [varargout{1:n}] = ...
%   takes 10 more, so that one result has a line of its own.
%
%   See also gpumex_call, gpumex.life.

check_built(operation);
gateway = @gpumex_mex;
raise = @raise_state;
end
