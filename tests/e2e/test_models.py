"""What a client can choose from: models with their prices, and levels of thinking."""

from __future__ import annotations

from pathlib import Path

import orjson

from tests.e2e.conftest import asking
from tests.e2e.support import Server, client
from tests.e2e.test_entries import CHANGE_LEVEL, CHANGE_MODEL
from tests.support.anthropic_standin import AnthropicStandin

MODELS = "{ models { id provider window isDefault inputUsdPerMillion outputUsdPerMillion } }"
MEMORY = {"GRAPH_SESSION_STORAGE": "memory"}


async def test_without_a_key_the_offline_model_is_the_only_one(tmp_path: Path) -> None:
    own = tmp_path / "models.json"
    own.write_bytes(orjson.dumps({"mine": {"window": 9}}))
    with Server(MEMORY | {"GRAPH_SESSION_CATALOGUE": str(own)}) as server:
        async with client(server) as api:
            offline = {"id": "offline", "provider": "offline", "window": 200_000, "isDefault": True}
            assert await api.run(MODELS) == [{**offline, "inputUsdPerMillion": 0.0, "outputUsdPerMillion": 0.0}]


async def test_every_model_and_level_that_is_listed_can_be_chosen(standin: AnthropicStandin, tmp_path: Path) -> None:
    own = tmp_path / "models.json"
    prices = {"usd_per_million_tokens": {"input": 1, "output": 5.5}}
    own.write_bytes(orjson.dumps({"claude-haiku-5-5": prices, "mine": {"window": 9}}))
    settings = MEMORY | {"GRAPH_SESSION_CATALOGUE": str(own), "GRAPH_SESSION_MODEL": "anthropic/claude-next"}
    settings |= {"GRAPH_SESSION_SUMMARY_WORKERS": "0"}
    with Server(settings | asking(standin)) as server:
        async with client(server) as api:
            models = {model["id"]: model for model in await api.run(MODELS)}
            assert {"claude-sonnet-5-5", "claude-opus-5-5", "mine", "claude-next"} <= models.keys()
            assert "offline" not in models
            assert [name for name, model in models.items() if model["isDefault"]] == ["claude-next"]
            haiku = {"id": "claude-haiku-5-5", "provider": "anthropic", "window": 1_000_000, "isDefault": False}
            assert models["claude-haiku-5-5"] == {**haiku, "inputUsdPerMillion": 1.0, "outputUsdPerMillion": 5.5}
            assert models["claude-next"]["window"] == 200_000
            assert models["claude-next"]["inputUsdPerMillion"] is None

            session_id, path = await api.create(), []
            changed = await api.run(CHANGE_MODEL, session=session_id, provider="anthropic", model="claude-haiku-5-5")
            assert changed["__typename"] == "AppendEntriesPayload"
            levels = await api.run("{ thinkingLevels }")
            assert (levels[0], levels[-1]) == ("off", "max")
            for level in levels:
                await api.run(CHANGE_LEVEL, session=session_id, level=level)
                path = await api.line(session_id, path, [f"At {level}?"])
            answers = standin.requests
            assert {body["model"] for body in answers} == {"claude-haiku-5-5"}
            assert "thinking" not in answers[0]
            efforts = [body["output_config"]["effort"] for body in answers[1:]]
            assert efforts == ["low", *levels[2:]]
