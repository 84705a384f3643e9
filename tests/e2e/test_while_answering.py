"""A user looks elsewhere in the tree and labels while an answer streams, over the API."""

from __future__ import annotations

from tests.e2e.conftest import asking
from tests.e2e.support import FORK, MOVE, Server, client
from tests.e2e.test_entries import CHANGE_LEVEL, CHANGE_MODEL, LABEL, OUTLINE, append
from tests.services.world import assistant, user
from tests.support.anthropic_standin import AnthropicStandin, Reply


async def test_browsing_and_labelling_while_an_answer_streams(home: dict[str, str], standin: AnthropicStandin) -> None:
    with Server(home | asking(standin)) as server:
        async with client(server) as api:
            session_id = await api.create()
            forms = [user("q1"), assistant("a1"), user("q2"), assistant("a2")]
            written = (await append(api, session_id, *forms))["entries"]
            one, two = written[1]["id"], written[3]["id"]
            standin.queue.append(Reply(text="late", first_delay=3))
            node = (await api.ask(session_id, [one], "Slow?", wait=False))["node"]
            running = node["nodeId"]

            labelled = await api.run(LABEL, target=two, label="meanwhile")
            asked = labelled["entries"][0]["parentId"]
            assert labelled["session"]["leafId"] == asked
            rows = (await api.run(OUTLINE, session=session_id, ids=[two, running]))["rows"]
            assert [(row[0], row[2], row[-1]) for row in rows] == [
                (two, "DONE", "meanwhile"),
                (running, "RUNNING", None),
            ]
            for query, given in (
                (CHANGE_MODEL, {"provider": "anthropic", "model": "claude-haiku-5-5"}),
                (CHANGE_LEVEL, {"level": "high"}),
            ):
                refused = await api.run(query, session=session_id, **given)
                assert (refused["__typename"], refused["code"], refused["field"]) == (
                    *("InvalidInput", "INVALID_INPUT", "sessionId"),
                )
            refused = await api.run(LABEL, target=running, label="too early")
            assert (refused["__typename"], refused["code"]) == ("NotFound", "NOT_FOUND")

            forked = await api.run(FORK, input={"sessionId": session_id, "entryId": two, "position": "AT"})
            assert (forked["leafId"], forked["activePath"]) == (two, [one, two])
            back = await api.run(MOVE, session=session_id, entry=running)
            assert (back["session"]["leafId"], back["activePath"]) == (asked, [one, running])
            away = await api.run(MOVE, session=session_id, entry=one)
            assert (away["session"]["leafId"], away["activePath"]) == (one, [one])
            assert (await api.node(running))["status"] == "RUNNING"

            ended = await api.ended(running)
            assert (ended["status"], ended["aiContent"], ended["parentNodeId"]) == ("DONE", "late", one)
            assert (await api.session(session_id))["leafId"] == one
            verified = await api.run("query($id: ID!) { verify(sessionId: $id) { ok } }", id=session_id)
            assert verified == {"ok": True}
