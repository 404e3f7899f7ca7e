function check_operations(backend)
%CHECK_OPERATIONS  One call of everything, with its answer checked.
%   It calls few other M files, no assert and no isequal: after `clear all` Octave parses each of them again, which
%   takes a millisecond and more, and test_session does that a thousand times.
board = lcg_board(20, 30);
check_equal('life', gpumex.life(board, 5, 'Backend', backend), life_oracle(board, 5));
A = [16 2 3 13; 5 11 10 8; 9 7 6 12; 4 14 15 1];
check_equal('matmul', gpumex.matmul(A, eye(4), 'Backend', backend), A);
check_equal('histogram', sum(gpumex.histogram(uint8(1:200), 'Backend', backend)), 200);
spheres = [1 1 1 5 0 0 0];
check_equal('raytrace', gpumex.raytrace(spheres, 16, 12, 'Backend', backend), raytrace_oracle(spheres, 16, 12));
check_equal('unique', gpumex.unique([3 1 3 2], 'Backend', backend), 1:3);
check_equal('reduce', gpumex.reduce(1:100, 'sum', 'Backend', backend), 5050);
info = gpumex.info('Backend', backend);
check_equal('info', info.Backend, backend);
end

function check_equal(name, got, want)
if ndims(got) ~= ndims(want) || any(size(got) ~= size(want)) || any(got(:) ~= want(:))
    error('%s: a wrong answer', name);
end
end
