function board = lcg_board(rows, cols, seed)
%LCG_BOARD  A board with about a quarter of its cells alive, the same on every system.
%   The generator is seed <- (1103515245*seed + 12345) mod 2^31; the cells come row by row.
if nargin < 3
    seed = 12345;
end
modulus = uint64(2)^31;                 % products of two numbers below it fit into 64 bits
a = uint64(1103515245);
c = uint64(12345);
seeds = mod(a * uint64(seed) + c, modulus);
while numel(seeds) < rows * cols        % a and c step over as many seeds as there are: twice as many each time
    seeds = [seeds, mod(a * seeds + c, modulus)];
    c = mod(a * c + c, modulus);
    a = mod(a * a, modulus);
end
cells = bitand(bitshift(seeds(1:rows * cols), -16), 3) == 0;
board = reshape(cells, cols, rows).';
end
