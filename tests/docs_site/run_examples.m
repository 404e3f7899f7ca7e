function run_examples(folder)
%RUN_EXAMPLES  Runs the examples of a folder, <name>.m, and compares what they print with <name>.out.
%   Each runs in a workspace of its own. The last line is "examples: N right, M wrong".
files = dir(fullfile(folder, '*.m'));
wrong = 0;
for i = 1:numel(files)
    [~, name] = fileparts(files(i).name);
    got = output_of(fullfile(folder, files(i).name));
    want = fileread(fullfile(folder, [name '.out']));
    if ~strcmp(without_blanks(got), without_blanks(want))
        wrong = wrong + 1;
        fprintf('%s.m prints\n%s\nand its page shows\n%s\n', name, got, want);
    end
end
fprintf('examples: %d right, %d wrong\n', numel(files) - wrong, wrong);
end

function text = output_of(file)
try
    text = evalc(fileread(file));
catch problem
    text = problem.message;
end
end

function text = without_blanks(text)
text = regexprep(text, ' +(\n|$)', '$1');
end
