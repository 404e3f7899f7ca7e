function variants = variants_on(backend, variants)
%VARIANTS_ON  The variants that BACKEND serves: 'sequential' is for the CPU only.
variants = [{'auto'}, variants];
if strcmp(backend, 'cpu')
    variants{end + 1} = 'sequential';
end
end
