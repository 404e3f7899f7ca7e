function text = version
%VERSION  The version of the library.
%   TEXT = gpumex.version is that of libgpumex.so, such as '0.2.0'.
%
%   Example:
%      gpumex.version
%
%   See also gpumex.info.

text = gpumex_call('version', {}, {}, {});
