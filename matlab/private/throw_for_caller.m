function throw_for_caller(id, text)
%THROW_FOR_CALLER  Raise an error as that of the function of the user that called gpumex: its stack has none of ours.
stack = dbstack('-completenames');
stack = rmfield(stack, setdiff(fieldnames(stack), {'file', 'name', 'line', 'column'}));
here = fileparts(fileparts(mfilename('fullpath')));
folders = cellfun(@fileparts, {stack.file}, 'UniformOutput', false);
is_ours = ismember(folders, {here, fullfile(here, 'private'), fullfile(here, '+gpumex')});
stack = stack(find([~is_ours, true], 1):end);
error(struct('identifier', id, 'message', text, 'stack', stack));
end
