# cubed: `make run` installs what is missing, builds and starts the server; `make test` runs the tests.
#
#   make                 build/cubed, build/cubed-play, build/libcube.a, build/libcube.so (optimised, hardened)
#   make debug|asan|tsan the same into build/debug, build/asan, build/tsan; make release is make
#   make MODULES=        the server of one node, without the modules in server/modules; MODULES=times: with that one
#   make install         into PREFIX (/usr/local) below DESTDIR; install-lib: the library alone;
#                        install-service: the systemd unit; make man: the man page
#   make deb             Debian packages into build/deb; make image: the container image
#   make clients         the clients for npm and pip, packed into build/
#   make check           what daily work needs: unit tests without sanitizers, conversations with the API, formats, texts
#   make test            all but the longest tests; its parts: check-unit check-threads check-api check-generators check-page
#                        check-clients check-http check-cluster check-live check-crash check-proofs check-ops check-install
#                        check-library check-python check-wasm check-alerts check-manual check-modules check-architecture
#                        check-english check-commits check-time-bounds check-format fuzz-short
#   make check-unit TEST=core/test_turn   one unit test, under AddressSanitizer; VARIANT=tsan or debug: otherwise
#   make test-long       the library's tests with a million random states each
#   make prove           everything that takes long: see docs/internals/proofs.md
#   make crash           the kill -9 test for longer; make fuzz: the fuzzers for longer
#   make check-debian13  builds and tests in a Debian 13 of its own; check-arm64: for arm64; prove-systems: all, for an hour;
#                        these need root
#   make prove-package   installs, upgrades, removes, purges the packages in a Debian of their own
#   make bench           measures: one table, also in build/bench.md; SECTIONS="core models solve server store live fair
#                        page everywhere optimal"
#   make reference       build/reference: the library's headers as HTML pages
#   make wheel           the library for Python, packed into build/
#   make wasm            the library for JavaScript, by WebAssembly, packed into build/
#   make amalgamation    build/libcube.c and build/libcube.h: the library in two files
#   make abi             describes the ABI of libcube.so again, after a change of it that is meant
#   make algorithms      searches the algorithms of core/sets/algorithms.def again
#   make hooks           checks the message of each commit before Git makes it
#   make format          formats the C files (clang-format of Debian 12) and openapi.yaml as make check-format demands
#   make packages        installs the Debian packages that the build needs; packages-test: and the tests
#   make run             installs what is missing, builds, starts the server; make help: this
#   make lan             the same, for the other devices in your network too

VARIANT ?= release
BUILD := build$(if $(filter-out release,$(VARIANT)),/$(VARIANT))
OBJ := $(BUILD)/obj

# The modules of the server, folders of server/modules; and those that this build leaves out.
MODULES := postgres times
LEFT_OUT := $(filter-out $(MODULES),$(patsubst server/modules/%/module.c,%,$(wildcard server/modules/*/module.c)))
$(foreach module,$(MODULES),$(if $(wildcard server/modules/$(module)/module.c),,$(error There is no module $(module) in server/modules)))

# The release is compiled by gcc and build/asan by clang, so that each file is read by both with all warnings.
# CROSS=aarch64-linux-gnu- compiles for another machine; HOST_CC makes the tools that run in the build.
CC := $(if $(filter asan,$(VARIANT)),clang,$(CROSS)gcc)
HOST_CC := gcc
LD := $(CROSS)ld
AR := $(CROSS)ar
OBJCOPY := $(CROSS)objcopy
VERSION := $(shell sed -n 's/^.define CUBE_VERSION "\(.*\)"/\1/p' core/include/cube/version.h)
PREFIX ?= /usr/local
LIBDIR ?= $(PREFIX)/lib
INCLUDEDIR ?= $(PREFIX)/include

WARNINGS := -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Wvla \
            -Wimplicit-fallthrough -Wformat=2 $(if $(filter 1,$(WERROR)),-Werror)
BRANCHES_x86_64 := -fcf-protection
BRANCHES_aarch64 := -mbranch-protection=standard
HARDEN := -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2 -fstack-protector-strong -fstack-clash-protection \
          $(BRANCHES_$(firstword $(subst -, ,$(shell $(CC) -dumpmachine 2>/dev/null))))
FLAGS_release := -O2 -g $(HARDEN)
FLAGS_debug := -O0 -g3
FLAGS_asan := -O1 -g1 -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer \
              -fsanitize-coverage=inline-8bit-counters,pc-table
FLAGS_tsan := -O1 -g1 -fsanitize=thread -fno-omit-frame-pointer
LINK_release := -Wl,-z,relro,-z,now,-z,noexecstack -pie
LINK_asan := -fsanitize=address,undefined
LINK_tsan := -fsanitize=thread

CFLAGS += -std=c17 -D_GNU_SOURCE $(WARNINGS) $(FLAGS_$(VARIANT)) -fPIC -fvisibility=hidden -MMD -MP
# libpq and libcurl are included for their types only: a store loads the one, `cubed-play --join` the other.
CPPFLAGS += -DCUBE_LEAN_HEADERS -Icore/include -I. -isystem /usr/include/postgresql
LDFLAGS += $(LINK_$(VARIANT))

SERVER_LIBS := -lmicrohttpd -lgnutls -ljansson -lsqlite3 -lsodium -lpng -lqrencode -lz -pthread -lm
# The libraries of the program in the terminal.
TERMINAL_LIBS := -ljansson -pthread -lm
CHECK_LIBS = $(shell pkg-config --libs check)

CORE_C := $(wildcard core/*.c core/*/*.c core/*/*/*.c)
LEFT_OUT_C := $(foreach module,$(LEFT_OUT),server/modules/$(module)/%)
SERVER_C := $(filter-out server/main.c $(LEFT_OUT_C),$(wildcard server/*.c server/*/*.c server/*/*/*.c server/*/*/*/*.c))
TERMINAL_C := $(filter-out clients/terminal/main.c,$(wildcard clients/terminal/*.c clients/terminal/*/*.c))
CORE_O := $(CORE_C:%.c=$(OBJ)/%.o)
SERVER_O := $(SERVER_C:%.c=$(OBJ)/%.o)
TERMINAL_O := $(TERMINAL_C:%.c=$(OBJ)/%.o)

# One line a file; make V=1 shows the commands.
Q := $(if $(V),,@)
SAY = $(if $(V),@:,@echo "  $(1) $(patsubst $(CURDIR)/%,%,$@)")

.PHONY: all
all: $(BUILD)/cubed $(BUILD)/cubed-play $(BUILD)/libcube.a $(BUILD)/libcube.so

MAKEFLAGS += --no-print-directory

.PHONY: release debug asan tsan
release: all
debug asan tsan:
	$(MAKE) VARIANT=$@ all

# Code that turns stickers is worth the room of unrolled loops: 5 to 26 % less time a turn.
ifeq ($(VARIANT),release)
$(OBJ)/core/turn.o $(OBJ)/core/turn3.o $(OBJ)/core/rotate.o: CFLAGS += -O3
endif

$(OBJ)/%.o: %.c | build/modules.h
	@mkdir -p $(@D)
	$(call SAY,CC)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) -c $< -o $@

# A table of the modules of this build, written only when it changes.
.PHONY: FORCE
build/modules.h: FORCE
	@mkdir -p $(@D)
	@{ printf '%s\n' $(MODULES) | sed 's/..*/#define MODULE_\U&/'; echo '#define MODULES(X) $(foreach module,$(MODULES),X($(module)))'; } > $@.$$$$; \
	if cmp -s $@.$$$$ $@; then rm $@.$$$$; else mv $@.$$$$ $@; fi

# The OpenAPI document, as it is and as JSON, and the page are part of the binary, also compressed.
build/yaml2json: tools/yaml2json.c
	@mkdir -p $(@D)
	$(call SAY,LD)
	$(Q)$(HOST_CC) -std=c17 -O1 $(WARNINGS) -o $@ $< -lyaml -ljansson

build/openapi.json: openapi.yaml build/yaml2json
	$(call SAY,JSON)
	$(Q)build/yaml2json < $< > $@.new && mv $@.new $@

# The pages at /docs.
build/make-docs: $(wildcard tools/docs/*.c tools/docs/*.h)
	@mkdir -p $(@D)
	$(call SAY,LD)
	$(Q)$(HOST_CC) -std=c17 -D_GNU_SOURCE -O1 $(WARNINGS) -I. -o $@ $(filter %.c,$^) -lcmark-gfm-extensions -lcmark-gfm -ljansson

build/docs/search.json: build/make-docs build/openapi.json $(wildcard *.md docs/*.md docs/*/*.md clients/*/README.md bindings/*/README.md tests/README.md)
	$(call SAY,HTML)
	$(Q)rm -rf build/docs && build/make-docs build/docs build/openapi.json || { rm -rf build/docs; exit 1; }

# The files of the site, compressed quickly. What others install has them compressed as well as it goes, which takes a minute.
EMBEDDED := build/site/files.def
build/site/files.def: COMPRESSION := fast
build/site-hard/files.def: COMPRESSION := hard
build/site/files.def build/site-hard/files.def: build/openapi.json build/docs/search.json tools/make-site tools/pack-modules \
  tools/pack-modules.awk core/include/cube/version.h $(shell find web clients/js/src bindings/js/src -type f) build/wasm/libcube.wasm
	$(call SAY,SITE)
	$(Q)tools/make-site $(@D) build/openapi.json build/docs build/wasm/libcube.wasm $(COMPRESSION)
$(OBJ)/server/api/site/embedded.o: $(EMBEDDED)
$(OBJ)/hard/embedded.o: server/api/site/embedded.c build/site-hard/files.def
	@mkdir -p $(@D)
	$(call SAY,CC)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) -DSITE_FILES='"build/site-hard/files.def"' -c $< -o $@

