%CLEAR_ALL_ROUNDS  A thousand times: call everything, hold arrays, and `clear all`.
%   A script, since `clear all` takes the variables of the workspace that it runs in. What has to outlive it is in the environment:
%   GPUMEX_ROUNDS_BACKEND says where to compute, GPUMEX_ROUNDS_EARLY and GPUMEX_ROUNDS_LATE get the resources of the session after
%   round 10 and after the last one.
for round = 1:1000
    if round == 11
        setenv('GPUMEX_ROUNDS_EARLY', mat2str(held_resources()));
    end
    backend = getenv('GPUMEX_ROUNDS_BACKEND');
    check_operations(backend);
    A = gpumex.array(true(100), 'Backend', backend);
    B = {gpumex.life(A, 1, 'Backend', backend), A};
    clear all
end
setenv('GPUMEX_ROUNDS_LATE', mat2str(held_resources()));
