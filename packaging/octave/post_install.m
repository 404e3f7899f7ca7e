function post_install (desc)
%POST_INSTALL  Make the files by which Octave finds the functions of gpuArray.oct; pkg calls it when the package is in its place.

name = [__octave_config_info__("canonical_host_type") "-" __octave_config_info__("api_version")];
folders = {fullfile(desc.dir, name), fullfile(desc.archprefix, [desc.name "-" desc.version], name)};
for k = 1:numel (folders)
  if (exist (fullfile (folders{k}, "gpuArray.oct"), "file"))
    addpath (desc.dir);
    link_gpuarray (folders{k});
    return
  end
end
end
