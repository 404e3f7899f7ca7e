function [gateway, raise] = gpumex_gateway(operation)
%GPUMEX_GATEWAY  Handles of the MEX gateway, for functions that call it the shortest way.
%   [GATEWAY, RAISE] = gpumex_gateway(OPERATION) returns the handle of the MEX file
%   gpumex_mex, and that of the function that raises what it reports in the name
%   of an operation: RAISE(OPERATION, PROBLEM). The package functions do not see
%   them, as both lie in the private folder beside this function.
%
%   A call by handle saves what gpumex_call does for every operation, some 50
%   microseconds in Octave; a short run of Life takes no longer.
%
%   See also gpumex_call, gpumex.life.

check_built(operation);
gateway = @gpumex_mex;
raise = @raise_problem;
end
