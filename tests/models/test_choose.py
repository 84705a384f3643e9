"""Which model the settings choose."""

from __future__ import annotations

import pytest

from graph_session.models.anthropic import AnthropicModel
from graph_session.models.choose import ANSWER_MODEL, SUMMARY_MODEL, choose_model, warm
from graph_session.models.offline import OfflineModel
from tests.support.anthropic_rules import MODELS


@pytest.mark.parametrize("key", [None, "", "  "])
def test_without_a_key_the_offline_model_answers(key: str | None) -> None:
    assert isinstance(choose_model(api_key=key), OfflineModel)


def test_a_key_is_enough_for_anthropic() -> None:
    model = choose_model(api_key=" sk-ant-1 ")
    assert isinstance(model, AnthropicModel)
    assert (model.answer_model, model.summary_model) == (ANSWER_MODEL, SUMMARY_MODEL)
    assert {ANSWER_MODEL, SUMMARY_MODEL} <= MODELS


def test_models_may_be_named() -> None:
    model = choose_model(api_key="k", answer_model="anthropic/claude-opus-5-5", summary_model="claude-haiku-5-5")
    assert (model.answer_model, model.summary_model) == ("claude-opus-5-5", "claude-haiku-5-5")


def test_offline_may_be_asked_for() -> None:
    assert isinstance(choose_model(api_key="k", provider="offline"), OfflineModel)


@pytest.mark.parametrize(
    ("key", "provider", "named"),
    [
        ("", "anthropic", "ANTHROPIC_API_KEY"),
        ("k", "openai", "GRAPH_SESSION_PROVIDER"),
        ("sk ant", "auto", "ANTHROPIC_API_KEY"),
        ("ключ", "anthropic", "ANTHROPIC_API_KEY"),
    ],
)
def test_settings_that_do_not_go_together_are_named(key: str, provider: str, named: str) -> None:
    with pytest.raises(ValueError, match=named) as caught:
        choose_model(api_key=key, provider=provider)
    assert len(key) < 2 or key not in str(caught.value)


@pytest.mark.parametrize("url", ["api.anthropic.com", "ftp://host", "http://", "http://[half", "http://host:x"])
def test_a_base_url_that_is_none_is_named(url: str) -> None:
    with pytest.raises(ValueError, match="ANTHROPIC_BASE_URL"):
        choose_model(api_key="k", base_url=url)


@pytest.mark.parametrize("url", ["", None, "https://api.anthropic.com", "http://127.0.0.1:9000/proxy"])
def test_base_urls(url: str | None) -> None:
    assert isinstance(choose_model(api_key="k", base_url=url), AnthropicModel)


def test_the_offline_model_needs_no_warming() -> None:
    warm(OfflineModel())
