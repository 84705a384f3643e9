"""The printed table: ratios first, goals beside, and which of them were missed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Row:
    """One operation: its figure for each case, and the goals. `ratio_from`: the least case that the ratio takes, where
    smaller ones do less work by their nature."""

    name: str
    figures: Mapping[int, float]
    goal: float | None = None
    goal_ratio: float | None = None
    ratio_from: int = 0
    whole: bool = False

    @property
    def ratio(self) -> float | None:
        cases = [case for case in self.figures if case >= self.ratio_from]
        if len(cases) < 2:
            return None
        return self.figures[cases[-1]] / self.figures[cases[0]]

    def misses(self, goal_name: str) -> list[str]:
        """The goals this row misses, in words."""
        found = []
        if self.goal_ratio is not None and self.ratio is not None and self.ratio > self.goal_ratio:
            found.append(f"{self.name}: ratio {self.ratio:.2f}, goal {self.goal_ratio:g}")
        for case, figure in self.figures.items():
            if self.goal is not None and figure > self.goal:
                found.append(f"{self.name} at {case:,} {goal_name}: {_figure(figure, self.whole)}, goal {self.goal:g}")
        return found


def render(cases_name: str, cases: Sequence[int], rows: Sequence[Row]) -> str:
    """A Markdown table, which reads well as plain text too."""
    head = ["ms, medians", f"{cases[-1]:,} : {cases[0]:,}", "goal", *(f"{it:,} {cases_name}" for it in cases), "goal"]
    lines = [head]
    for row in rows:
        ratio = "–" if row.ratio is None or row.whole else f"{row.ratio:.2f}"
        if row.ratio_from > cases[0] and row.ratio is not None:
            ratio += "*"
        goal_ratio = "" if row.goal_ratio is None else f"≤ {row.goal_ratio:g}"
        goal = "" if row.goal is None else f"≤ {row.goal:g}"
        figures = (_figure(row.figures[case], row.whole) for case in cases)
        lines.append([row.name, ratio, goal_ratio, *figures, goal])
    widths = [max(len(line[column]) for line in lines) for column in range(len(head))]
    text = [_line(line, widths) for line in lines]
    text.insert(1, "| " + " | ".join("-" * width for width in widths[:1]) + " | " + _rule(widths[1:]))
    return "\n".join(text)


def _figure(value: float, whole: bool) -> str:
    return f"{value:.0f}" if whole or value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    padded = [
        cells[0].ljust(widths[0]),
        *(cell.rjust(width) for cell, width in zip(cells[1:], widths[1:], strict=True)),
    ]
    return f"| {' | '.join(padded)} |"


def _rule(widths: Sequence[int]) -> str:
    return " | ".join("-" * (width - 1) + ":" for width in widths) + " |"
