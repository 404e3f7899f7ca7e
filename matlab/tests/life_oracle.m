function board = life_oracle(board, generations, boundary, birth, survival)
%LIFE_ORACLE  Life by two-dimensional convolution, with clamped edges and the rule B3/S23.
%   life_oracle(BOARD, GENERATIONS, BOUNDARY, BIRTH, SURVIVAL) takes a boundary, 'clamp', 'dead' or 'torus', and a rule
%   as the numbers of neighbours for birth and survival.
if nargin < 3
    boundary = 'clamp';
    birth = 3;
    survival = [2 3];
end
if isempty(board)
    return
end
[rows, cols] = size(board);
ring = [1 1 1; 1 0 1; 1 1 1];
next = false(2, 9);                             % by the state of a cell and the number of its neighbours
next(1, birth + 1) = true;
next(2, survival + 1) = true;
board = board ~= 0;
for generation = 1:generations
    switch boundary
        case 'clamp'
            neighbours = conv2(double(board([1 1:rows rows], [1 1:cols cols])), ring, 'valid');
        case 'torus'
            neighbours = conv2(double(board([rows 1:rows 1], [cols 1:cols 1])), ring, 'valid');
        case 'dead'
            neighbours = conv2(double(board), ring, 'same');
    end
    board = reshape(next(1 + board + 2 * neighbours), rows, cols);
end
end
