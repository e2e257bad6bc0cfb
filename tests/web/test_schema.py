"""The whole API against its own document: whatever is sent, the reply is one that the document promises."""

from __future__ import annotations

import schemathesis
from hypothesis import HealthCheck, Phase, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from battletape.web.app import create_app
from battletape.web.limits import Limits

# The examples of the document and some of everything else. The systematic phase would make twenty thousand requests
# of the many inputs that all questions share.
CONFIG = schemathesis.Config.from_dict({"phases": {"coverage": {"enabled": False}}})
APP = create_app(Limits(quick=0.05, patient=0.05))
SCHEMA = schemathesis.openapi.from_asgi("/api/v1/openapi.json", APP, config=CONFIG)
PROMISES = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
SLOW = [HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large]


@SCHEMA.parametrize()
@settings(max_examples=6, deadline=None, suppress_health_check=SLOW, phases=(Phase.explicit, Phase.generate))
def test_any_request_gets_what_the_document_promises(case):
    case.call_and_validate(checks=PROMISES)
