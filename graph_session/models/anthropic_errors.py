"""What goes wrong between here and Anthropic, as ModelErrors whose messages a user can act on.

An error in the middle of a stream comes with status 200, so the error's type decides and the status only
where there is no type.
"""

from __future__ import annotations

import json

import anthropic
import httpx2

from graph_session.models.base import ModelError

FAILURES = (anthropic.APIError, httpx2.HTTPError, json.JSONDecodeError, UnicodeDecodeError)
"""What the SDK raises for a failed call: its own errors and, in the middle of a stream, the HTTP client's and
those of events that are no JSON."""

_TYPES = {
    "rate_limit_error": "RATE_LIMITED",
    "overloaded_error": "OVERLOADED",
    "timeout_error": "TIMEOUT",
    "authentication_error": "AUTHENTICATION",
    "permission_error": "AUTHENTICATION",
    "not_found_error": "UNKNOWN_MODEL",
    "request_too_large": "PROMPT_TOO_LONG",
    "billing_error": "REFUSED_REQUEST",
    "invalid_request_error": "REFUSED_REQUEST",
    "api_error": "PROVIDER_ERROR",
}
_STATUSES = {
    400: "REFUSED_REQUEST",
    401: "AUTHENTICATION",
    402: "REFUSED_REQUEST",
    403: "AUTHENTICATION",
    408: "TIMEOUT",
    413: "PROMPT_TOO_LONG",
    422: "REFUSED_REQUEST",
    429: "RATE_LIMITED",
    504: "TIMEOUT",
    529: "OVERLOADED",
}
_RETRYABLE = frozenset({"RATE_LIMITED", "OVERLOADED", "TIMEOUT", "CONNECTION"})
_TOO_LONG = ("prompt is too long", "exceed context limit", "context window")


def model_error(exc: Exception, model: str) -> ModelError:
    """The ModelError of one of `FAILURES` of a call to a model."""
    match exc:
        case anthropic.APITimeoutError() | httpx2.TimeoutException():
            return silent()
        case anthropic.APIConnectionError():
            cause = f" ({exc.__cause__})" if exc.__cause__ else ""
            return _error(f"Anthropic cannot be reached{cause}. Check the network and the base URL.", "CONNECTION")
        case httpx2.HTTPError():
            return cut_off()
        case anthropic.APIStatusError():
            return _status_error(exc, model)
        case _:
            return _error("Anthropic answered something that cannot be read.", "PROVIDER_ERROR", retryable=True)


def silent() -> ModelError:
    """The provider kept the connection open and said nothing for too long, or did not come to an end in
    time."""
    return _error("Anthropic did not answer in time.", "TIMEOUT")


def cut_off() -> ModelError:
    """The stream ended before the answer did."""
    return _error("The connection to Anthropic broke off in the middle of the answer.", "CONNECTION")


def _status_error(exc: anthropic.APIStatusError, model: str) -> ModelError:
    said = (exc.api_message or "").strip()
    code = _TYPES.get(exc.type or "") or _STATUSES.get(exc.status_code, "PROVIDER_ERROR")
    if code == "REFUSED_REQUEST" and any(words in said.lower() for words in _TOO_LONG):
        code = "PROMPT_TOO_LONG"
    quoted = f" It says: {said}" if said else ""
    match code:
        case "RATE_LIMITED":
            seconds = exc.response.headers.get("retry-after", "")
            wait = f"in {seconds} seconds" if seconds.isdigit() else "in a while"
            return _error(f"Anthropic's rate limit is reached; try again {wait}.", code)
        case "OVERLOADED":
            return _error("Anthropic is overloaded; try again in a while.", code)
        case "TIMEOUT":
            return silent()
        case "AUTHENTICATION":
            return _error(f"Anthropic does not accept the API key of this server for this.{quoted}", code)
        case "UNKNOWN_MODEL":
            return _error(f"Anthropic does not know the model {model!r}; choose another one.", code)
        case "PROMPT_TOO_LONG":
            return _error(
                f"The context is too long for the model {model!r}; compact it or fork higher up.{quoted}",
                code,
            )
        case "REFUSED_REQUEST":
            return _error(f"Anthropic does not accept the request.{quoted}", code)
        case _:
            again = exc.status_code in (200, 409) or exc.status_code >= 500
            return _error(f"Anthropic failed (status {exc.status_code}).{quoted}", code, retryable=again)


def _error(message: str, code: str, *, retryable: bool | None = None) -> ModelError:
    return ModelError(message, code=code, retryable=code in _RETRYABLE if retryable is None else retryable)
