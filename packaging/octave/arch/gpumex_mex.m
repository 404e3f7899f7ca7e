%GPUMEX_MEX  The MEX file behind the functions of gpumex; call those, gpumex.life and so on.
