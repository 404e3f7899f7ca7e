function pre_install (desc)
%PRE_INSTALL  Refuse what cannot work here, in a sentence; pkg calls it in the folder of the package.
%   With GPUMEX_LIB in the environment that library takes the place of the one in the package.

check_machine (desc);
if (isfolder ("src"))
  check_compiler (desc);
  library = fullfile ("src", "libgpumex.so.0.2");
else
  check_octave (desc);
  library = fullfile ("arch", "libgpumex.so.0.2");
end
take_library (library);

% Where pkg looks for what depends on the architecture.
[failed, message] = rename ("arch", fullfile ("inst", architecture ()));
if (failed)
  error ("gpumex: %s", message);
end
end

function name = architecture ()
name = [__octave_config_info__("canonical_host_type") "-" __octave_config_info__("api_version")];
end

function check_machine (desc)
host = __octave_config_info__ ("canonical_host_type");
if (! (strncmp (host, [desc.machine "-"], numel (desc.machine) + 1) && any (strfind (host, "linux"))))
  error ("gpumex: this package is for Linux on %s and this Octave is %s; take the package for that machine", ...
         desc.machine, host);
end
end

function check_octave (desc)
api = __octave_config_info__ ("api_version");
if (! strcmp (api, desc.octaveapi))
  error (["gpumex: the MEX file of this package is built for another Octave (%s, this is Octave %s with %s); " ...
          "install %s, which compiles it"], desc.octaveapi, OCTAVE_VERSION, api, desc.source);
end
end

function check_compiler (desc)
missing = "";
mkoctfile = fullfile (__octave_config_info__ ("bindir"), "mkoctfile");
if (! exist (mkoctfile, "file"))
  missing = "mkoctfile";
elseif (! is_program ("make"))
  missing = "make";
else
  [status, compiler] = system (["'" mkoctfile "' -p CC"]);
  if (status != 0 || ! is_program (strtok (compiler)))
    missing = "a C compiler";
  end
end
if (! isempty (missing))
  error (["gpumex: %s is missing, and this package compiles its MEX file; on Debian and Ubuntu install octave-dev and " ...
          "make, or take the package that is built, gpumex-%s-%s-linux-octave7.tar.gz"], missing, desc.version, desc.machine);
end
end

function tf = is_program (name)
tf = ! isempty (name) && system (["command -v " name " >/dev/null 2>&1"]) == 0;
end

function take_library (place)
library = getenv ("GPUMEX_LIB");
if (! isempty (library))
  if (exist (library, "file") != 2)
    error ("gpumex: GPUMEX_LIB is %s, which is not there; unset it to take the library of the package", library);
  end
  [done, message] = copyfile (canonicalize_file_name (library), place);
  if (! done)
    error ("gpumex: %s: %s", library, message);
  end
end
end
