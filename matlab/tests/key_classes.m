function classes = key_classes
%KEY_CLASSES  The classes that the primitives compare, or move as they are.
classes = [number_classes(), {'int8', 'uint8', 'int16', 'uint16', 'logical'}];
end
