[words, counts, summary] = gpumex.words('to be, or not to be: that is the question', 2);
fprintf('%d %s\n', counts(1), words{1}, counts(2), words{2});
fprintf('%d words, %d distinct\n', summary.Words, summary.Distinct);
