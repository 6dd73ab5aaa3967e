"""Random source: what programs draw comes from their tokens, in turns as alone."""

from __future__ import annotations

import os
import random
import secrets
from pathlib import Path

import numpy as np
import pytest

from cardwright.league import bot_runtime
from cardwright.league.bot_runtime import RandomSource
from cardwright.sandbox.levels import strongest
from cardwright.sandbox.limits import SandboxLevel
from cardwright.sandbox.sandbox import Sandbox

LEVEL = strongest().level
sandboxed = pytest.mark.skipif(LEVEL < SandboxLevel.CONFINED, reason="no strong sandbox here")

TOKENS = [bytes([number]) * 32 for number in range(2)]

DRAWS = {
    "random.random": "random.random()",
    "random.shuffle": "random.sample(range(9999), 9)",
    "random.gauss": "random.gauss()",
    "Random": "random.Random().random()",
    "SystemRandom": "random.SystemRandom().sample(range(9999), 9)",
    "os.urandom": "random._os.urandom(8)",
    "os.getrandom": "random._os.getrandom(8)",
    "secrets": "secrets.token_hex()",
    "uuid4": "uuid.uuid4()",
    "numpy": "numpy.random.rand()",
    "numpy normal": "numpy.random.randn()",
    "RandomState": "numpy.random.RandomState().rand()",
    "default_rng": "numpy.random.default_rng().random()",
    "Generator": "numpy.random.Generator(numpy.random.PCG64()).random()",
    "SeedSequence": "numpy.random.SeedSequence().entropy",
}

GUEST = b"""
import json, secrets, sys, types, uuid
import random as system
given = None
sources = []

def serve(payload):
    module = types.ModuleType("random_source")
    exec(payload, vars(module))
    module.everywhere()
    def answer(request):
        if len(request) == 32:
            sources.append(module.RandomSource(request))
            return b""
        at, draw = json.loads(request)
        source = sources[at]
        import numpy.random
        with source:
            source.found_numpy()
            space = {"random": source.random, "numpy": numpy, "secrets": secrets, "uuid": uuid}
            return repr(eval(draw, space)).encode()
    return answer
"""


def drawn_inside(tokens, turns):
    """Return what comes of expressions in a new sandbox, each with whose turn it is."""
    program = Path(bot_runtime.__file__).read_bytes()
    imports = ("numpy", "secrets", "uuid")
    with Sandbox(GUEST, program, SandboxLevel.CONFINED, imports=imports) as sandbox:
        for token in tokens:
            sandbox.ask(token, 9)
        return [sandbox.ask(b'[%d, "%b"]' % (at, draw.encode()), 9) for at, draw in turns]


@sandboxed
def test_a_sandbox_draws_by_its_token_whatever_it_draws_with():
    """Without any seed, in two processes the same; with another token something else."""
    turns = [(0, draw) for draw in DRAWS.values()] * 2
    first = drawn_inside(TOKENS[:1], turns)
    assert drawn_inside(TOKENS[:1], turns) == first
    other = drawn_inside(TOKENS[1:], turns)
    assert not set(first) & set(other)
    assert len(set(first)) == len(first)


@sandboxed
def test_in_turns_each_draws_what_it_would_alone():
    """Two programs of one process, whose turns alternate."""
    each = [list(DRAWS.values()) * 2] * 2
    alone = [drawn_inside([token], [(0, draw) for draw in each[0]]) for token in TOKENS]
    turns = [(at, draw) for draw in each[0] for at in range(2)]
    together = drawn_inside(TOKENS, turns)
    assert [together[0::2], together[1::2]] == alone


def test_generators_with_a_seed_are_those_of_python():
    module = RandomSource(TOKENS[0]).random
    assert module.Random(5).random() == random.Random(5).random()
    module.seed("five")
    assert module.random() == random.Random("five").random()
    assert issubclass(module.Random, random.Random)


@pytest.mark.parametrize("draw", ["random.random()", "random.Random().random()",
                                  "random.SystemRandom().getrandbits(70)",
                                  "random.SystemRandom().random()",
                                  "random.SystemRandom().randbytes(9)",
                                  "numpy.random.rand()"])  # fmt: skip
def test_a_trusted_program_draws_by_its_token_too(draw):
    """And the process around it draws on as if nothing had been."""

    def drawn(token):
        random_source = RandomSource(token)
        with random_source:
            random_source.found_numpy()
            return [eval(draw, {"random": random_source.random, "numpy": np}) for _ in range(3)]

    np.random.seed(1)
    random.seed(1)
    expected = random.Random(1).random(), np.random.RandomState(1).rand()
    assert drawn(TOKENS[0]) == drawn(TOKENS[0]) != drawn(TOKENS[1])
    assert (random.random(), np.random.rand()) == expected
    assert os.urandom(16) != os.urandom(16)
    assert secrets.token_bytes() != secrets.token_bytes()


def test_a_number_of_bits_is_not_negative():
    with pytest.raises(ValueError, match="non-negative"):
        RandomSource(TOKENS[0]).random.SystemRandom().getrandbits(-1)
