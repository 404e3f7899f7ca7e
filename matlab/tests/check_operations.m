function check_operations(backend)
%CHECK_OPERATIONS  One call of everything, with its answer checked.
board = lcg_board(20, 30);
assert(isequal(gpumex.life(board, 5, 'Backend', backend), life_oracle(board, 5)));
assert(isequal(gpumex.matmul(magic(4), eye(4), 'Backend', backend), magic(4)));
assert(sum(gpumex.histogram(uint8(1:200), 'Backend', backend)) == 200);
spheres = [1 1 1 5 0 0 0];
assert(isequal(gpumex.raytrace(spheres, 16, 12, 'Backend', backend), raytrace_oracle(spheres, 16, 12)));
assert(isequal(gpumex.unique([3 1 3 2], 'Backend', backend), 1:3));
assert(gpumex.reduce(1:100, 'sum', 'Backend', backend) == 5050);
assert(strcmp(getfield(gpumex.info('Backend', backend), 'Backend'), backend));
end
