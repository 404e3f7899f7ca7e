function board = lcg_board(rows, cols, seed)
%LCG_BOARD  A board with about a quarter of its cells alive, the same on every system.
%   The generator is seed <- (1103515245*seed + 12345) mod 2^31; the cells come row by row.
if nargin < 3
    seed = 12345;
end
cells = false(cols, rows);
for k = 1:numel(cells)
    low = mod(seed, 65536);
    high = floor(seed / 65536);
    seed = mod(1103515245 * low + mod(1103515245 * high, 32768) * 65536 + 12345, 2147483648);
    cells(k) = mod(floor(seed / 65536), 4) == 0;
end
board = cells.';
end
