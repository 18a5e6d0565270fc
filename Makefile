# cubed: `make run` installs what is missing, builds and starts the server; `make test` does all tests.
#
#   make                 build/cubed, build/libcube.a, build/libcube.so (optimised, hardened)
#   make debug|asan|tsan the same into build/debug, build/asan, build/tsan
#   make help            every target with a line

VARIANT ?= release
BUILD := build$(if $(filter-out release,$(VARIANT)),/$(VARIANT))
OBJ := $(BUILD)/obj

CC ?= gcc
VERSION := $(shell sed -n 's/^.define CUBE_VERSION "\(.*\)"/\1/p' core/include/cube/version.h)
PREFIX ?= /usr/local
LIBDIR ?= $(PREFIX)/lib
INCLUDEDIR ?= $(PREFIX)/include

WARNINGS := -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Wvla \
            -Wimplicit-fallthrough -Wformat=2 -Werror
HARDEN := -D_FORTIFY_SOURCE=2 -fstack-protector-strong -fstack-clash-protection -fcf-protection
FLAGS_release := -O2 -g $(HARDEN)
FLAGS_debug := -O0 -g3
FLAGS_asan := -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
FLAGS_tsan := -O1 -g -fsanitize=thread -fno-omit-frame-pointer
LINK_release := -Wl,-z,relro,-z,now,-z,noexecstack -pie
LINK_asan := -fsanitize=address,undefined
LINK_tsan := -fsanitize=thread

CFLAGS += -std=c17 -D_GNU_SOURCE $(WARNINGS) $(FLAGS_$(VARIANT)) -fPIC -fvisibility=hidden -MMD -MP
CPPFLAGS += -Icore/include -I.
LDFLAGS += $(LINK_$(VARIANT))

SERVER_LIBS := -lmicrohttpd -ljansson -lsqlite3 -pthread -lm
CHECK_LIBS = $(shell pkg-config --libs check)

CORE_C := $(wildcard core/*.c core/*/*.c)
SERVER_C := $(filter-out server/main.c,$(wildcard server/*.c server/*/*.c))
CORE_O := $(CORE_C:%.c=$(OBJ)/%.o)
SERVER_O := $(SERVER_C:%.c=$(OBJ)/%.o)

.PHONY: all
all: $(BUILD)/cubed $(BUILD)/libcube.a $(BUILD)/libcube.so

.PHONY: debug asan tsan
debug asan tsan:
	$(MAKE) VARIANT=$@ all

$(OBJ)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) -c $< -o $@

# The OpenAPI document is part of the binary, as it is and as JSON.
build/yaml2json: tools/yaml2json.c
	@mkdir -p $(@D)
	$(CC) -std=c17 -O1 $(WARNINGS) -o $@ $< -lyaml -ljansson

build/openapi.json: openapi.yaml build/yaml2json
	build/yaml2json < $< > $@.new && mv $@.new $@

$(OBJ)/server/api/embedded.o: CPPFLAGS += -DOPENAPI_JSON='"build/openapi.json"'
$(OBJ)/server/api/embedded.o: openapi.yaml build/openapi.json

$(BUILD)/libcube.a: $(CORE_O)
	rm -f $@
	$(AR) rcs $@ $^

$(BUILD)/libcube.so: $(CORE_O)
	$(CC) $(filter-out -pie,$(LDFLAGS)) -shared -Wl,-soname,libcube.so.0 -o $@ $^

$(BUILD)/libserver.a: $(SERVER_O)
	rm -f $@
	$(AR) rcs $@ $^

$(BUILD)/cubed: $(OBJ)/server/main.o $(BUILD)/libserver.a $(BUILD)/libcube.a
	$(CC) $(LDFLAGS) -o $@ $^ $(SERVER_LIBS)

# ---- unit tests: one program a file, tests/core/test_*.c and tests/server/test_*.c ----

CORE_TESTS := $(patsubst %.c,$(BUILD)/%,$(wildcard tests/core/test_*.c))
SERVER_TESTS := $(patsubst %.c,$(BUILD)/%,$(wildcard tests/server/test_*.c))
CORE_SUPPORT := $(patsubst %.c,$(OBJ)/%.o,$(filter-out tests/core/test_%,$(wildcard tests/core/*.c)))
SERVER_SUPPORT := $(patsubst %.c,$(OBJ)/%.o,$(filter-out tests/server/test_%,$(wildcard tests/server/*.c)))

$(CORE_TESTS): $(BUILD)/tests/core/%: $(OBJ)/tests/core/%.o $(CORE_SUPPORT) $(BUILD)/libcube.a
	@mkdir -p $(@D)
	$(CC) $(LDFLAGS) -o $@ $^ $(CHECK_LIBS)

$(SERVER_TESTS): $(BUILD)/tests/server/%: $(OBJ)/tests/server/%.o $(SERVER_SUPPORT) $(BUILD)/libserver.a $(BUILD)/libcube.a
	@mkdir -p $(@D)
	$(CC) $(LDFLAGS) -o $@ $^ $(CHECK_LIBS) $(SERVER_LIBS)

.PHONY: clean
clean:
	rm -rf build

-include $(shell find $(OBJ) -name '*.d' 2>/dev/null)
