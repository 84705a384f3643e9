"""Extractive summaries in any script, without a model: the sentences nearest to what the whole text is about.

Centroid-based summarisation (Radev et al. 2004): a sentence scores by the cosine between its term weights
(tf-idf) and those of the whole text. Terms are words, and pairs of characters in scripts that put no spaces
between words. Questions and what the user says count more, since they carry what the conversation is for.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from graph_session.domain.entries import Role
from graph_session.domain.summaries import Line, clip
from graph_session.domain.tokens import script_estimate

USER_WEIGHT = 1.3
QUESTION_WEIGHT = 1.5
POSITION_WEIGHT = 0.3
SHORT_TERMS = 3
SHORT_WEIGHT = 0.4
SAME = 0.8

# A full stop ends a sentence only before a space, so that numbers, file names and URLs stay whole.
_SENTENCE = re.compile(r".+?(?:[.!?…؟۔]+[\"'”’»)\]]*(?=\s|$)|[。！？．।॥]+[”’」』）]*|$)", re.DOTALL)
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
)
_WORD = re.compile(r"\w+")
_QUESTION_END = re.compile(r"[?？؟][\"'”’»)\]」』）]*$")


@dataclass(frozen=True, slots=True)
class _Sentence:
    text: str
    role: str
    terms: Counter[str]
    position: float


def extract(lines: Sequence[Line], budget_tokens: int) -> str:
    """Whole sentences of the lines in their order, within the budget; all of them where they fit.

    Empty only where the lines have no text. Where no sentence fits, the best one is cut.
    """
    sentences = list(_sentences(lines))
    costs = [script_estimate(sentence.text) + 1 for sentence in sentences]
    if sum(costs) <= budget_tokens:
        return _join(sentences)
    weights = _term_weights(sentences)
    order = sorted(range(len(sentences)), key=lambda index: (-_score(sentences[index], weights), index))
    chosen: list[int] = []
    left = budget_tokens
    for index in order:
        if costs[index] <= left and not any(_same(sentences[index], sentences[other]) for other in chosen):
            chosen.append(index)
            left -= costs[index]
    if chosen:
        return _join([sentences[index] for index in sorted(chosen)])
    best = sentences[order[0]].text
    return clip(best, budget_tokens) or best[:1]


def split_sentences(text: str) -> list[str]:
    """The sentences of a text in any script, stripped; a line break ends one too."""
    found = (match.group().strip() for line in text.splitlines() for match in _SENTENCE.finditer(line))
    return [sentence for sentence in found if sentence]


def _sentences(lines: Sequence[Line]) -> Iterator[_Sentence]:
    for line in lines:
        texts = split_sentences(line.text)
        for index, text in enumerate(texts):
            yield _Sentence(text, line.role, _terms(text), 1 - index / len(texts))


def _terms(text: str) -> Counter[str]:
    terms: Counter[str] = Counter()
    for match in _WORD.finditer(text.casefold()):
        word = match.group()
        if _UNSPACED.search(word):
            terms.update(word[i : i + 2] for i in range(max(1, len(word) - 1)))
        else:
            terms[word] += 1
    return terms


def _term_weights(sentences: Sequence[_Sentence]) -> dict[str, float]:
    """The centroid: for each term, its count times how few sentences have it. Words of every sentence weigh
    little."""
    counts: Counter[str] = Counter()
    having: Counter[str] = Counter()
    for sentence in sentences:
        counts.update(sentence.terms)
        having.update(sentence.terms.keys())
    return {term: count * math.log(1 + len(sentences) / having[term]) for term, count in counts.items()}


def _score(sentence: _Sentence, weights: dict[str, float]) -> float:
    length = math.sqrt(sum(count * count for count in sentence.terms.values()))
    near = sum(count * weights[term] for term, count in sentence.terms.items()) / length if length else 0.0
    score = near * (1 + POSITION_WEIGHT * sentence.position)
    if sentence.role == Role.USER:
        score *= USER_WEIGHT
        if _QUESTION_END.search(sentence.text):
            score *= QUESTION_WEIGHT
    return score * SHORT_WEIGHT if sentence.terms.total() < SHORT_TERMS else score


def _same(one: _Sentence, other: _Sentence) -> bool:
    """Whether two sentences say nearly the same: the share of their terms that both have (Dice)."""
    both = (one.terms & other.terms).total()
    return 2 * both >= SAME * max(1, one.terms.total() + other.terms.total())


def _join(sentences: Sequence[_Sentence]) -> str:
    """A space between sentences, except after one of a script that has none."""
    text = ""
    for sentence in sentences:
        spaced = not text or _UNSPACED.match(text[-1]) or text[-1] in "。！？．”’」』）"
        text += sentence.text if spaced else f" {sentence.text}"
    return text
