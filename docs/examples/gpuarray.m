x = gpuArray ([3 -1 2; 5 0 4]);         % a copy on the device
y = (x - 1) .^ 2 + x (:, [2 3 1]);      % put together; computed when it is needed
y (y > 9) = 0;
disp (y)
total = sum (y, 2);
printf ('%s of class %s: %d %d\n', class (total), underlyingType (total), gather (total));
try
  fft (x)
catch problem
  disp (problem.message)
end
