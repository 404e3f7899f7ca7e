function check_built(operation)
%CHECK_BUILT  Raise the error of an operation where the MEX file of gpumex is not there.
if exist('gpumex_mex', 'file') == 3
    return                                      % a package of Octave has it in a folder of its own on the path
end
here = mfilename('fullpath');
folder = here(1:end - numel(mfilename));
gateway = [folder 'gpumex_mex.' mexext];
if ~exist(gateway, 'file')
    builder = 'build_gpumex builds it';
    if ~exist(fullfile(fileparts(fileparts(here)), 'build_gpumex.m'), 'file')
        builder = 'this package was not installed for this version of Octave: pkg install builds it';
    end
    error(['gpumex:' operation ':notBuilt'], 'gpumex.%s: %s is not there; %s', operation, gateway, builder);
end
end
