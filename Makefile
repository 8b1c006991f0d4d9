# `make demo` and `make test` set everything up by themselves on a fresh clone.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
GOLDENS ?= generated_examples/goldens
SEEDS ?= 100000

.PHONY: venv demo test test-all lint format format-check types check examples bench soak closure mutate docs clean

venv: $(STAMP)

$(STAMP): pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --editable ".[dev,demo]"
	touch $@

demo: $(STAMP)
	$(BIN)/python generated_examples/oring_demo.py

# Of the long tables, a twentieth: another one with every change of the source. All of them: `make test-all`, half an hour.
test: $(STAMP)
	$(BIN)/python -m pytest -n auto --dist worksteal --one-in 20

test-all: $(STAMP)
	$(BIN)/python -m pytest -n auto --dist worksteal

lint: $(STAMP)
	$(BIN)/ruff check .

format: $(STAMP)
	$(BIN)/ruff format .

format-check: $(STAMP)
	$(BIN)/ruff format --check .

types: $(STAMP)
	$(BIN)/mypy

OWN := generated_examples/own_rules
# Is every written derivative in generated_examples/ the one that would be written today?
check: $(STAMP)
	$(BIN)/python -m s2s check generated_examples --rules $(OWN)/conv_rules.py

# Write the derivatives of generated_examples/ again. Options stand in a comment above the function, or here.
S2S := $(BIN)/python -m s2s
E := $(filter-out %_grad.py %_demo.py,$(wildcard generated_examples/*.py))
G := generated_examples/goldens
examples: $(STAMP)
	$(S2S) grad $(E)
	$(S2S) grad $(G)/exits.py
	$(S2S) grad $(G)/helper_in_loop.py::final_energy --wrt q,p,k
	$(S2S) grad $(G)/leaky_walk.py
	$(S2S) grad $(G)/logistic.py --wrt w --emit value_and_grad
	$(S2S) grad $(G)/mlp.py --wrt params
	$(S2S) grad $(G)/newton.py --emit value_and_grad
	$(S2S) grad $(G)/overwritten.py
	$(S2S) grad $(G)/rnn.py --wrt Wh,Wx,b,h
	$(S2S) grad $(G)/rosenbrock.py
	$(S2S) grad $(G)/unknown_ranks.py
	$(S2S) grad $(G)/thomas.py
	$(S2S) grad $(G)/leapfrog.py
	$(S2S) grad $(G)/saturate.py
	$(S2S) grad $(G)/relaxation.py
	$(S2S) grad $(G)/springs.py --wrt x,stiffness
	$(S2S) grad $(G)/gray_scott.py::gray_scott --wrt u,v,feed,kill
	$(S2S) grad $(G)/diffusion.py::diffusion --wrt u0,rate
	$(S2S) grad $(OWN)/blur.py --rules $(OWN)/conv_rules.py
	$(S2S) grad $(filter-out %_grad.py,$(wildcard generated_examples/second_order/*.py))

bench: $(STAMP)
	$(BIN)/python benchmarks/bench.py $(GOLDENS)

# Many random programs of all grammars, each with its derivative: two hours on two cores. SEEDS=5000: six minutes.
soak: $(STAMP)
	$(BIN)/python tests/soak.py $(SEEDS)

# What s2s writes, s2s reads: the derivatives of all test programs, differentiated once more. Fifteen minutes.
closure: $(STAMP)
	$(BIN)/python tests/closure.py

# Is every part of the table of rules tested? Five minutes of processor time, on two cores.
mutate: $(STAMP)
	$(BIN)/python tests/mutation.py

# Pages of docs/ that are made: from the manual pages that ship with the package, and from the table of rules.
docs: $(STAMP)
	$(BIN)/python tools/make_docs.py

clean:
	rm -rf $(VENV) build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache
