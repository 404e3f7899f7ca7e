function restore = seed_random(seed)
%SEED_RANDOM  Start rand anew from a seed. When the object that it returns goes, rand has its state of before.
if exist('OCTAVE_VERSION', 'builtin')
    state = rand('twister');
    restore = onCleanup(@() rand('twister', state));
    rand('twister', seed);
else
    state = rng(seed);
    restore = onCleanup(@() rng(state));
end
end
