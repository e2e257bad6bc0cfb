"""The whole API against its own document: whatever is sent, the reply is one that the document promises."""

from __future__ import annotations

from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from battletape.web.app import create_app
from battletape.web.limits import Limits

APP = create_app(Limits(quick=0.05, patient=0.05))
SCHEMA = schemathesis.openapi.from_asgi("/api/v1/openapi.json", APP)
OPERATIONS = {found.ok().label: found.ok() for found in SCHEMA.get_all_operations() if isinstance(found, Ok)}
TRIES = [(label, GenerationMode.POSITIVE) for label in OPERATIONS]
TRIES += [(label, GenerationMode.NEGATIVE) for label in OPERATIONS if label.startswith("POST")]
PROMISES = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
SLOW = [HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large]


def test_every_path_of_the_document_is_tried():
    assert len(OPERATIONS) == sum(len(path) for path in SCHEMA.raw_schema["paths"].values())


# Not SCHEMA.parametrize(): its tests all have one name, of which pytest-xdist runs only the first.
@pytest.mark.parametrize("label, mode", TRIES, ids=lambda one: getattr(one, "value", one))
def test_any_request_gets_what_the_document_promises(label, mode):
    one = OPERATIONS[label]

    @settings(max_examples=2, deadline=None, suppress_health_check=SLOW, phases=(Phase.generate,))
    @given(case=one.as_strategy(generation_mode=mode))
    def check(case: schemathesis.Case[Any]) -> None:
        case.call_and_validate(checks=PROMISES)

    check()
