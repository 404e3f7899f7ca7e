x = gpuArray ([4 -9]);
root = sqrt (x);                        % no error yet: nothing is computed
try
  gather (root)
catch problem
  disp (problem.message)
end
