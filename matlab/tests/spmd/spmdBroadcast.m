function value = spmdBroadcast(source, value)
%SPMDBROADCAST  Stand-in for MATLAB's: a text or a uint8 row of one worker on all, which have their part of it over MPI.
ranks = spmd_ranks();
is_source = ranks.rank == source - 1;
assert(is_source == (nargin == 2), 'the source alone has a value');
if ~is_source
    value = '';
end
count = ranks.reduce(numel(value), 'max');
is_text = ranks.reduce(double(is_source && ischar(value)), 'max');
places = 1:numel(value);
bytes = ranks.histogram(places, 0.5:count + 0.5, 'Weights', double(value(:).'));
value = uint8(bytes(:).');
if is_text
    value = char(value);
end
end