# The static library is one object in which only the public names are left for others to see.
$(BUILD)/libcube.a: $(CORE_O)
	$(call SAY,AR)
	$(Q)$(LD) -r -o $(OBJ)/libcube.o $^
	$(Q)$(OBJCOPY) --localize-hidden $(OBJ)/libcube.o
	$(Q)rm -f $@ && $(AR) rcs $@ $(OBJ)/libcube.o

$(BUILD)/libcube.so: $(CORE_O) core/libcube.map
	$(call SAY,LD)
	$(Q)$(CC) $(filter-out -pie,$(LDFLAGS)) -shared -Wl,-soname,libcube.so.0 -Wl,--version-script=core/libcube.map -o $@ $(CORE_O)

# The library in two files, for programs that compile it themselves.
.PHONY: amalgamation
amalgamation: build/libcube.c
build/libcube.c: tools/amalgamate $(CORE_C) $(shell find core -name '*.h' -o -name '*.def')
	@mkdir -p $(@D)
	$(call SAY,C)
	$(Q)tools/amalgamate $(@D)

# The headers as HTML pages.
.PHONY: reference
reference:
	@tools/install-packages doxygen=doxygen
	doxygen tools/reference.doxygen

# The library for Python: its calls that are made by ctypes, and the wheel.
$(BUILD)/libcube_native.so: $(OBJ)/bindings/python/native.o $(BUILD)/libcube.a
	$(call SAY,LD)
	$(Q)$(CC) $(filter-out -pie,$(LDFLAGS)) -shared -o $@ $^

PACKAGES_WHEEL := python3=python3 python3-pip python3-setuptools python3-wheel objdump=binutils
.PHONY: wheel check-python
check-python: wheel build/cubed
	@tools/install-packages mypy=mypy python3-numpy
	tests/python/run
wheel: build/libcube_native.so
	@tools/install-packages $(PACKAGES_WHEEL)
	tools/pack-wheel $< build

# The library as WebAssembly, for the page and for JavaScript: by clang and lld alone. Small code, and smaller still where speed
# matters less; with vectors, but only those that the library asks for. All that have vectors have the other three, too.
WASM_CC := clang --target=wasm32-wasi
WASM_HOT := $(addsuffix %,$(addprefix core/,solve/two_phase/ solve/common/ cubies/state3 cubies/rank. pattern/match pattern/query pattern/pieces batch/ turn cube))
WASM_FLAGS = -std=c17 -D_GNU_SOURCE $(WARNINGS) $(if $(filter $(WASM_HOT),$<),-Os,-Oz) -msimd128 -mbulk-memory -msign-ext -mnontrapping-fptoint -fno-vectorize -fno-slp-vectorize \
             -DNDEBUG -fvisibility=hidden -ffunction-sections -fdata-sections -MMD -MP
