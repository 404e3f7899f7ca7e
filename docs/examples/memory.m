array = gpumex.array((0:5) * 0.5);   % on the device until gather, or clear
array = gpumex.scan(array, 'max');
fprintf('%5d:  %g %g %g \n', [0 3; reshape(gather(array), 3, 2)]);
