function count = spmdSize
%SPMDSIZE  Stand-in for MATLAB's: the ranks of the communicator that check_on_ranks has set, or of MPI's.
count = spmd_ranks().ranks;
end
