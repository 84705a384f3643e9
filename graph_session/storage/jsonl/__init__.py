"""Sessions as files of JSON lines, one for each."""

from graph_session.storage.jsonl.problems import Problem, ProblemCode
from graph_session.storage.jsonl.store import JsonlStorage

__all__ = ["JsonlStorage", "Problem", "ProblemCode"]
