function check_built(operation)
%CHECK_BUILT  Raise the error of an operation where the MEX file of gpumex is not there.
here = mfilename('fullpath');
gateway = [here(1:end - numel(mfilename)) 'gpumex_mex.' mexext];
if ~exist(gateway, 'file')
    error(['gpumex:' operation ':notBuilt'], ...
        'gpumex.%s: %s is not there; build_gpumex builds it', operation, gateway);
end
end
