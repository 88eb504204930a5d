# memlog -- offline analyzer of GPU memory logs.  "make help" lists the targets.
VERSION := 0.1.0
prefix  ?= /usr/local

# One build tree per variant, never among the sources: DEBUG=1, SAN=1, COVERAGE=1, FUZZ=1.
comma   := ,
VARIANT := $(if $(FUZZ),fuzz,$(if $(SAN),san,$(if $(COVERAGE),cov,$(if $(DEBUG),debug,release))))
BUILD   := build/$(VARIANT)

PKGS       := libpcre2-8 sqlite3 popt jansson smartcols libarchive libxxhash libseccomp
OPT        := $(if $(filter release,$(VARIANT)),-O2 -g,$(if $(SAN)$(FUZZ),-O1 -g3,-O0 -g3))
OPT        += $(if $(SAN),-fsanitize=address$(comma)undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
OPT        += $(if $(COVERAGE),--coverage)
# _FORTIFY_SOURCE needs optimisation and clashes with the sanitizers' own checks.
HARDEN     := -fstack-protector-strong -fPIE $(if $(filter release,$(VARIANT)),-D_FORTIFY_SOURCE=2)
LINK       := -pie -Wl,-z,relro,-z,now
ifdef FUZZ
CC         := clang
OPT        += -fsanitize=fuzzer-no-link$(comma)address$(comma)undefined -fno-sanitize-recover=all
endif
# Fields that an initializer leaves out are zero: that is meant.
WARN       := -Wall -Wextra -Wno-missing-field-initializers -Wpedantic -Wshadow -Wvla -Wformat=2 -Wwrite-strings \
              -Wstrict-prototypes -Wmissing-prototypes -Wundef $(if $(WERROR),-Werror)
ALL_CFLAGS := -std=c11 -D_GNU_SOURCE -DVERSION='"$(VERSION)"' -Isrc -I$(BUILD)/gen -include base/banned.h \
              $(OPT) $(HARDEN) $(WARN) $(shell pkg-config --cflags $(PKGS)) $(CPPFLAGS) $(CFLAGS)
ALL_LIBS    = $(shell pkg-config --libs $(PKGS)) -lm -pthread $(LDFLAGS)

SRC  := $(sort $(wildcard src/*.c src/*/*.c))
TEST := $(sort $(wildcard tests/unit/*.c))
HDR  := $(sort $(wildcard src/*/*.h))
OBJ  := $(SRC:%.c=$(BUILD)/%.o)
TOBJ := $(TEST:%.c=$(BUILD)/%.o)
GEN  := $(BUILD)/gen/schema.inc $(BUILD)/gen/migrations.inc $(BUILD)/gen/grammars.inc $(BUILD)/gen/plots.inc $(BUILD)/gen/html.inc

ifneq ($(V),1)
Q = @
say = @printf '  %-8s %s\n' $(1) '$(2)';
endif

all: $(BUILD)/memlog

$(BUILD)/memlog: $(OBJ)
	$(call say,LINK,$@)$(CC) $(ALL_CFLAGS) $(LINK) -o $@ $^ $(ALL_LIBS)

$(BUILD)/unit-tests: $(filter-out $(BUILD)/src/main.o,$(OBJ)) $(TOBJ)
	$(call say,LINK,$@)$(CC) $(ALL_CFLAGS) $(LINK) -o $@ $^ $(ALL_LIBS) -lcriterion

$(BUILD)/%.o: %.c Makefile | $(GEN)
	@mkdir -p $(@D)
	$(call say,CC,$<)$(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

$(BUILD)/gen/schema.inc: $(sort $(wildcard src/store/*.sql)) scripts/embed
	$(call say,EMBED,src/store/)scripts/embed $@ $(filter %.sql,$^)
$(BUILD)/gen/migrations.inc: $(sort $(wildcard src/store/migrations/*.sql)) scripts/embed
	$(call say,EMBED,src/store/migrations/)scripts/embed $@ $(filter %.sql,$^)
$(BUILD)/gen/grammars.inc: $(sort $(wildcard grammar/*.grammar)) scripts/embed
	$(call say,EMBED,grammar/)scripts/embed $@ $(filter grammar/%,$^)
$(BUILD)/gen/plots.inc: $(sort $(wildcard src/render/plot/*.gp)) scripts/embed
	$(call say,EMBED,src/render/plot/)scripts/embed $@ $(filter %.gp,$^)
$(BUILD)/gen/html.inc: $(sort $(wildcard src/render/html/*)) scripts/embed
	$(call say,EMBED,src/render/html/)scripts/embed $@ $(filter src/render/html/%,$^)

# Everything that check needs, so that it can be built in parallel first.
HARNESS := $(patsubst tests/fuzz/fuzz_%.c,%,$(sort $(wildcard tests/fuzz/fuzz_*.c)))
check-build: $(BUILD)/memlog $(BUILD)/unit-tests $(HDR:%=$(BUILD)/%.ok) $(HARNESS:%=$(BUILD)/corpus_%)
check: check-layers check-headers check-docs check-unit check-cli check-fuzz
check-layers:
	$(call say,CHECK,layers)scripts/check-layers
check-docs: $(BUILD)/memlog
	$(call say,CHECK,docs)scripts/check-docs $<
check-headers: $(HDR:%=$(BUILD)/%.ok)
$(BUILD)/%.h.ok: %.h
	@mkdir -p $(@D)
	$(call say,HEADER,$<)printf '#include "%s"\n' $(<:src/%=%) | $(CC) $(filter-out --coverage,$(ALL_CFLAGS)) -fsyntax-only -xc - && touch $@
check-unit: $(BUILD)/unit-tests
	$(call say,TEST,$<)$<
check-cli: $(BUILD)/memlog
	$(call say,TEST,fixtures)scripts/golden $<

# make FUZZ=1 fuzz: each tests/fuzz/fuzz_X.c runs for FUZZ_SECONDS over the corpus beside it.
FUZZ_SECONDS ?= 30
$(BUILD)/fuzz_%: tests/fuzz/fuzz_%.c $(filter-out $(BUILD)/src/main.o,$(OBJ))
	$(call say,LINK,$@)$(CC) $(ALL_CFLAGS) -fsanitize=fuzzer -o $@ $^ $(ALL_LIBS)
ifdef FUZZ
fuzz: $(HARNESS:%=run-fuzz_%)
else
fuzz:
	@$(MAKE) --no-print-directory FUZZ=1 fuzz
endif
run-fuzz_%: $(BUILD)/fuzz_%
	@mkdir -p $(BUILD)/found-$*
	$(call say,FUZZ,$*)$< -dict=tests/fuzz/words.dict -max_total_time=$(FUZZ_SECONDS) $(BUILD)/found-$* $(wildcard tests/fuzz/corpus/$*)

# The kept inputs of each harness as a regression test, without libFuzzer and with any compiler.
$(BUILD)/corpus_%: tests/fuzz/fuzz_%.c tests/fuzz/replay_main.c $(filter-out $(BUILD)/src/main.o,$(OBJ))
	$(call say,LINK,$@)$(CC) $(ALL_CFLAGS) $(LINK) -o $@ $^ $(ALL_LIBS)
check-fuzz: $(HARNESS:%=corpus-%)
corpus-%: $(BUILD)/corpus_%
	$(call say,TEST,$<)$< $(sort $(wildcard tests/fuzz/corpus/$*/*))

# What check runs of src/, by file; the file that it runs least of is last, above the total.
ifdef COVERAGE
coverage: check-build
	@find $(BUILD) -name '*.gcda' -delete
	@$(MAKE) --no-print-directory check
	@gcovr --root . --filter src/ --sort-uncovered $(BUILD)
else
coverage:
	@command -v gcovr >/dev/null || { echo 'make coverage needs gcovr (apt-get install gcovr)' >&2; exit 1; }
	@$(MAKE) --no-print-directory COVERAGE=1 coverage
endif

bench: $(BUILD)/memlog
	@scripts/bench $<
# A number that does not depend on what else the machine does: for comparing commits.
bench-instructions: $(BUILD)/memlog
	@scripts/bench-instructions $<

# Imports that are killed, starved and cut short; minutes long, so by hand.
$(BUILD)/faults.so: tests/torture/faults.c
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) -std=c11 -D_GNU_SOURCE -O2 $(WARN) -shared -fPIC -o $@ $< -ldl
torture: $(BUILD)/memlog $(BUILD)/faults.so
	@scripts/torture $^

# Three analysers over src/ and shellcheck over the scripts; none of them is needed to build or test.
# What passed leaves a file beside its object, and is looked at again once that is newer: make -j2 lint.
lint: lint-cppcheck lint-analyzer lint-tidy lint-shell
lint-cppcheck: $(BUILD)/cppcheck.ok
lint-analyzer: $(SRC:%=$(BUILD)/%.analyzed)
lint-tidy: $(SRC:%=$(BUILD)/%.tidy)
have-%:
	@command -v $* >/dev/null || { echo "make lint needs $*, which is not installed: apt-get install $*" >&2; exit 1; }

# cppcheck 2.10 gives a file up where the _Generic of SQL_ARG() is in a condition; the other two do not.
CPPCHECK_WAIVED := internalAstError:src/store/*
$(BUILD)/cppcheck.ok: $(SRC) $(HDR) $(GEN) Makefile | have-cppcheck
	$(call say,CPPCHECK,src)cppcheck -q --std=c11 --enable=warning,portability,performance --error-exitcode=1 \
		$(CPPCHECK_WAIVED:%=--suppress=%) -Isrc -I$(BUILD)/gen src && touch $@

$(BUILD)/%.c.analyzed: $(BUILD)/%.o | have-gcc
	$(call say,ANALYZE,$*.c)gcc $(ALL_CFLAGS) -Werror -fanalyzer -c -o /dev/null $*.c && touch $@

# What is waived for all files stands in .clang-tidy, for one line in that line.
$(BUILD)/%.c.tidy: $(BUILD)/%.o .clang-tidy | have-clang-tidy
	$(call say,TIDY,$*.c)clang-tidy --quiet $*.c -- $(filter-out -f%,$(ALL_CFLAGS)) >$@ 2>&1 || { cat $@; exit 1; }

# Not scripts/torture, which is Python.
lint-shell: | have-shellcheck
	$(call say,SHELL,scripts)shellcheck $(shell grep -l '^#!/bin/sh' scripts/*)

install: $(BUILD)/memlog
	install -D -m 755 $< $(DESTDIR)$(prefix)/bin/memlog

clean:
	rm -rf build

help:
	@sed -n 's/^#: //p' Makefile
#: make                  build/release/memlog
#: make check            layers, headers, docs, unit tests, golden cases
#: make check SAN=1      the same under AddressSanitizer and UBSan
#: make bench            memlog beside its peers, as ratios
#: make bench-instructions  what a fixed import costs, counted by callgrind
#: make lint             cppcheck, gcc -fanalyzer, clang-tidy, shellcheck; each alone: lint-cppcheck, -analyzer, -tidy, -shell
#: make torture          imports killed, starved of memory, disk and writes; at once; damaged databases
#: make fuzz             each tests/fuzz/fuzz_*.c for FUZZ_SECONDS (30) under libFuzzer
#: make coverage         the lines of src/ that make check runs, by file; needs gcovr
#: make install          into $(DESTDIR)$(prefix)/bin, prefix=/usr/local
#: make COVERAGE=1 ...   gcov build       make DEBUG=1 ...   -O0
#: make WERROR=1 ...     warnings are errors    make V=1 ...   show the commands

.PHONY: all check check-build check-layers check-docs check-headers check-unit check-cli check-fuzz coverage fuzz bench bench-instructions torture lint lint-cppcheck lint-analyzer lint-tidy lint-shell install clean help
.DELETE_ON_ERROR:
.SECONDARY:
-include $(OBJ:.o=.d) $(TOBJ:.o=.d)
