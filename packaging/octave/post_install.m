function post_install (desc)
%POST_INSTALL  Make the files by which Octave finds the functions of gpuArray.oct; pkg calls it when the package is in its place.

name = [__octave_config_info__("canonical_host_type") "-" __octave_config_info__("api_version")];
fields = intersect ({"archprefix", "archdir", "dir"}, fieldnames (desc)); % of one or another version of pkg
for k = 1:numel (fields)
  folder = fullfile (desc.(fields{k}), name);
  if (exist (fullfile (folder, "gpuArray.oct"), "file"))
    addpath (desc.dir);
    link_gpuarray (folder);
    rmpath (desc.dir);
    file = fopen (fullfile (folder, "PKG_ADD"), "a"); # the type is made known when the package is loaded
    fprintf (file, "try, isgpuarray (0); catch, end\n");
    fclose (file);
    return
  end
end
error ("gpumex: gpuArray.oct is not where it was installed");
end
