needles = [5 20 31];
places = gpumex.search([10 20 20 30], needles);
fprintf('%g: %d are less\n', [needles; places - 1]);
