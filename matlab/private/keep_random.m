function restore = keep_random
%KEEP_RANDOM  An object that, when it goes, gives rand the state that it has now.
%   Octave and MATLAB keep it in different ways.

if exist('OCTAVE_VERSION', 'builtin')
    state = rand('twister');
    restore = onCleanup(@() rand('twister', state));
else
    state = rng;
    restore = onCleanup(@() rng(state));
end
end
