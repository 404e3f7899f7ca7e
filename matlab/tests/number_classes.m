function classes = number_classes
%NUMBER_CLASSES  The classes that the primitives compute with.
classes = {'int32', 'uint32', 'int64', 'uint64', 'single', 'double'};
end
