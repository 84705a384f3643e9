"""The offline model: what it says of a context, and summaries in any script."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graph_session.domain.content import TextBlock
from graph_session.domain.context import AssembledContext, ContextSource, summary_message
from graph_session.domain.entries import StopReason, SummaryKind
from graph_session.domain.summaries import Line, SummaryRequest
from graph_session.domain.tokens import script_estimate
from graph_session.models.base import Completed, Delta, ModelError
from graph_session.models.extract import extract, split_sentences
from graph_session.models.offline import NOTICE, OfflineModel, describe
from tests.models.contexts import assistant, context, contexts, question, user

pytestmark = pytest.mark.anyio

ENGLISH = (
    Line("user", "Hi! Thanks for your help. Which database should our team use for the conversation tree?"),
    Line(
        "assistant",
        "Great question! For a conversation tree a graph database fits, since the tree is read along its edges. "
        "Neo4j 5.26 keeps a conversation tree of 3.5 million entries on one machine. I hope this helps. "
        "The weather is nice. Let me know if you have more questions.",
    ),
)
CHINESE = (
    Line("user", "你好！谢谢你。我们的对话树应该用哪个数据库？"),
    Line(
        "assistant",
        "很好的问题！对话树适合用图数据库，因为树是沿着边读取的。今天天气很好。Neo4j可以保存对话树的三百万个节点。",
    ),
)
JAPANESE = (
    Line("user", "こんにちは。会話の木にはどのデータベースを使うべきですか？"),
    Line(
        "assistant", "ご質問ありがとうございます。会話の木にはグラフデータベースが適しています。今日は天気がいいです。"
    ),
)
ARABIC = (
    Line("user", "مرحبا! ما هي قاعدة البيانات المناسبة لشجرة المحادثة؟"),
    Line(
        "assistant",
        "شكرا. قاعدة البيانات البيانية مناسبة لشجرة المحادثة لأن الشجرة تقرأ على طول الحواف. الطقس جميل اليوم.",
    ),
)
RUSSIAN = (
    Line("user", "Привет! Какую базу данных выбрать для дерева разговора?"),
    Line(
        "assistant",
        "Спасибо. Для дерева разговора подходит графовая база данных. Сегодня хорошая погода, солнце светит.",
    ),
)
HINDI = (
    Line("user", "नमस्ते। बातचीत के पेड़ के लिए कौन सा डेटाबेस चुनें?"),
    Line("assistant", "धन्यवाद। बातचीत के पेड़ के लिए ग्राफ डेटाबेस अच्छा है। आज मौसम अच्छा है।"),
)
ALL = {
    "English": (ENGLISH, "Which database should our team use for the conversation tree?"),
    "Chinese": (CHINESE, "我们的对话树应该用哪个数据库？"),
    "Japanese": (JAPANESE, "会話の木にはどのデータベースを使うべきですか？"),
    "Arabic": (ARABIC, "ما هي قاعدة البيانات المناسبة لشجرة المحادثة؟"),
    "Russian": (RUSSIAN, "Какую базу данных выбрать для дерева разговора?"),
    "Hindi": (HINDI, "बातचीत के पेड़ के लिए कौन सा डेटाबेस चुनें?"),
}


def request(lines: tuple[Line, ...], budget: int) -> SummaryRequest:
    return SummaryRequest(kind=SummaryKind.NODE, lines=lines, budget_tokens=budget)


async def test_an_answer_shows_what_reached_the_model() -> None:
    asked = context(
        summary_message(ContextSource.ANCHOR_SUMMARY, "They chose Neo4j.", ("e1",), "e1"),
        user("How large may it grow?\nAnd how fast?"),
        assistant("Large. " * 40),
        question("为什么？"),
        system="Be kind.",
    )
    *deltas, last = [event async for event in OfflineModel().answer(asked)]
    assert isinstance(last, Completed)
    text = "".join(delta.text for delta in deltas if isinstance(delta, Delta))
    assert len(deltas) > 5
    assert last.content == (TextBlock(text),)
    assert (last.stop_reason, last.provider, last.model) == (StopReason.STOP, "offline", "offline")
    assert last.usage.input_tokens == asked.total_tokens
    assert last.usage.output_tokens == script_estimate(text)
    lines = text.split("\n")
    assert lines[0] == NOTICE
    assert "4 messages" in lines[2]
    assert "- system · 2 tokens · Be kind." in lines
    assert f"1. user · ANCHOR_SUMMARY · {asked.messages[0].tokens} tokens · They chose Neo4j." in lines
    assert f"2. user · RAW · {asked.messages[1].tokens} tokens · How large may it grow? And how fast?" in lines
    assert lines[-1] == "You asked: 为什么？"


@settings(max_examples=100, deadline=None)
@given(contexts)
def test_every_message_has_its_line(asked: AssembledContext) -> None:
    text = describe(asked)
    assert text == describe(asked)
    for number, message in enumerate(asked.messages, 1):
        assert f"{number}. {message.role} · {message.source} · " in text


async def test_a_delay_between_deltas() -> None:
    started = time.monotonic()
    deltas = [event async for event in OfflineModel(delay=0.01).answer(context(question("?")))]
    assert time.monotonic() - started > 0.01 * (len(deltas) - 1)


@pytest.mark.parametrize(("lines", "asked"), ALL.values(), ids=ALL.keys())
async def test_a_summary_keeps_the_question_and_the_language(lines: tuple[Line, ...], asked: str) -> None:
    whole = sum(script_estimate(line.text) for line in lines)
    budget = max(script_estimate(asked) + 2, whole * 6 // 10)
    summary = await OfflineModel().summarize(request(lines, budget))
    assert asked in summary.text
    assert script_estimate(summary.text) <= budget
    assert summary.model == "offline"
    assert summary.usage.input_tokens == whole
    source = " ".join(line.text for line in lines)
    assert all(sentence in source for sentence in split_sentences(summary.text))


@pytest.mark.parametrize(("lines", "asked"), ALL.values(), ids=ALL.keys())
def test_what_the_conversation_is_about_comes_before_the_weather(lines: tuple[Line, ...], asked: str) -> None:
    answered = split_sentences(lines[1].text)[1]
    text = extract(lines, script_estimate(asked) + script_estimate(answered) + 2)
    assert split_sentences(text) == [asked, answered]


def test_sentences_keep_their_order() -> None:
    text = extract(ENGLISH, 60)
    places = [" ".join(line.text for line in ENGLISH).index(sentence) for sentence in split_sentences(text)]
    assert places == sorted(places)


def test_scripts_may_mix() -> None:
    lines = (*ENGLISH, *CHINESE, *ARABIC)
    text = extract(lines, 120)
    assert script_estimate(text) <= 120
    assert "conversation tree" in text
    assert "对话树" in text


def test_the_same_said_twice_is_kept_once() -> None:
    lines = (Line("user", "Use the graph database. " * 5 + "Then measure how fast a fork is."),)
    assert extract(lines, 25).count("Use the graph database.") == 1


def test_what_fits_is_kept_whole() -> None:
    assert extract((Line("user", "Pi is 3.14. See a.py!  Right?"), Line("assistant", "对。是的！")), 100) == (
        "Pi is 3.14. See a.py! Right? 对。是的！"
    )


@pytest.mark.parametrize("text", ["word " * 500, "字" * 500, "🙂" * 500])
def test_text_without_sentences_is_cut(text: str) -> None:
    summary = extract((Line("user", text),), 50)
    assert summary
    assert text.startswith(summary)
    assert 20 < script_estimate(summary) <= 50


@settings(max_examples=200, deadline=None)
@given(
    st.lists(
        st.builds(Line, st.sampled_from(["user", "assistant", "tool"]), st.text("ab .!?。字\n🙂؟", max_size=60)),
        max_size=6,
    ),
    st.integers(2, 60),
)
def test_a_summary_is_never_empty_and_never_over_its_budget(lines: list[Line], budget: int) -> None:
    text = extract(lines, budget)
    assert text == extract(lines, budget)
    assert script_estimate(text) <= budget
    assert bool(text) == any(line.text.strip() for line in lines)


async def test_nothing_to_summarise() -> None:
    with pytest.raises(ModelError) as caught:
        await OfflineModel().summarize(request((Line("user", " \n"),), 50))
    assert not caught.value.retryable


def test_a_long_conversation_is_summarised_in_a_moment() -> None:
    sentences = [
        f"Fact {number} is that the tree number {number % 37} has leaf {number % 11}." for number in range(1500)
    ]
    started = time.monotonic()
    extract((Line("assistant", " ".join(sentences)),), 2000)
    assert time.monotonic() - started < 3
