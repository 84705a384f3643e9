"""What is known of models: windows and prices, from the built-in file and one of the user's own."""

from __future__ import annotations

from pathlib import Path

import pytest

from graph_session.domain.catalogue import ModelInfo
from graph_session.domain.content import Usage
from graph_session.models.catalogue import load_catalogue
from graph_session.models.choose import ANSWER_MODEL, SUMMARY_MODEL


def test_the_models_that_are_asked_by_default_are_known() -> None:
    catalogue = load_catalogue(None, 7)
    for model in (ANSWER_MODEL, SUMMARY_MODEL, "offline"):
        assert catalogue.window(model) > 100_000
    assert catalogue.window(f"anthropic/{ANSWER_MODEL}") == catalogue.window(ANSWER_MODEL)
    assert catalogue.window("nobody knows it") == 7


def test_a_price_that_is_not_known_is_none_and_not_nothing() -> None:
    catalogue = load_catalogue(None, 7)
    assert catalogue.cost_usd("offline", Usage(1_000_000, 5)) == 0.0
    assert catalogue.cost_usd("nobody knows it", Usage(1, 1)) is None
    assert catalogue.cost_usd(None, Usage(1, 1)) is None


def test_a_file_of_ones_own_adds_and_goes_first(tmp_path: Path) -> None:
    own = tmp_path / "models.json"
    own.write_text(
        """{"mine": {"usd_per_million_tokens": {"input": 2.0, "output": 10.0, "cache_read": 0.5, "cache_write": 4.0}},
            "offline": {"window": 9}}""",
        encoding="utf-8",
    )
    catalogue = load_catalogue(own, 7)
    assert catalogue.cost_usd("me/mine", Usage(1_000_000, 100_000, 2_000_000, 500_000)) == pytest.approx(6.0)
    assert catalogue.window("mine") == 7
    assert catalogue.window("offline") == 9
    assert catalogue.window(ANSWER_MODEL) > 100_000


def test_the_models_of_a_provider(tmp_path: Path) -> None:
    catalogue = load_catalogue(None, 7)
    assert catalogue.of("offline", "offline") == [ModelInfo("offline", 200_000, 0.0, 0.0)]
    built_in = [model.id for model in catalogue.of("anthropic")]
    assert built_in == sorted(built_in)
    assert {ANSWER_MODEL, SUMMARY_MODEL} <= set(built_in)
    assert "offline" not in built_in

    own = tmp_path / "models.json"
    own.write_text(
        """{"mine": {"usd_per_million_tokens": {"input": 2}}, "other": {"provider": "openai", "window": 9},
            "claude-haiku-5-5": {"usd_per_million_tokens": {"input": 1, "output": 5.5}}}""",
        encoding="utf-8",
    )
    catalogue = load_catalogue(own, 7)
    found = {model.id: model for model in catalogue.of("anthropic", "of the settings", ANSWER_MODEL)}
    assert list(found) == sorted({*built_in, "mine", "of the settings"})
    assert found["mine"] == ModelInfo("mine", 7, 2, None)
    assert found["claude-haiku-5-5"] == ModelInfo("claude-haiku-5-5", 1_000_000, 1, 5.5)
    assert found["of the settings"] == ModelInfo("of the settings", 7, None, None)
    assert [model.id for model in catalogue.of("openai")] == ["other"]


@pytest.mark.parametrize("text", [None, "{", "[]", '{"mine": 200000}'])
def test_a_file_that_cannot_be_read_is_said_so(tmp_path: Path, text: str | None) -> None:
    own = tmp_path / "models.json"
    if text is not None:
        own.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match="the model catalogue"):
        load_catalogue(own, 7)
