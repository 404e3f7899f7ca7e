text = 'to be, or not to be: that is the question';
[words, counts, summary] = gpumex.words(text, 2);
fprintf('%d %s\n', counts(1), words{1}, counts(2), words{2});
fprintf('%d words, %d distinct\n', summary.Words, summary.Distinct);
