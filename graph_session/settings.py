"""Settings, all from the environment. `docs/settings.md` has the table; a test keeps the two in step."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, SecretStr, field_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict


def default_home() -> Path:
    """Where the embedded engine keeps its data unless told otherwise: the user's data folder (XDG)."""
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "graph_session"


class Settings(BaseSettings):
    """What can be set. Names in the environment are the fields' with `GRAPH_SESSION_` before them, unless said
    otherwise."""

    model_config = SettingsConfigDict(env_prefix="GRAPH_SESSION_", populate_by_name=True, extra="ignore")

    home: Path = Field(default_factory=default_home, description="Folder of the embedded engine's data.")
    host: str = Field("127.0.0.1", description="Address to listen on; other than loopback only with a token.")
    port: int = Field(8000, ge=0, le=65535, description="Port to listen on; 0: a free one.")
    token: SecretStr | None = Field(None, description="Bearer token that requests and sockets need.")
    allowed_hosts: Annotated[list[str], NoDecode] = Field(
        default_factory=list, description="Host names the server answers to besides loopback, comma-separated."
    )
    allowed_origins: Annotated[list[str], NoDecode] = Field(
        default_factory=list, description="Origins of other web pages that may use the API, comma-separated."
    )
    max_body_bytes: int = Field(8_388_608, ge=1024, description="Largest request body, bytes.")
    max_question_chars: int = Field(200_000, ge=1, description="Longest question, characters.")

    neo4j_uri: str | None = Field(
        None,
        validation_alias="NEO4J_URI",
        description="Neo4j server, e.g. neo4j://host:7687; unset: the embedded engine.",
    )
    neo4j_user: str = Field("neo4j", validation_alias="NEO4J_USER", description="User on that server.")
    neo4j_password: SecretStr = Field(
        SecretStr(""), validation_alias="NEO4J_PASSWORD", description="Password on that server; unset: no login."
    )
    neo4j_database: str = Field("neo4j", validation_alias="NEO4J_DATABASE", description="Database on that server.")

    provider: Literal["auto", "anthropic", "offline"] = Field(
        "auto", description="What answers: auto takes anthropic if there is a key, else offline."
    )
    anthropic_api_key: SecretStr | None = Field(
        None, validation_alias="ANTHROPIC_API_KEY", description="Key for Anthropic's API."
    )
    anthropic_base_url: str | None = Field(
        None, validation_alias="ANTHROPIC_BASE_URL", description="Another address of that API."
    )
    model: str | None = Field(None, description="Model for answers; unset: the provider's default here.")
    summary_model: str | None = Field(None, description="Model for summaries; unset: the provider's default here.")
    model_idle_seconds: float = Field(
        60.0, gt=0, description="How long the model's provider may say nothing before an answer is given up, seconds."
    )
    offline_delay: float = Field(0.0, ge=0, description="Seconds between the pieces of an offline answer, for demos.")

    lease_seconds: float = Field(
        30.0, gt=0, description="How long work of a process that has gone silent is left alone, seconds."
    )
    summary_workers: int = Field(2, ge=0, description="Summaries made at the same time by this process; 0: none here.")
    summary_attempts: int = Field(5, ge=1, description="Attempts at a summary before it is FAILED.")
    summary_backoff_seconds: float = Field(
        2.0, gt=0, description="First wait after a failed attempt; doubles each time."
    )
    log_level: Literal["debug", "info", "warning", "error"] = Field("info", description="Least level that is logged.")

    @field_validator("allowed_hosts", "allowed_origins", mode="before")
    @classmethod
    def _split(cls, value: object) -> object:
        return [part.strip() for part in value.split(",") if part.strip()] if isinstance(value, str) else value
