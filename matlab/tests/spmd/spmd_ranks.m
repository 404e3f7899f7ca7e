function ranks = spmd_ranks(given)
%SPMD_RANKS  The communicator, or a structure like one, that plays the workers of spmd; with an input it is that one from here on.
persistent kept
if nargin > 0
    kept = given;
end
ranks = kept;
end
