"""Conversations in files, ours and others': one module a format, each a pure function from lines to drafts of entries.

A file is read twice, so that its size does not matter: once for the ids alone (`plan`), and once to write entries
(`build`).
"""
