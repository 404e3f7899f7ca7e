owners = gpumex.load_balance_search([2 5 3 0 1]);   % the counts, not their scan
fprintf('%d ', owners - 1);
fprintf('\n');
