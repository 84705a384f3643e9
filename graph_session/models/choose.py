"""Which model a server asks: Anthropic where there is a key, else the offline one."""

from __future__ import annotations

from urllib.parse import urlsplit

from graph_session.models.anthropic import AnthropicModel
from graph_session.models.base import Model
from graph_session.models.offline import OfflineModel

ANSWER_MODEL = "claude-sonnet-5-5"
SUMMARY_MODEL = "claude-haiku-5-5"
PROVIDERS = ("auto", "anthropic", "offline")


def choose_model(
    *,
    api_key: str | None = None,
    base_url: str | None = None,
    answer_model: str | None = None,
    summary_model: str | None = None,
    provider: str = "auto",
    offline_delay: float = 0.0,
    idle_seconds: float = 60.0,
) -> Model:
    """The model of these settings; empty ones count as absent. `provider` is one of `PROVIDERS`, `offline_delay` the
    seconds between the pieces of an offline answer, `idle_seconds` how long a provider may be silent.

    Raises ValueError, with a message for whoever set them, where they do not go together. The message never
    has the key.
    """
    if provider not in PROVIDERS:
        allowed = ", ".join(PROVIDERS)
        raise ValueError(f"GRAPH_SESSION_PROVIDER is {provider!r}; it can be one of {allowed}.")
    key = (api_key or "").strip()
    if provider == "offline" or (provider == "auto" and not key):
        return OfflineModel(delay=offline_delay)
    if not key:
        raise ValueError(
            "GRAPH_SESSION_PROVIDER is 'anthropic' but ANTHROPIC_API_KEY is not set. Set it, or set "
            "GRAPH_SESSION_PROVIDER=offline to run without a model."
        )
    if not key.isascii() or not key.isprintable() or " " in key:
        raise ValueError("ANTHROPIC_API_KEY has characters that no key has; copy it again.")
    url = (base_url or "").strip() or None
    if url is not None and not _is_http(url):
        raise ValueError(f"ANTHROPIC_BASE_URL is {url!r}; it must be like https://host or http://host:port.")
    return AnthropicModel(
        key,
        base_url=url,
        answer_model=(answer_model or "").strip() or ANSWER_MODEL,
        summary_model=(summary_model or "").strip() or SUMMARY_MODEL,
        idle_timeout=idle_seconds,
    )


def _is_http(url: str) -> bool:
    try:
        parts = urlsplit(url)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


def warm(model: Model) -> None:
    """Load what the model needs before its first question. May block for seconds: call it in a thread at start."""
    if isinstance(model, AnthropicModel):
        model.warm()
