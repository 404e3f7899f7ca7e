# gpumex.mk - FLAGS and LIBS of the installed library, for the Makefiles here; EXAMPLES is made by `make` alone.

CFLAGS     ?= -O2 -Wall -Wextra
CXXFLAGS   ?= -O2 -Wall -Wextra
PKG_CONFIG ?= pkg-config
PACKAGE    := gpumex$(if $(STATIC),-static)
FLAGS      := $(shell $(PKG_CONFIG) --cflags $(PACKAGE))
LIBS       := $(shell $(PKG_CONFIG) --libs $(PACKAGE)) -lm
ifeq ($(FLAGS)$(findstring gpumex,$(LIBS)),)
$(error pkg-config does not find $(PACKAGE); set PKG_CONFIG_PATH=PREFIX/lib/pkgconfig)
endif
ifndef STATIC
LIBS       += -Wl,-rpath,$(shell $(PKG_CONFIG) --variable=libdir $(PACKAGE))
endif

all: $(EXAMPLES)

.PHONY: all clean
