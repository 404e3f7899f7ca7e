function [words, counts, summary] = words(text, k, varargin)
%WORDS  The most frequent words of a text.
%   [WORDS, COUNTS] = gpumex.words(TEXT, K) finds the K words that occur most
%   often in TEXT, a char array, or a uint8 array of the bytes of a file. WORDS is
%   a cell array of texts, COUNTS a column of doubles and exact; both are K-by-1,
%   or shorter where TEXT has fewer different words. The most frequent word comes
%   first, of equally frequent ones the one that appears first. K is 20 by default;
%   options may follow TEXT, too.
%
%   A word is a run of letters and digits of any script, with apostrophes between
%   them: rock'n'roll is one word. A char array with several rows is read column
%   by column, as TEXT(:). uint8 is UTF-8.
%
%   [WORDS, COUNTS] = gpumex.words(..., 'Fold', true) takes capitals and small
%   letters for the same; a word is written as it appears first. The default is
%   false.
%
%   [WORDS, COUNTS] = gpumex.words(..., 'Encoding', ENCODING) is 'utf-8'
%   (default), or 'ascii', which takes all but its letters and digits for spaces.
%
%   [WORDS, COUNTS] = gpumex.words(..., 'Backend', BACKEND) chooses where: 'auto'
%   (default; the environment variable GPUMEX_BACKEND, else a GPU where there is
%   one, else the CPU), 'cpu', or 'cuda'.
%
%   [WORDS, COUNTS, SUMMARY] = gpumex.words(...) also returns how many Words the
%   text has, how many of them are Distinct, how many are Listed, and KernelMs, how
%   many milliseconds the computation itself took.
%
%   Example:
%      [words, counts] = gpumex.words('to be, or not to be: that is', 2)
%
%   Errors: gpumex:words:argumentCount, invalidText, invalidCount, invalidOption,
%   invalidFold, invalidEncoding, invalidBackend, and the states of the library:
%   noDevice, invalidArgument, unsupported, outOfMemory, cuda, busy, internal.
%
%   See also gpumex.histogram, histc, unique, strsplit.

if nargin < 1
    error('gpumex:words:argumentCount', 'gpumex.words: needs a text');
end
if nargin < 2
    k = 20;
elseif ischar(k) || isa(k, 'string')            % words(text, name, value, ...)
    varargin = [{k}, varargin];
    k = 20;
end
persistent gateway raise
if isempty(gateway)
    [gateway, raise] = gpumex_gateway('words');
end
bytes = as_bytes(text);
try
    [words, counts, summary] = gateway('.words', bytes, k, varargin{:});
catch problem                                   % what the way below serves, or refuses
    raise('words', problem);
    [words, counts, summary] = gpumex_call('.words', {bytes, k}, {}, varargin); % {'Fold', 'Encoding', 'Backend'}
end
words = cellfun(@as_text, words, 'UniformOutput', false);
end

function bytes = as_bytes(text)
% Characters as UTF-8; in Octave they are bytes already. The gateway refuses what is no text.
bytes = text;
if isa(text, 'string') && isscalar(text)
    text = char(text);
end
if ischar(text) && is_octave()
    bytes = uint8(text);
elseif ischar(text)
    bytes = unicode2native(text(:).', 'UTF-8');
end
end

function text = as_text(bytes)
if is_octave()
    text = char(bytes);
else
    text = native2unicode(bytes, 'UTF-8');
end
end

function answer = is_octave()
answer = exist('OCTAVE_VERSION', 'builtin') ~= 0;
end
