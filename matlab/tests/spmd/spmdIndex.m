function index = spmdIndex
%SPMDINDEX  Stand-in for MATLAB's: this rank, from 1.
index = spmd_ranks().rank + 1;
end
