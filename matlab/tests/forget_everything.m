function forget_everything
%FORGET_EVERYTHING  Clear every function and MEX file of the session.
clear all
end
