function run_examples (folder)
%RUN_EXAMPLES  Run the examples in the help texts of the files of a folder, without a window.
before = get (0, "defaultfigurevisible");
set (0, "defaultfigurevisible", "off");
here = pwd ();
scratch = tempname ();
mkdir (scratch);
copyfile (fullfile (fileparts (mfilename ("fullpath")), "gosper.rle"), scratch);   % which the example of read_pattern reads
unwind_protect
  cd (scratch);
  files = dir (fullfile (folder, "*.m"));
  for k = 1:numel (files)
    run_example (fullfile (folder, files(k).name), files(k).name);
  end
unwind_protect_cleanup
  close ("all");
  cd (here);
  confirm_recursive_rmdir (false, "local");
  rmdir (scratch, "s");
  set (0, "defaultfigurevisible", before);
end_unwind_protect
end

function run_example (file, name)
text = regexprep (fileread (file), '\r', '');
found = regexp (text, '\n%   Examples?:\n((?:%      [^\n]*\n|%\n)+)', 'tokens');
if (isempty (found))
  error ("the help text of %s has no example", name);
end
for k = 1:numel (found)
  code = regexprep (found{k}{1}, '(^|\n)% {0,6}', '$1');
  try
    evalc (code);
  catch problem
    if (isempty (strfind (problem.message, "graphics toolkit")))        % none here: what is drawn is computed all the same
      error ("the example of %s: %s\n%s", name, problem.message, code);
    end
  end
end
end
