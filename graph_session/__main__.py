"""`python -m graph_session` is the `graph-session` command, for where its script is not on the path."""

from graph_session.cli import main

if __name__ == "__main__":
    main()
