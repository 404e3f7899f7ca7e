owners = gpumex.load_balance_search([2 5 3 0 1]);   % the counts; the scan is done inside
fprintf('%d ', owners - 1);
fprintf('\n');