WASM_LINK := -nostartfiles -Wl,--no-entry,--gc-sections,--strip-all,-z,stack-size=1048576,--max-memory=1073741824
WASM_CORE_O := $(CORE_C:%.c=build/wasm/obj/%.o)
WASM_FACADE_O := $(patsubst %.c,build/wasm/obj/%.o,$(wildcard bindings/wasm/*.c))
build/wasm/obj/%.o: %.c
	@mkdir -p $(@D)
	$(call SAY,WASM)
	$(Q)$(WASM_CC) -Icore/include -I. $(WASM_FLAGS) -c $< -o $@
# A compiler that knows what malloc() and snprintf() are must not replace loops in them by calls of them.
build/wasm/obj/bindings/wasm/libc/%.o: WASM_FLAGS += -fno-builtin
build/wasm/libcube.wasm: $(WASM_CORE_O) $(WASM_FACADE_O) build/wasm/obj/bindings/wasm/libc/text.o
build/wasm/core.wasm: $(WASM_CORE_O) $(patsubst %,build/wasm/obj/bindings/wasm/%.o,facade_core libc/text libc/memory)
build/wasm/%.wasm:
	$(call SAY,LD)
	$(Q)$(WASM_CC) -o $@ $^ $(WASM_LINK)

PACKAGES_WASM := node=nodejs npm=npm
.PHONY: wasm check-wasm prove-wasm
wasm: packages
	@tools/install-packages $(PACKAGES_WASM)
	$(MAKE) build/wasm/packed
# Packed once, for all tests that run at the same time.
build/wasm/packed: build/wasm/libcube.wasm build/wasm/core.wasm $(wildcard bindings/js/*.* bindings/js/src/*) LICENSE \
                   core/include/cube/version.h tools/pack-wasm | tests/clients/node_modules
	tools/pack-wasm build
	@touch $@

# The package against native code: short, or all of it.
build/tests/wasm/native: $(OBJ)/tests/wasm/native.o $(patsubst %.c,$(OBJ)/%.o,$(wildcard bindings/wasm/*.c)) $(BUILD)/libcube.a
	@mkdir -p $(@D)
	$(call SAY,LD)
	$(Q)$(CC) $(LDFLAGS) -o $@ $^
check-wasm: wasm build/tests/wasm/native tests/web/node_modules
	@$(RUN_TESTS) 'node tests/wasm/hashes.mjs' 'node tests/wasm/package.mjs' 'node tests/wasm/browser.mjs'
prove-wasm: wasm build/tests/wasm/native tests/web/node_modules
	@$(RUN_TESTS) 'node tests/wasm/hashes.mjs --all' 'node tests/wasm/bundlers.mjs' 'node tests/wasm/runtimes.mjs'

# The schema is part of the binary.
$(OBJ)/server/store/sqlite/schema.o: $(wildcard schema/*.sql)
$(OBJ)/server/modules/postgres/store/schema.o: $(wildcard server/modules/postgres/schema/*.sql)

# Each layer of ARCHITECTURE.md is an archive. They are linked from the highest to the lowest, so that one that needs
# something of a higher one does not link.
LEFT_OUT_LAYERS := $(foreach module,$(LEFT_OUT),server/modules/$(module) server/modules/$(module)/%)
LAYERS := $(filter-out $(LEFT_OUT_LAYERS),$(filter server/%,$(shell tools/layers)))
REVERSED := $(filter-out $(LEFT_OUT_LAYERS),$(filter server/%,$(shell tools/layers | tac)))
TERMINAL_LAYERS := $(filter-out clients/terminal,$(shell tools/layers --terminal | tac))
layer_objects = $(filter-out $(foreach deeper,$(filter $(1)/%,$(LAYERS)),$(OBJ)/$(deeper)/%),$(filter $(OBJ)/$(1)/% $(OBJ)/$(1).o,$(SERVER_O) $(TERMINAL_O)))
layer_archive = $(BUILD)/layers/$(subst /,-,$(1)).a
define layer_rule
$(call layer_archive,$(1)): $(call layer_objects,$(1))
	@mkdir -p $$(@D)
	$$(call SAY,AR)
	$$(Q)rm -f $$@ && $$(AR) rcs $$@ $$^
endef
$(foreach layer,$(filter-out server/main,$(LAYERS)) $(filter clients/%,$(TERMINAL_LAYERS)),$(eval $(call layer_rule,$(layer))))
SERVER_ARCHIVES := $(foreach layer,$(filter-out server/main,$(REVERSED)),$(call layer_archive,$(layer)))
TERMINAL_ARCHIVES := $(foreach layer,$(TERMINAL_LAYERS),$(call layer_archive,$(layer)))

# The server that is installed, packed and put into the image.
RELEASED := $(BUILD)/hard/cubed

$(RELEASED): $(OBJ)/hard/embedded.o
$(BUILD)/cubed $(RELEASED): $(OBJ)/server/main.o $(SERVER_ARCHIVES) $(BUILD)/libcube.a
	@mkdir -p $(@D)
	$(call SAY,LD)
	$(Q)$(CC) $(LDFLAGS) -o $@ $(filter %.o,$^) $(filter %.a,$^) $(SERVER_LIBS)

# The client in the terminal, which `cubed play` starts: of the server it has the layers that ARCHITECTURE.md names, no others.
$(BUILD)/cubed-play: $(OBJ)/clients/terminal/main.o $(TERMINAL_ARCHIVES) $(BUILD)/libcube.a
	$(call SAY,LD)
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ $(TERMINAL_LIBS)

# ---- unit tests: one program a file, test_*.c in tests/core, tests/server and tests/terminal ----

# The tests of a module: programs, and targets of `make test`.
TESTS_postgres := server/test_postgres_fixture server/test_store_postgres% server/test_store_notices server/test_gate server/test_shared_% proof/test_cuts proof/test_libpq
TARGETS_postgres := check-cluster
TESTS_times := server/test_times_% server/test_shared_recording
# And scripts.
SCRIPTS_times := $(patsubst %,tests/%.mjs,http/fair http/head http/hidden clients/calls clients/cookbook clients/python \
  web/drop web/timer-parts web/timer web/trainer web/solver)
TARGETS_times := check-generators
LEFT_OUT_SCRIPTS := $(foreach module,$(LEFT_OUT),$(SCRIPTS_$(module)))
export CUBED_TEST_LEFT_OUT := $(LEFT_OUT)
LEFT_OUT_TESTS := $(foreach module,$(LEFT_OUT),$(patsubst %,$(BUILD)/tests/%,$(TESTS_$(module))))

CORE_TESTS := $(patsubst %.c,$(BUILD)/%,$(wildcard tests/core/test_*.c))
SERVER_TESTS := $(filter-out $(LEFT_OUT_TESTS),$(patsubst %.c,$(BUILD)/%,$(wildcard tests/server/test_*.c)))
TERMINAL_TESTS := $(patsubst %.c,$(BUILD)/%,$(wildcard tests/terminal/test_*.c))
CORE_SUPPORT := $(patsubst %.c,$(OBJ)/%.o,$(filter-out tests/core/test_%,$(wildcard tests/core/*.c)))
SERVER_SUPPORT := $(patsubst %.c,$(OBJ)/%.o,$(filter-out tests/server/test_%,$(wildcard tests/server/*.c)))

# Tests look inside: they take the library's objects, not the archive that shows public names only.
$(CORE_TESTS): $(BUILD)/tests/core/%: $(OBJ)/tests/core/%.o $(CORE_SUPPORT) $(CORE_O)
	@mkdir -p $(@D)
	$(call SAY,LD)
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ $(CHECK_LIBS)

# A test is linked with the layers that it includes, and those below them.
$(BUILD)/tests/server/support.a: $(SERVER_SUPPORT)
	@mkdir -p $(@D)
	$(Q)rm -f $@ && $(AR) rcs $@ $^

$(SERVER_TESTS): $(BUILD)/tests/server/%: $(OBJ)/tests/server/%.o $(BUILD)/tests/server/support.a $(SERVER_ARCHIVES) $(BUILD)/libcube.a
	@mkdir -p $(@D)
	$(call SAY,LD)
	$(Q)$(CC) $(LDFLAGS) -o $@ $(filter %.o,$^) $(BUILD)/tests/server/support.a \
	  $(foreach layer,$(filter $(LAYERS),$(shell tools/layers tests/server/$*.c)),$(call layer_archive,$(layer))) $(BUILD)/libcube.a $(CHECK_LIBS) $(SERVER_LIBS)

$(TERMINAL_TESTS): $(BUILD)/tests/terminal/%: $(OBJ)/tests/terminal/%.o $(TERMINAL_ARCHIVES) $(BUILD)/libcube.a
	@mkdir -p $(@D)
	$(call SAY,LD)
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ $(CHECK_LIBS) $(TERMINAL_LIBS)

# These fail each allocation of the project's own code once.
FAILING := $(patsubst %,$(BUILD)/tests/%,server/test_memory server/test_live server/test_bundle server/test_stream proof/test_allocations proof/test_libpq)
$(FAILING): $(OBJ)/tests/failing/failing.o
$(FAILING): LDFLAGS += -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc

# ---- what the machine must have ----

PACKAGES_BUILD_MODULES := $(if $(filter postgres,$(MODULES)),libpq-dev)
PACKAGES_BUILD := gcc=gcc libc6-dev pkg-config=pkg-config libmicrohttpd-dev libgnutls28-dev libjansson-dev libsqlite3-dev \
                  libsodium-dev libpng-dev libqrencode-dev zlib1g-dev $(PACKAGES_BUILD_MODULES) libcurl4-openssl-dev uthash-dev libyaml-dev \
                  libcmark-gfm-dev libcmark-gfm-extensions-dev zopfli=zopfli clang=clang wasm-ld=lld wasi-libc
# The runtime of clang's code for WebAssembly; its package has the version of clang in its name, which may be new.
WASM_RUNTIME = libclang-rt-$$(clang -dumpversion | cut -d. -f1)-dev-wasm32
PACKAGES_TEST := check llvm-symbolizer=llvm clang-format=clang-format libclang-rt-dev node=nodejs npm=npm curl=curl jq=jq ip=iproute2 pgrep=procps chromium-headless-shell=chromium-headless-shell \
                 firefox-esr=firefox-esr Xvfb=xvfb libegl1 nginx-light haproxy \
                 $(if $(filter postgres,$(MODULES)),postgresql pgbouncer) \
                 python3=python3 python3-pip python3-setuptools python3-wheel python3-numpy mypy=mypy

NODE_MODULES := $(patsubst %,tests/%/node_modules,api clients generators web)

# The packages that docker/cluster/Dockerfile installs, for the same without containers.
PACKAGES_CLUSTER := patroni python3-etcd python3-psycopg2 etcd-server

.PHONY: packages packages-test packages-test-debian packages-cluster
packages:
	@tools/install-packages $(PACKAGES_BUILD)
	@tools/install-packages $(WASM_RUNTIME)
packages-test: packages-test-debian
	@$(MAKE) $(NODE_MODULES)
packages-test-debian: packages
	@tools/install-packages $(PACKAGES_TEST)

packages-cluster: packages-test
	@tools/install-packages $(PACKAGES_CLUSTER)

.PHONY: run lan
run lan: packages
	$(MAKE) build/cubed build/cubed-play
	build/cubed $(if $(filter lan,$@),--lan)

# ---- all tests ----

.PHONY: test
test: export WERROR = 1
test: packages-test-debian
	$(MAKE) $(EMBEDDED)
	$(MAKE) -j3 programs
	$(MAKE) test-all

# Runs commands, also after one that fails; lists those that failed, and ends with "N passed, N failed".
RUN_TESTS := tools/run-tests

# Servers of the tests search at full priority: beside other busy programs, threads of low priority hardly run.
check-% unit-% fuzz-% test-% threads-% prove-% prove crash: export CUBED_BACKGROUND_NICE := 0

# In this order they begin: the longest first, so that none is alone at the end.
TESTS := check-page check-unit check-cluster check-threads check-api check-live check-http check-clients check-generators \
         check-proofs check-crash fuzz-short check-ops check-install check-library check-python check-wasm check-alerts check-manual check-modules \
         check-architecture check-english check-commits check-time-bounds check-format
TESTS := $(filter-out $(foreach module,$(LEFT_OUT),$(TARGETS_$(module))),$(TESTS))
.PHONY: test-all programs
# Three at the same time on two cores: many tests wait.
test-all: programs
	@$(RUN_TESTS) -j 3 $(TESTS:%='$(MAKE) %')
programs: $(NODE_MODULES) all build-asan build-tsan proof-programs build/libcube_native.so wasm

# The tests of daily work. Without sanitizers each test has all its rounds.
DAILY := 'CUBED_TEST_STORE=memory node tests/api/conversation.mjs build/cubed' '$(MAKE) unit-server' '$(MAKE) unit-core' \
         '$(MAKE) unit-terminal' '$(MAKE) check-format' '$(MAKE) check-english' '$(MAKE) check-commits'
.PHONY: check
check: export WERROR = 1
check: packages-test-debian tests/api/node_modules
	$(MAKE) $(EMBEDDED)
	$(MAKE) -j3 all unit-programs
	@$(RUN_TESTS) -j 2 $(DAILY)

# Unit tests, under AddressSanitizer and UndefinedBehaviorSanitizer; or the one that TEST names, as VARIANT says.
.PHONY: check-unit unit-one
ifdef TEST
check-unit: $(EMBEDDED)
	$(MAKE) VARIANT=$(if $(filter release,$(VARIANT)),asan,$(VARIANT)) unit-one
unit-one: $(BUILD)/tests/$(TEST)
	$<
else
check-unit: build-asan
	@$(MAKE) VARIANT=asan unit-all
endif

# Built once, for all who run at the same time.
.PHONY: build-asan unit-programs
build-asan: $(EMBEDDED)
	$(MAKE) VARIANT=asan all unit-programs
unit-programs: $(CORE_TESTS) $(SERVER_TESTS) $(TERMINAL_TESTS)

.PHONY: unit-core unit-server unit-terminal unit-all
unit-core: $(CORE_TESTS)
unit-server: $(SERVER_TESTS)
unit-terminal: $(TERMINAL_TESTS)
unit-all: $(CORE_TESTS) $(SERVER_TESTS) $(TERMINAL_TESTS)
unit-core unit-server unit-terminal unit-all:
	@$(RUN_TESTS) $(^:%='%')

# The library's tests with a million random states where the short ones have some thousand, without the sanitizers.
.PHONY: test-long
test-long: $(CORE_TESTS:%=%.long)
.PHONY: $(CORE_TESTS:%=%.long)
$(CORE_TESTS:%=%.long): %.long: %
	@CUBED_TEST_LONG=1 $<

# The tests that have threads, under ThreadSanitizer; the longest in `make prove` only. Of the programs of THREADED_CASES the case
# "threads" runs.
THREADED := $(patsubst %,$(BUILD)/tests/server/test_%,store service loops jobs pools table_cache live budget)
THREADED_CASES := $(BUILD)/tests/server/test_account
THREADED_LONG := $(filter-out $(LEFT_OUT_TESTS),$(patsubst %,$(BUILD)/tests/server/test_%,store_postgres session_turns))
THREADED_LONG_CASES := $(BUILD)/tests/server/test_scans $(BUILD)/tests/core/test_two_phase
.PHONY: check-threads prove-threads
check-threads: build-tsan
	$(MAKE) VARIANT=tsan threads-run
prove-threads: build-tsan
	$(MAKE) VARIANT=tsan threads-run threads-run-long

# Built once, for all who run at the same time.
.PHONY: build-tsan threads-programs threads-run threads-run-long
build-tsan: $(EMBEDDED)
	$(MAKE) VARIANT=tsan all threads-programs
threads-programs: $(THREADED) $(THREADED_CASES)
threads-run threads-run-long: export TSAN_OPTIONS := halt_on_error=1
threads-run: $(THREADED) $(THREADED_CASES)
	@$(RUN_TESTS) $(THREADED:%='%') $(THREADED_CASES:%='CK_RUN_CASE=threads %')
threads-run-long: $(THREADED_LONG) $(THREADED_LONG_CASES)
	@$(RUN_TESTS) $(THREADED_LONG:%='%') $(THREADED_LONG_CASES:%='CK_RUN_CASE=threads %')

tests/api/node_modules: tests/api/package.json tests/api/package-lock.json
	cd tests/api && npm ci --silent
	@touch $@

# The guides that a server of this build can follow: all of them, or those that need no other module.
GUIDES_postgres := docs/guide/run-several-nodes.md
GUIDES_times := docs/guide/build-a-timer.md docs/guide/cookbook.md
GUIDES := $(if $(LEFT_OUT),README.md $(filter-out $(foreach module,$(LEFT_OUT),$(GUIDES_$(module))),$(wildcard docs/guide/*.md)))

# The HTTP API as a client sees it, by the server with sanitizers. On the store in memory: `make check`.
.PHONY: check-api
check-api: tests/api/node_modules build-asan all build/libcube_native.so wasm
	@$(RUN_TESTS) \
	  'cd tests/api && npm run --silent lint' \
	  'node tests/api/routes.mjs build/asan/cubed' \
	  'node tests/api/examples.mjs build/asan/cubed' \
	  'node tests/api/guides.mjs build/cubed $(GUIDES)' \
	  'CUBED_TEST_STORED=1 CUBED_TEST_STORE=sqlite node tests/api/conversation.mjs build/asan/cubed'

tests/generators/node_modules: tests/generators/package.json tests/generators/package-lock.json
	cd tests/generators && npm ci --silent
	@touch $@

# Clients that code generators make of openapi.yaml: they compile, and talk to a server.
.PHONY: check-generators
check-generators: tests/generators/node_modules all build/openapi.json
	node tests/generators/check.mjs build/cubed

tests/web/node_modules: tests/web/package.json tests/web/package-lock.json
	cd tests/web && npm ci --silent
	@touch $@

# The web page: its files, its own cube against the server's, and two browsers and a script at one cube.
PAGE_TESTS := \
  markdown \
  samples \
  files \
  pictures \
  page \
  errors \
  hands \
  touch \
  webgl \
  element \
  embedding \
  subpath \
  moves \
  timeline \
  links \
  solver \
  lesson \
  hands_free \
  painting \
  welcome \
  words \
  languages \
  timer-parts \
  timer \
  trainer \
  paint \
  ask \
  blind \
  axe \
  tabs \
  weight \
  docs \
  qr \
  tokens \
  rights \
  opening \
  loading \
  answers \
  offline \
  service \
  typing \
  drop \
  origins \
  lan \
  together \
  firefox
.PHONY: check-page
check-page: tests/web/node_modules tests/clients/node_modules all
	@$(RUN_TESTS) $(patsubst %,'node % build/cubed',$(filter-out $(LEFT_OUT_SCRIPTS),$(PAGE_TESTS:%=tests/web/%.mjs)))

tests/clients/node_modules: tests/clients/package.json tests/clients/package-lock.json
	cd tests/clients && npm ci --silent
	@touch $@

# The clients in JavaScript and Python, on good and bad networks; their packages, their types, and the cookbook. In bundles and in
# the markup of frameworks: `make prove`.
CLIENT_TESTS_LONG := tests/clients/markup.mjs tests/clients/bundles.mjs
CLIENT_TESTS := $(filter-out $(LEFT_OUT_SCRIPTS) $(CLIENT_TESTS_LONG),$(wildcard tests/clients/*.mjs))
.PHONY: check-clients prove-clients clients
check-clients: all tests/clients/node_modules
	@$(RUN_TESTS) $(CLIENT_TESTS:%='node % build/cubed')
prove-clients: all tests/clients/node_modules
	@$(RUN_TESTS) $(CLIENT_TESTS_LONG:%='node % build/cubed')

# Packages of the clients in build/: for npm and for pip.
clients: tests/clients/node_modules
	tools/pack-clients build

# Broken, slow and simultaneous clients.
.PHONY: check-http
check-http: all tests/api/node_modules
	@$(RUN_TESTS) $(patsubst %,'node % build/cubed',$(filter-out $(LEFT_OUT_SCRIPTS),$(wildcard tests/http/*.mjs)))

# Several nodes on a PostgreSQL server of the tests' own (tests/support/postgres.sh): the conversations, each request at a
# random node; histories, watchers, failovers.
ANSWERS := 8000
ORDERED := 2500
ENDS := 3
FAILOVERS := 2
POSTMASTERS := 2
KEYS := 500
PRECONDITIONS := 20
STARTS := 2
MIGRATIONS := 4
FAILED_STARTS := 12
CUT_STEP := 13
STILL_MS := 2000

.PHONY: check-cluster
check-cluster: all proof-programs tests/api/node_modules
	@$(RUN_TESTS) \
	  'node tests/cluster/checker.mjs' \
	  '! CUBED_TEST_STORE=memory CUBED_TEST_NODES=3 node tests/api/conversation.mjs build/cubed turning >/dev/null' \
	  'CUBED_TEST_STORED=1 CUBED_STORE_LANES=2 CUBED_TEST_NODES=3 node tests/api/conversation.mjs build/cubed' \
	  'node tests/cluster/linear.mjs build/cubed $(ANSWERS)' \
	  'node tests/cluster/linearizable.mjs build/cubed $(ORDERED)' \
	  'node tests/cluster/watchers.mjs build/cubed $(ENDS)' \
	  'node tests/cluster/primary.mjs build/cubed $(FAILOVERS)' \
	  'node tests/cluster/postmaster.mjs build/cubed $(POSTMASTERS)' \
	  'node tests/cluster/away.mjs build/cubed' \
	  'node tests/cluster/barrier.mjs build/cubed' \
	  'node tests/cluster/frozen.mjs build/cubed $(STILL_MS)' \
	  'node tests/cluster/keys.mjs build/cubed $(KEYS)' \
	  $(if $(filter times,$(MODULES)),'node tests/cluster/preconditions.mjs build/cubed $(PRECONDITIONS)') \
	  'node tests/cluster/jobs.mjs build/cubed' \
	  'node tests/cluster/presence.mjs build/cubed' \
	  'node tests/cluster/hints.mjs build/cubed' \
	  'node tests/cluster/standby.mjs build/cubed' \
	  'node tests/cluster/starts.mjs build/cubed $(STARTS)' \
	  'node tests/cluster/migrate.mjs build/cubed $(MIGRATIONS)' \
	  'node tests/cluster/failed_starts.mjs build/cubed $(FAILED_STARTS)' \
	  'node tests/cluster/refused_servers.mjs build/cubed' \
	  'node tests/cluster/passwords.mjs' \
	  '$(BUILD)/tests/proof/test_cuts $(CUT_STEP)'

# The controls of these tests: each must find what a server with a planted fault does wrong.
PLANTED := nodes_gate_wait session_cache_apply pg_barrier change_body_read lane_answered runs_add transaction_receipts_send \
           transaction_run hints_add hints_send
CUBED_PLANTED := build/cluster/cubed-planted
$(CUBED_PLANTED): build/obj/server/main.o build/obj/tests/cluster/planted_faults.o $(SERVER_ARCHIVES) build/libcube.a
	@mkdir -p $(@D)
	$(call SAY,LD)
	$(Q)$(CC) $(LDFLAGS) $(PLANTED:%=-Wl,--wrap=%) -o $@ $^ $(SERVER_LIBS)

# $(call CONTROL,faults,script,argument): a command for each fault.
CONTROL = $(foreach plant,$1,'CUBED_PLANT=$(plant) node tests/cluster/$2.mjs $(CUBED_PLANTED) $3')
.PHONY: prove-controls
prove-controls: $(CUBED_PLANTED) tests/api/node_modules
	@$(RUN_TESTS) \
	  $(call CONTROL,open-gate own-lanes numbers skip-rows no-hints,linearizable,2000) \
	  $(call CONTROL,open-gate own-lanes numbers skip-rows slow-answers no-hints,linear,5000) \
	  $(call CONTROL,skip-changes,watchers,2) \
	  $(call CONTROL,skip-rows no-hints,watchers,1) \
	  $(call CONTROL,no-barrier,barrier,) \
	  $(call CONTROL,open-gate,frozen,1000) \
	  $(call CONTROL,no-receipts,keys,40) \
	  $(call CONTROL,other-hints,hints,) \
	  $(call CONTROL,keep-cache,postmaster,60)

# haproxy and nginx before several nodes, with the configurations of docker/cluster/: where requests go; nodes that are
# restarted, and one that hangs, under load.
.PHONY: prove-balance
prove-balance: all tests/api/node_modules
	@$(RUN_TESTS) \
	  'node tests/cluster/balance.mjs build/cubed' \
	  'node tests/cluster/nginx.mjs' \
	  'node tests/cluster/rolling.mjs build/cubed' \
	  'node tests/cluster/hung.mjs build/cubed'

# Several who turn and watch one cube, through kills; watchers that do not read; the same under ThreadSanitizer.
LIVE_ENTRIES := 3000
LIVE_CROWD := 20
LIVE_ANSWERS := 1500
.PHONY: check-live
check-live: all build-tsan
	@$(RUN_TESTS) \
	  'node tests/live/share.mjs build/cubed $(LIVE_ENTRIES) 2' \
	  'node tests/live/crowd.mjs build/cubed' \
	  'node tests/live/many.mjs build/cubed' \
	  'node tests/live/metrics.mjs build/cubed' \
	  'node tests/live/restored.mjs build/cubed' \
	  'node tests/live/tls.mjs build/cubed' \
	  'node tests/live/share.mjs build/tsan/cubed 1000 1' \
	  'node tests/live/crowd.mjs build/tsan/cubed $(LIVE_CROWD)' \
	  'node tests/live/many.mjs build/tsan/cubed 500 1' \
	  'node tests/http/loops.mjs build/tsan/cubed' \
	  $(if $(filter postgres,$(MODULES)),'node tests/cluster/linear.mjs build/tsan/cubed $(LIVE_ANSWERS)')

# kill -9 under load: every acknowledged entry is there afterwards. `make crash` runs for longer.
CYCLES := 25
.PHONY: check-crash crash
check-crash: all tests/api/node_modules
	node tests/api/crash.mjs build/cubed $(CYCLES)
crash:
	$(MAKE) check-crash CYCLES=1000

# The subcommands beside a running server under load.
.PHONY: check-ops
check-ops: all tests/api/node_modules build-asan
	@$(RUN_TESTS) \
	  'node tests/ops/run.mjs build/cubed' \
	  'node tests/ops/rights.mjs build/cubed' \
	  'node tests/ops/damage.mjs build/cubed' \
	  'node tests/ops/keys.mjs' \
	  'node tests/ops/play.mjs build/cubed' \
	  'node tests/ops/shell.mjs build/cubed' \
	  'node tests/ops/join.mjs build/asan/cubed' \
	  'node tests/ops/container.mjs build/cubed'

# The server without modules, of the same objects as the whole one: it links, and says what it has not.
build/small/modules.o: server/modules/modules.c server/modules/modules.h
	@mkdir -p $(@D)
	$(call SAY,CC)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) '-DMODULES(X)=' -c $< -o $@
build/small/cubed: $(OBJ)/server/main.o build/small/modules.o \
    $(foreach layer,$(filter-out server/main server/modules server/modules/%,$(REVERSED)),$(call layer_archive,$(layer))) $(BUILD)/libcube.a
	$(call SAY,LD)
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ $(SERVER_LIBS)

.PHONY: check-modules
check-modules: build/small/cubed
	node tests/api/modules.mjs build/small/cubed

# The alerts and the dashboard, read and tried by Prometheus' promtool, against the server's /metrics.
PACKAGES_ALERTS := promtool=prometheus openssl=openssl
.PHONY: check-alerts
check-alerts: all tests/api/node_modules
	@tools/install-packages $(PACKAGES_ALERTS)
	node tests/ops/alerts.mjs build/cubed

# ---- proofs: power cuts, failing calls and memory, a full disk, races; `make prove` for all of it (docs/internals/proofs.md) ----

PROOF_TESTS := $(filter-out $(LEFT_OUT_TESTS),$(patsubst %.c,$(BUILD)/%,$(wildcard tests/proof/test_*.c)))
PROOF_SUPPORT := $(patsubst %,$(OBJ)/tests/proof/%.o,disk_image powercut_vfs) $(OBJ)/tests/server/random_player.o $(OBJ)/tests/server/service_client.o

$(PROOF_TESTS): $(BUILD)/tests/proof/%: $(OBJ)/tests/proof/%.o $(PROOF_SUPPORT) $(SERVER_ARCHIVES) $(BUILD)/libcube.a
	@mkdir -p $(@D)
	$(call SAY,LD)
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ $(CHECK_LIBS) $(SERVER_LIBS)

$(BUILD)/tests/proof/test_loop_time: $(OBJ)/tests/proof/loop_client.o

# The writer thread step by step, on a clock of the test.
$(BUILD)/tests/proof/test_powercut: $(OBJ)/tests/proof/powercut_model.o $(OBJ)/tests/proof/stepped_writer.o
$(BUILD)/tests/proof/test_powercut: LDFLAGS += -Wl,--wrap=pthread_cond_timedwait,--wrap=clock_gettime

# The store's PostgreSQL behind a proxy that cuts connections; the control replaces what a lane finds out.
$(BUILD)/tests/proof/test_cuts: $(patsubst %,$(OBJ)/tests/%.o,proof/cut_proxy server/store_fixture server/postgres_fixture)
$(BUILD)/tests/proof/test_cuts: LDFLAGS += -Wl,--wrap=lane_resolve

$(BUILD)/tests/proof/test_libpq: $(patsubst %,$(OBJ)/tests/%.o,server/store_fixture server/postgres_fixture)

build/fault_preload.so: tests/proof/fault_preload.c
	@mkdir -p $(@D)
	$(call SAY,LD)
	$(Q)$(CC) -std=c17 -D_GNU_SOURCE -O2 $(WARNINGS) -fPIC -shared -o $@ $<

CUTS := 2000
FAULTS_EVERY := 4
WRITES := 2000
SLOW := 300
LIBPQ_STEP := 23
HISTORIES := 300
KILLED := 5000
LINEAR_VARIANT := release

.PHONY: check-proofs proof-programs prove
proof-programs: $(PROOF_TESTS)
check-proofs: all proof-programs build/fault_preload.so tests/api/node_modules build-asan
	$(MAKE) VARIANT=asan proof-programs
	$(if $(filter release,$(LINEAR_VARIANT)),,$(MAKE) $(LINEAR_VARIANT))
	@$(RUN_TESTS) \
	  '$(BUILD)/tests/proof/test_powercut $(CUTS)' \
	  'build/asan/tests/proof/test_powercut 100' \
	  'build/asan/tests/proof/test_allocations' \
	  $(if $(filter postgres,$(MODULES)),'build/asan/tests/proof/test_libpq $(LIBPQ_STEP)') \
	  'FAULT_PRELOAD=build/fault_preload.so node tests/proof/faults.mjs build/cubed $(FAULTS_EVERY)' \
	  'FAULT_PRELOAD=build/fault_preload.so node tests/proof/full_disk.mjs build/cubed' \
	  'node tests/proof/linear.mjs build/$(LINEAR_VARIANT:release=)/cubed $(WRITES)' \
	  'node tests/proof/linearizable_faults.mjs $(HISTORIES)' \
	  'node tests/proof/linearizable_kills.mjs build/cubed $(KILLED)' \
	  'node tests/proof/slow_crowd.mjs build/cubed $(SLOW)'

prove test-long fuzz: export TEST_LIMIT_S = 0
prove: packages-cluster
	$(MAKE) check-proofs FAULTS_EVERY=1 CUTS=20000 WRITES=20000 SLOW=2000 LIBPQ_STEP=1 HISTORIES=3000 KILLED=50000 LINEAR_VARIANT=tsan
	$(BUILD)/tests/proof/test_loop_time
	$(MAKE) check-crash CYCLES=200
	$(MAKE) prove-threads
	$(MAKE) prove-balance
	$(MAKE) -j$$(nproc) test-long
	$(MAKE) prove-clients
	$(MAKE) prove-wasm
	tests/library/amalgamation wasm
	CUBED_TEST_LONG=1 $(MAKE) check-page PAGE_TESTS='hands timer docs'
	$(MAKE) unit-server
	node tests/http/malformed.mjs build/cubed 10000
	node tests/http/slow.mjs build/cubed 2000
	$(MAKE) check-live LIVE_ENTRIES=10000 LIVE_CROWD=100 LIVE_ANSWERS=3000
	node tests/live/crowd.mjs build/cubed 2000
	node tests/live/tls.mjs build/tsan/cubed
	node tests/proof/overload.mjs build/cubed
	CUBED_TEST_LONG=1 node tests/api/guides.mjs build/cubed docs/guide/learn-a-distance.md
	$(MAKE) fuzz FUZZ_SECONDS=60
	node tests/cluster/linear.mjs build/tsan/cubed 30000
	node tests/cluster/watchers.mjs build/tsan/cubed 6
	CUBED_TEST_STORE=sqlite node tests/api/conversation.mjs build/asan/cubed
	CUBED_TEST_STORE=memory node tests/api/conversation.mjs build/cubed
	CUBED_TEST_STORE=postgresql node tests/api/conversation.mjs build/cubed
	$(MAKE) check-cluster ANSWERS=200000 ORDERED=1000000 ENDS=60 KEYS=2000 STARTS=20 MIGRATIONS=20 FAILED_STARTS=1000 CUT_STEP=1 STILL_MS=30000 POSTMASTERS=40
	$(MAKE) prove-controls
	$(MAKE) prove-failovers
	$(MAKE) prove-package

# Nodes that are killed, and failovers of the database under Patroni and etcd: TRIES of each kind, and a control that must lose something.
TRIES := 10
.PHONY: prove-failovers
prove-failovers: packages-cluster all
	node tests/cluster/failover.mjs build/cubed $(TRIES)

# ---- fuzzers: FUZZ_SECONDS each, `make fuzz` for longer ----

FUZZ_SECONDS := 600
FUZZERS := notation serve receiver
FUZZ_FLAGS := -timeout=120 -print_final_stats=0 -verbosity=0

.PHONY: fuzz fuzz-short fuzz-run
fuzz: build-asan
	$(MAKE) VARIANT=asan fuzz-run
fuzz-short: build-asan
	$(MAKE) VARIANT=asan fuzz-run FUZZ_SECONDS=5

fuzz-run: $(FUZZERS:%=$(BUILD)/fuzz_%)
	@mkdir -p $(FUZZERS:%=build/fuzz/corpus-%)
	@$(RUN_TESTS) $(foreach name,$(FUZZERS),'$(BUILD)/fuzz_$(name) -max_total_time=$(FUZZ_SECONDS) $(FUZZ_FLAGS) -dict=tests/fuzz/$(name).dict build/fuzz/corpus-$(name)')

$(BUILD)/fuzz_notation: $(OBJ)/tests/fuzz/fuzz_notation.o $(CORE_O)
$(BUILD)/fuzz_serve: $(OBJ)/tests/fuzz/fuzz_serve.o $(CORE_O) $(filter-out $(OBJ)/server/http/%,$(SERVER_O))
$(BUILD)/fuzz_receiver: $(OBJ)/tests/fuzz/fuzz_receiver.o $(SERVER_ARCHIVES) $(BUILD)/libcube.a
$(BUILD)/fuzz_%:
	$(call SAY,LD)
	$(Q)$(CC) $(LDFLAGS) -fsanitize=fuzzer -o $@ $^ $(filter-out -lmicrohttpd,$(SERVER_LIBS))

# The library as programs in C and C++ use it.
PACKAGES_LIBRARY = g++=g++ cmake=cmake clang++=clang abidiff=abigail-tools python3=python3 node=nodejs wasm-ld=lld wasi-libc $(WASM_RUNTIME)
.PHONY: check-library abi
check-library: $(BUILD)/libcube.a $(BUILD)/libcube.so build/libcube.c
	@tools/install-packages $(PACKAGES_LIBRARY)
	@$(RUN_TESTS) tests/library/headers tests/library/exports tests/library/amalgamation tests/install/library

# Describes the ABI of libcube.so again, after a change that is meant.
abi: build/libcube.so
	@tools/install-packages $(PACKAGES_LIBRARY)
	tests/library/exports --write

# The library installed and linked by somebody else.
.PHONY: check-install
check-install: all
	tests/install/run

# ---- other systems: tests/systems/run makes them, which needs root ----

# Tests that depend on the compiler and the libraries of the system, in some minutes.
.PHONY: check-system check-debian13 check-arm64 prove-systems packages-systems
check-system: export WERROR = 1
check-system: packages-test-debian
	$(MAKE) $(EMBEDDED)
	$(MAKE) -j3 all build-asan tests/api/node_modules
	$(MAKE) -j3 check-unit check-conversations check-http check-python

.PHONY: check-conversations
check-conversations: all tests/api/node_modules
	CUBED_TEST_STORE=sqlite node tests/api/conversation.mjs build/cubed

check-debian13: packages-systems
	tests/systems/run debian13
check-arm64: packages-systems
	tests/systems/run arm64
prove-systems: packages-systems
	tests/systems/run start12 start13 package12 package13 debian12 arm64 test12 test13
packages-systems:
	@tools/install-packages mmdebstrap=mmdebstrap curl=curl

# ---- benchmarks: one run, one table, also in build/bench.md; docs/internals/benchmarks.md explains it ----

SECTIONS := core models solve server store live fair everywhere
BENCH := $(filter-out $(if $(filter postgres,$(LEFT_OUT)),build/bench/cluster),$(patsubst tests/bench/%.c,build/bench/%,$(wildcard tests/bench/*.c)))

.PHONY: bench packages-bench
bench: packages-bench
	$(MAKE) all wheel wasm $(BENCH) tests/bench/node_modules tests/web/node_modules
	node tests/bench/run.mjs $(SECTIONS)

packages-bench: packages
	@tools/install-packages node=nodejs npm=npm g++=g++ python3-numpy wrk=wrk chromium-headless-shell=chromium-headless-shell nginx-light

# These measure each way of doing a thing, which are inside the library.
BENCH_INSIDE := build/bench/batch build/bench/everywhere build/bench/pattern build/bench/state

$(filter-out $(BENCH_INSIDE),$(BENCH)): build/bench/%: $(OBJ)/tests/bench/%.o $(SERVER_ARCHIVES) $(BUILD)/libcube.a
$(BENCH_INSIDE): build/bench/%: $(OBJ)/tests/bench/%.o $(CORE_O)
$(BENCH):
	@mkdir -p $(@D)
	$(call SAY,LD)
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ $(SERVER_LIBS)

build/bench/cluster: SERVER_LIBS += -lpq

tests/bench/node_modules: tests/bench/package.json tests/bench/package-lock.json
	cd tests/bench && npm ci --silent
	@touch $@

# ---- rules of the architecture; --self-test plants a violation of each and demands that it is found ----

.PHONY: check-architecture
check-architecture: all build/small/cubed
	@$(RUN_TESTS) tools/check-architecture 'tools/check-architecture --self-test'

# Phrases that are not plain English, each with a better one, and comments without a subject: in the documents, openapi.yaml,
# the page, the man page, and the code.
.PHONY: check-english
check-english:
	@$(RUN_TESTS) 'tools/check-english --self-test' tools/check-english

# The form of commit messages, since the commit that added tools/check-commits. The hook refuses others at once.
.PHONY: check-commits hooks
check-commits:
	@$(RUN_TESTS) 'tools/check-commits --self-test' tools/check-commits
hooks:
	tools/check-commits --install

# Tests wait for what they test, not for a time: a bound of time below a minute in a test has its reason beside it.
.PHONY: check-time-bounds
check-time-bounds:
	@$(RUN_TESTS) 'tools/check-time-bounds --self-test' tools/check-time-bounds 'tools/run-tests --self-test'

# Algorithms for the cases of cube/sets.h are searched by a tool, and kept in the tree.
.PHONY: algorithms
algorithms: $(BUILD)/find-algorithms
	$(BUILD)/find-algorithms > core/sets/algorithms.def.new
	mv core/sets/algorithms.def.new core/sets/algorithms.def
$(BUILD)/find-algorithms: $(OBJ)/tools/find-algorithms.o $(BUILD)/libcube.a
	$(call SAY,LD)
	$(Q)$(CC) $(LDFLAGS) -o $@ $^

# The format of C is that of .clang-format, by the clang-format of Debian 12; another one formats otherwise.
CLANG_FORMAT = $(or $(shell command -v clang-format-14),clang-format)
C_FILES = $(shell find core server clients/terminal bindings tests tools -name '*.[ch]' -not -path '*/node_modules/*')
.PHONY: format check-format
format: tests/api/node_modules
	@$(CLANG_FORMAT) -i $(C_FILES)
	@tools/format-openapi
check-format: tests/api/node_modules
	@$(RUN_TESTS) 'tools/format-openapi --self-test' 'tools/format-openapi --check' '$(MAKE) check-format-c'
.PHONY: check-format-c
check-format-c:
	@if $(CLANG_FORMAT) --version 2>&1 | grep -q 'version 14\.'; then $(CLANG_FORMAT) --dry-run -Werror $(C_FILES); \
	else echo 'check-format: needs clang-format 14; not a test of this system'; fi

# ---- installing ----

.PHONY: install
install: all $(RELEASED)
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/share/doc/cubed
	install -m 755 $(RELEASED) $(BUILD)/cubed-play $(DESTDIR)$(PREFIX)/bin/
	install -m 644 README.md CHANGES.md LICENSE openapi.yaml $(DESTDIR)$(PREFIX)/share/doc/cubed/
	install -m 644 packaging/prometheus-alerts.yml packaging/grafana-dashboard.json $(DESTDIR)$(PREFIX)/share/doc/cubed/
	find docs docker -type f | while read -r file; do \
	  install -D -m 644 "$$file" "$(DESTDIR)$(PREFIX)/share/doc/cubed/$$file" || exit 1; done
	install -D -m 644 packaging/cubed.bash $(DESTDIR)$(PREFIX)/share/bash-completion/completions/cubed
	if [ -f $(BUILD)/cubed.1 ]; then install -D -m 644 $(BUILD)/cubed.1 $(DESTDIR)$(PREFIX)/share/man/man1/cubed.1 && \
	  ln -sf cubed.1 $(DESTDIR)$(PREFIX)/share/man/man1/cubed-play.1; fi
	$(MAKE) install-lib

.PHONY: install-lib
install-lib: $(BUILD)/libcube.a $(BUILD)/libcube.so
	install -d $(DESTDIR)$(INCLUDEDIR)/cube $(DESTDIR)$(LIBDIR)/pkgconfig $(DESTDIR)$(LIBDIR)/cmake/libcube
	install -m 644 core/include/cube/*.h $(DESTDIR)$(INCLUDEDIR)/cube/
	install -m 644 $(BUILD)/libcube.a $(DESTDIR)$(LIBDIR)/
	install -m 755 $(BUILD)/libcube.so $(DESTDIR)$(LIBDIR)/libcube.so.$(VERSION)
	ln -sf libcube.so.$(VERSION) $(DESTDIR)$(LIBDIR)/libcube.so.0
	ln -sf libcube.so.0 $(DESTDIR)$(LIBDIR)/libcube.so
	sed 's|@PREFIX@|$(PREFIX)|; s|@LIBDIR@|$(LIBDIR)|; s|@INCLUDEDIR@|$(INCLUDEDIR)|; s|@VERSION@|$(VERSION)|' \
	  core/libcube.pc.in > $(DESTDIR)$(LIBDIR)/pkgconfig/libcube.pc
	for file in libcube-config libcube-config-version; do \
	  sed "s|@VERSION@|$(VERSION)|; s|@INCLUDE_FROM_HERE@|$$(realpath -m --relative-to=$(LIBDIR)/cmake/libcube $(INCLUDEDIR))|" \
	    core/$$file.cmake.in > $(DESTDIR)$(LIBDIR)/cmake/libcube/$$file.cmake || exit 1; done

.PHONY: install-service
install-service:
	install -d $(DESTDIR)$(PREFIX)/lib/systemd/system $(DESTDIR)/etc/default
	for unit in service socket; do sed 's|/usr/bin/|$(PREFIX)/bin/|' packaging/cubed.$$unit \
	  > $(DESTDIR)$(PREFIX)/lib/systemd/system/cubed.$$unit || exit 1; done
	[ -f $(DESTDIR)/etc/default/cubed ] || install -m 644 packaging/cubed.default $(DESTDIR)/etc/default/cubed

# The man page; its flags are those of --help.
SOURCE_DATE_EPOCH ?= $(shell git log -1 --format=%ct 2>/dev/null || date +%s)
.PHONY: man
man: $(BUILD)/cubed.1
$(BUILD)/cubed.1: packaging/cubed.1.scd packaging/man-flags $(BUILD)/cubed
	$(call SAY,MAN)
	$(Q)packaging/man-flags $(BUILD)/cubed < $< > $@.scd
	$(Q)SOURCE_DATE_EPOCH=$(SOURCE_DATE_EPOCH) scdoc < $@.scd > $@.new && mv $@.new $@

# ---- packages for others ----

PACKAGES_DEB := scdoc=scdoc dpkg-shlibdeps=dpkg-dev
PACKAGES_PACKAGE := mmdebstrap=mmdebstrap lintian=lintian curl=curl systemd-nspawn=systemd-container
DEB_VERSION ?= $(VERSION)-1
DEB_DIR ?= build/deb

.PHONY: deb
deb: packages
	@tools/install-packages $(PACKAGES_DEB)
	rm -rf $(DEB_DIR)
	$(MAKE) all man
	$(MAKE) install install-service PREFIX=/usr LIBDIR=/usr/lib/$$(dpkg-architecture -qDEB_HOST_MULTIARCH) \
	  DESTDIR=$(abspath $(DEB_DIR))/stage
	SOURCE_DATE_EPOCH=$(SOURCE_DATE_EPOCH) packaging/build-deb $(abspath $(DEB_DIR))/stage $(abspath $(DEB_DIR)) $(DEB_VERSION)

# Podman forgets the health check unless it writes the image in the format of Docker.
ENGINE ?= $(or $(shell command -v docker),$(shell command -v podman),docker)
.PHONY: image
image:
	$(ENGINE) build $(if $(findstring podman,$(ENGINE)),--format docker) -f docker/Dockerfile -t cubed:$(VERSION) -t cubed:latest .

# Each flag and command of --help is in the man page and in the completion, and only these are.
.PHONY: check-manual
check-manual: $(BUILD)/cubed
	tests/package/manual $(BUILD)/cubed

.PHONY: prove-package
prove-package: packages
	@tools/install-packages $(PACKAGES_DEB) $(PACKAGES_PACKAGE)
	tests/package/run
	tests/package/boot build/package/1/cubed_*.deb build/package/2/cubed_*.deb

.PHONY: help
help:
	@sed -n 's/^#   //p' Makefile

.PHONY: clean
clean:
	rm -rf build

-include $(shell find build -name '*.d' 2>/dev/null)
