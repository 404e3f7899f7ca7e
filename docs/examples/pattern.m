file = [tempname '.rle'];
gpumex.write_pattern(file, [0 1 0; 0 0 1; 1 1 1]);   % a glider
board = gpumex.read_pattern(file);
delete(file);
picture = '.#';
for row = 1:3
    fprintf('%s\n', picture(board(row, :) + 1));
end
fprintf('%d cells alive\n', sum(board(:)));
