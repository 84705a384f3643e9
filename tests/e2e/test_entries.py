"""Entries, changes, compactions and branches over GraphQL, on every engine, and each failure that is expected."""

from __future__ import annotations

import asyncio
from typing import Any

from graph_session.domain.ids import new_id
from tests.api.support import open_socket
from tests.domain.test_appending import FORMS
from tests.e2e.support import CONFLICT, FAILURE, FORK, INVALID, MISSING, RETRY, SESSION, Api, Server, client
from tests.services.world import assistant, call, result, user

ENTRY = """__typename id parentId type timestamp sessionId depth hash json
  ... on MessageEntry { role text content provider model stopReason error toolCallId toolName isError
    usage { inputTokens outputTokens cacheReadTokens cacheWriteTokens costUsd } }
  ... on CustomMessageEntry { customType content display details }
  ... on ModelChangeEntry { provider modelId }
  ... on ThinkingLevelChangeEntry { level }
  ... on ActiveToolsChangeEntry { toolNames }
  ... on SessionInfoEntry { name }
  ... on LabelEntry { targetId label }
  ... on CompactionEntry { summary firstKeptEntryId tokensBefore details }
  ... on BranchSummaryEntry { fromId summary scope details summaryState summaryError }
  ... on CustomEntry { customType data }
  ... on LeafEntry { targetId }"""
WRITTEN = f"""__typename ... on AppendEntriesPayload {{ entries {{ {ENTRY} }} session {{ {SESSION} }} }}
  {CONFLICT} {INVALID} {MISSING} {FAILURE}"""
APPEND = f"mutation($input: AppendEntriesInput!) {{ appendEntries(input: $input) {{ {WRITTEN} }} }}"
CHANGE_MODEL = f"""mutation($session: ID!, $provider: String!, $model: String!) {{
  changeModel(sessionId: $session, provider: $provider, modelId: $model) {{ {WRITTEN} }} }}"""
CHANGE_LEVEL = f"""mutation($session: ID!, $level: String!) {{
  changeThinkingLevel(sessionId: $session, level: $level) {{ {WRITTEN} }} }}"""
CHANGE_TOOLS = f"""mutation($session: ID!, $tools: [String!]!) {{
  changeActiveTools(sessionId: $session, toolNames: $tools) {{ {WRITTEN} }} }}"""
LABEL = f"mutation($target: ID!, $label: String) {{ setLabel(targetId: $target, label: $label) {{ {WRITTEN} }} }}"
COMPACT = f"""mutation($session: ID!, $instructions: String, $keep: Int) {{
  compact(sessionId: $session, instructions: $instructions, keepRecentTokens: $keep) {{
  __typename ... on CompactPayload {{ entry {{ {ENTRY} }} session {{ {SESSION} }} }}
  {INVALID} {MISSING} {FAILURE} }} }}"""
SUMMARIZED = f"""__typename ... on SummarizeBranchPayload {{ entry {{ {ENTRY} }} session {{ {SESSION} }} }}
  {INVALID} {MISSING} {CONFLICT} {FAILURE}"""
SUMMARIZE = f"mutation($from: ID!, $into: ID) {{ summarizeBranch(fromId: $from, intoId: $into) {{ {SUMMARIZED} }} }}"
MERGE = f"mutation($from: ID!, $into: ID!) {{ mergeBranch(fromId: $from, intoId: $into) {{ {SUMMARIZED} }} }}"
STATE = """query($id: ID!) { stateAt(entryId: $id) {
  provider modelId thinkingLevel activeTools name labels { entryId label } } }"""
USAGE_FIELDS = "inputTokens outputTokens cacheReadTokens cacheWriteTokens costUsd"
COMPARE = f"""query($a: ID!, $b: ID!) {{ compareBranches(a: $a, b: $b) {{
  commonAncestor onlyA {{ nodeId }} onlyB {{ nodeId }} usageA {{ {USAGE_FIELDS} }} usageB {{ {USAGE_FIELDS} }} }} }}"""
USAGE = f"query($id: ID!) {{ usage(nodeId: $id) {{ path {{ {USAGE_FIELDS} }} session {{ {USAGE_FIELDS} }} }} }}"
OUTLINE = """query($session: ID!, $after: String, $ids: [ID!]) {
  treeOutline(sessionId: $session, after: $after, nodeIds: $ids) }"""
CHANGED = """subscription($session: ID!, $after: Int) { sessionChanged(sessionId: $session, afterRevision: $after) {
  revision kind nodeIds session { id leafId revision } } }"""
COMPLETED = """subscription($session: ID!, $after: Int) { summaryCompleted(sessionId: $session, afterRevision: $after) {
  nodeId kind state summary node { nodeId } } }"""


async def append(api: Api, session_id: str, *forms: Any, **more: Any) -> Any:
    return await api.run(APPEND, input={"sessionId": session_id, "entries": list(forms), **more})


def failure(given: Any) -> tuple[Any, ...]:
    return given["__typename"], given["code"]


async def test_entries_of_every_type_are_given_back_as_their_types(server: Server) -> None:
    async with client(server) as api:
        session_id = await api.create()
        first = (await append(api, session_id, user("q")))["entries"][0]
        targets = {"targetId": first["id"], "firstKeptEntryId": first["id"], "fromId": first["id"]}
        forms = [form | {key: value for key, value in targets.items() if form.get(key) == "e0"} for form in FORMS]
        forms = [form | {"x-own": {"deep": [1.5, None, "三"]}} for form in forms]
        written = (await append(api, session_id, *forms))["entries"]
        assert len({entry["__typename"] for entry in written}) == 11
        for form, entry in zip(forms, written, strict=True):
            assert entry["type"] == form["type"].upper()
            assert entry["json"]["x-own"] == form["x-own"]
            assert entry["json"]["type"] == form["type"]
            assert (entry["json"]["id"], entry["json"]["parentId"]) == (entry["id"], entry["parentId"])
            got = await api.run(f"query($id: ID!) {{ entry(id: $id) {{ {ENTRY} }} }}", id=entry["id"])
            assert got == entry
        calls = next(entry for entry in written if entry["__typename"] == "MessageEntry" and entry["usage"])
        assert [block["type"] for block in calls["content"]] == ["thinking", "text", "toolCall"]
        assert calls["usage"] == {
            "inputTokens": 1,
            "outputTokens": 2,
            "cacheReadTokens": 3,
            "cacheWriteTokens": 0,
            "costUsd": None,
        }


async def test_an_agents_turn_over_the_api(server: Server) -> None:
    async with client(server) as api:
        session_id = await api.create()
        turn = [user("fix"), call("1", "look", path="a"), result("1", "code"), assistant("fixed")]
        written = await append(api, session_id, *turn, expectedLeaf=None)
        assert (written["session"]["nodeCount"], written["session"]["entryCount"]) == (1, 4)
        (node,) = await api.nodes(session_id)
        assert (node["userContent"], node["aiContent"]) == ("fix", "fixed")
        node_id = node["nodeId"]
        assert await api.active_path(session_id) == [node_id] == [written["session"]["leafId"]]
        got = await api.run(f"query($id: ID!) {{ node(nodeId: $id) {{ entries {{ {ENTRY} }} }} }}", id=node_id)
        assert got["entries"] == written["entries"]
        asked = await api.ask(session_id, [node_id], "what did you do?")
        assert asked["node"]["parentNodeId"] == node_id


async def test_appending_fails_as_expected(server: Server) -> None:
    async with client(server) as api:
        session_id = await api.create()
        (first,) = (await append(api, session_id, user("q")))["entries"]
        before = await api.session(session_id)
        bad = await append(api, session_id, user("q"), {"type": "label", "label": "l"})
        assert (*failure(bad), bad["field"]) == ("InvalidInput", "INVALID_INPUT", "entries[1].targetId")
        assert "entries[1].targetId" in bad["message"]
        taken = await append(api, session_id, user("q", id=first["id"]))
        assert failure(taken) == ("InvalidInput", "INVALID_INPUT")
        none = await append(api, session_id)
        assert (*failure(none), none["field"]) == ("InvalidInput", "INVALID_INPUT", "entries")
        conflict = await append(api, session_id, user("q"), expectedLeaf=new_id())
        assert (*failure(conflict), conflict["leafId"]) == ("LeafConflict", "LEAF_CONFLICT", first["id"])
        missing = await append(api, session_id, user("q"), parentId=new_id())
        assert failure(missing) == ("NotFound", "NOT_FOUND")
        assert failure(await append(api, new_id(), user("q"))) == ("NotFound", "NOT_FOUND")
        assert await api.session(session_id) == before


async def test_changes_hold_from_there_down(server: Server) -> None:
    async with client(server) as api:
        session_id = await api.create()
        top = (await api.ask(session_id, [], "top"))["newNodeId"]
        await api.run(CHANGE_MODEL, session=session_id, provider="offline", model="other")
        await api.run(CHANGE_LEVEL, session=session_id, level="high")
        changed = await api.run(CHANGE_TOOLS, session=session_id, tools=["read", "edit"])
        (entry,) = changed["entries"]
        assert (entry["__typename"], entry["toolNames"]) == ("ActiveToolsChangeEntry", ["read", "edit"])
        assert changed["session"]["leafId"] == entry["id"]
        below = (await api.ask(session_id, [top], "below"))["newNodeId"]
        state = await api.run(STATE, id=below)
        assert state == {
            "provider": "offline",
            "modelId": "other",
            "thinkingLevel": "high",
            "activeTools": ["read", "edit"],
            "name": None,
            "labels": [],
        }
        before = await api.run(STATE, id=top)
        assert (before["provider"], before["thinkingLevel"], before["activeTools"]) == (None, "off", None)
        assert before["modelId"]
        labelled = await api.run(LABEL, target=top, label="start")
        assert (labelled["entries"][0]["targetId"], labelled["entries"][0]["label"]) == (top, "start")
        label = "query($id: ID!) { node(nodeId: $id) { label } }"
        assert await api.run(label, id=top) == {"label": "start"}
        state = await api.run(STATE, id=labelled["entries"][0]["id"])
        assert state["labels"] == [{"entryId": top, "label": "start"}]
        await api.run(LABEL, target=top)
        assert await api.run(label, id=top) == {"label": None}


async def test_the_outline_of_some_nodes_has_their_rows_and_what_is_marked_below_them(server: Server) -> None:
    async with client(server) as api:
        session_id = await api.create()
        forms = [it for n in range(501) for it in (user(f"q{n}"), assistant(f"a{n}"))]
        ids = [(await append(api, session_id, *forms[start : start + 334]))["entries"] for start in (0, 334, 668)]
        nodes = [entry["id"] for part in ids for entry in part[1::2]]
        await api.run(LABEL, target=nodes[1], label="here")
        forked = await api.run(FORK, input={"sessionId": session_id, "entryId": nodes[1], "position": "AT"})
        summary = {"type": "branch_summary", "fromId": nodes[3], "summary": "s", "scope": "BRANCH"}
        (mark,) = (await append(api, session_id, summary))["entries"]
        assert mark["parentId"] == forked["leafId"] == nodes[1]
        last = (await api.ask(session_id, nodes[:2], "A question"))["newNodeId"]
        await api.summarised(session_id)
        whole = await api.run(OUTLINE, session=session_id)
        assert whole["marks"] == [[mark["id"], nodes[1], "BRANCH_SUMMARY", "BRANCH"]]
        assert whole["markColumns"] == ["entryId", "nodeId", "type", "scope"]
        assert whole["columns"][-1] == "label"
        other = await api.create()
        (elsewhere, _) = (await append(api, other, user("q"), assistant("a")))["entries"]
        wanted = [last, elsewhere["id"], mark["id"], *nodes[2::-1], nodes[1], new_id()]
        some = await api.run(OUTLINE, session=session_id, ids=wanted)
        rows = {row[0]: row for row in whole["rows"]}
        assert [row[0] for row in some["rows"]] == [*nodes[:3], last]
        assert some["rows"] == [rows[node_id] for node_id in (*nodes[:3], last)]
        assert some["rows"][1][-1] == "here"
        assert some["rows"][3][1] == nodes[1]
        assert {**some, "rows": []} == {**whole, "rows": [], "cursor": None}
        assert (await api.run(OUTLINE, session=session_id, ids=[nodes[0]]))["marks"] == []
        assert (await api.run(OUTLINE, session=session_id, ids=[]))["rows"] == []
        for given, field in ({"ids": [*nodes[:500], last]}, "nodeIds"), ({"ids": [], "after": ""}, "after"):
            (error,) = (await api.post(OUTLINE, session=session_id, **given))["errors"]
            assert (error["extensions"]["code"], error["extensions"]["field"]) == ("INVALID_INPUT", field)
        (error,) = (await api.post(OUTLINE, session=new_id(), ids=[]))["errors"]
        assert error["extensions"]["code"] == "NOT_FOUND"


async def test_changes_fail_as_expected(server: Server) -> None:
    async with client(server) as api:
        session_id = await api.create()
        nowhere = new_id()
        assert failure(await api.run(CHANGE_MODEL, session=session_id, provider="", model="m"))[0] == "InvalidInput"
        assert failure(await api.run(CHANGE_MODEL, session=nowhere, provider="p", model="m"))[0] == "NotFound"
        assert failure(await api.run(CHANGE_LEVEL, session=session_id, level=""))[0] == "InvalidInput"
        assert failure(await api.run(CHANGE_LEVEL, session=nowhere, level="l"))[0] == "NotFound"
        assert failure(await api.run(CHANGE_TOOLS, session=session_id, tools=[""]))[0] == "InvalidInput"
        assert failure(await api.run(CHANGE_TOOLS, session=nowhere, tools=[]))[0] == "NotFound"
        assert failure(await api.run(LABEL, target=nowhere, label="l"))[0] == "NotFound"
        assert failure(await api.run(COMPACT, session=nowhere))[0] == "NotFound"
        bad = await api.run(COMPACT, session=session_id, keep=-1)
        assert (*failure(bad), bad["field"]) == ("InvalidInput", "INVALID_INPUT", "keepRecentTokens")
        for query in (SUMMARIZE, MERGE):
            assert failure(await api.run(query, **{"from": nowhere, "into": nowhere}))[0] == "NotFound"
        for query in (STATE, USAGE):
            (error,) = (await api.post(query, id=nowhere))["errors"]
            assert error["extensions"]["code"] == "NOT_FOUND"
        (error,) = (await api.post(COMPARE, a=nowhere, b=nowhere))["errors"]
        assert error["extensions"]["code"] == "NOT_FOUND"


async def test_compacting_by_hand(server: Server) -> None:
    async with client(server) as api:
        session_id = await api.create()
        assert (await api.run(COMPACT, session=session_id))["entry"] is None
        long = "The river begins high in the mountains, and the valley below it is green. " * 12
        turns = [it for n in range(6) for it in (user(f"Question {n}? {long}"), assistant(f"Answer {n}. {long}"))]
        written = (await append(api, session_id, *turns))["entries"]
        made = await api.run(COMPACT, session=session_id, keep=600, instructions="Rivers only.")
        entry = made["entry"]
        assert (entry["__typename"], entry["firstKeptEntryId"]) == ("CompactionEntry", written[10]["id"])
        assert entry["details"] == {"readFiles": [], "modifiedFiles": []}
        # Three turns are raw whatever has been summarised meanwhile.
        assert entry["tokensBefore"] > 1400
        assert made["session"]["leafId"] == entry["id"]
        context = await api.context(session_id)
        assert [message["source"] for message in context["messages"]] == ["COMPACTION", "RAW", "RAW"]
        assert context["boundaryId"] == entry["id"]
        above = await api.context(session_id, entry=written[-1]["id"])
        assert above["boundaryId"] != entry["id"]
        assert "COMPACTION" not in {message["source"] for message in above["messages"]}


async def test_branches_are_compared_told_and_merged(server: Server) -> None:
    async with client(server) as api:
        session_id = await api.create()
        top = await api.line(session_id, [], ["top"])
        left = await api.line(session_id, top, ["left 1", "left 2"])
        right = await api.line(session_id, top, ["right 1"])
        comparison = await api.run(COMPARE, a=left[-1], b=right[-1])
        assert comparison["commonAncestor"] == top[0]
        assert [node["nodeId"] for node in comparison["onlyA"]] == left[1:]
        assert [node["nodeId"] for node in comparison["onlyB"]] == right[1:]
        usage = await api.run(USAGE, id=left[-1])
        total = usage["session"]["inputTokens"]
        assert 0 < usage["path"]["inputTokens"] == total - comparison["usageB"]["inputTokens"]
        assert usage["path"]["costUsd"] == 0
        revision = (await api.session(session_id))["revision"]
        told = await api.run(SUMMARIZE, **{"from": left[-1]})
        entry = told["entry"]
        assert (entry["__typename"], entry["scope"], entry["fromId"]) == ("BranchSummaryEntry", "BRANCH", left[-1])
        assert (entry["parentId"], told["session"]["leafId"]) == (right[-1], entry["id"])
        async with open_socket(server.port) as socket:
            await socket.start(COMPLETED, session=session_id, after=revision)
            while True:
                landed = (await socket.receive())["payload"]["data"]["summaryCompleted"]
                if landed["kind"] == "BRANCH":
                    break
        assert (landed["nodeId"], landed["state"], landed["node"]) == (entry["id"], "DONE", None)
        got = await api.run(f"query($id: ID!) {{ entry(id: $id) {{ {ENTRY} }} }}", id=entry["id"])
        assert (got["summary"], got["summaryState"]) == (landed["summary"], "DONE")
        assert got["json"]["summary"] == ""
        assert landed["summary"] in (await api.context(session_id))["messages"][-1]["text"]
        merged = await api.run(MERGE, **{"from": right[-1], "into": left[-1]})
        assert (merged["entry"]["parentId"], merged["session"]["leafId"]) == (left[-1], merged["entry"]["id"])
        assert await api.active_path(session_id) == left
        nothing = await api.run(SUMMARIZE, **{"from": top[0], "into": left[-1]})
        assert (*failure(nothing), nothing["field"]) == ("InvalidInput", "INVALID_INPUT", "fromId")
        assert failure(await api.run(RETRY, id=new_id()))[0] == "NotFound"


async def test_a_fork_with_summary_and_label(server: Server) -> None:
    async with client(server) as api:
        session_id = await api.create()
        path = await api.line(session_id, [], ["one", "two", "three"])
        forking = FORK.replace(
            "editText", "editText branchSummary { __typename id ... on BranchSummaryEntry { scope } }"
        )
        where = {"sessionId": session_id, "entryId": path[1], "position": "AT"}
        forked = await api.run(forking, input=where | {"summarize": True, "label": "again"})
        assert forked["activePath"] == path[:2]
        summary = forked["branchSummary"]
        assert (summary["__typename"], summary["scope"]) == ("BranchSummaryEntry", "HISTORY")
        await api.settled(session_id, summary["id"])
        assert (await api.context(session_id, path=path))["boundaryId"] is None
        plain = await api.run(forking, input=where)
        assert plain["branchSummary"] is None
        bad = await api.run(FORK, input=where | {"label": "l" * 501})
        assert (*failure(bad), bad["field"]) == ("InvalidInput", "INVALID_INPUT", "label")
        turn = (await append(api, session_id, user("q"), call("1"), result("1", "r"), assistant("a")))["entries"]
        for at, position in ((1, "AT"), (2, "BEFORE")):
            parted = await api.run(FORK, input=where | {"entryId": turn[at]["id"], "position": position})
            assert (*failure(parted), parted["field"]) == ("InvalidInput", "INVALID_INPUT", "entryId")


async def test_changes_of_a_session_are_heard_and_resumed(server: Server) -> None:
    async with client(server) as api, open_socket(server.port) as socket:
        session_id = await api.create()
        await socket.start(CHANGED, session=session_id, after=None)
        await asyncio.sleep(0.5)
        asked = await api.ask(session_id, [], "q", wait=True)
        heard: list[Any] = []
        while not heard or heard[-1]["revision"] < asked["session"]["revision"]:
            heard.append((await socket.receive())["payload"]["data"]["sessionChanged"])
        assert {it["kind"] for it in heard} == {"ENTRIES"}
        assert {node_id for it in heard for node_id in it["nodeIds"]} == {asked["newNodeId"]}
        assert heard[-1]["session"]["leafId"] == asked["newNodeId"]
        await socket.start(CHANGED, "2", session=session_id, after=0)
        resumed = (await socket.receive())["payload"]["data"]["sessionChanged"]
        assert (resumed["kind"], resumed["revision"]) == ("CHANGED", heard[-1]["revision"])
        await socket.start(CHANGED, "3", session=new_id(), after=None)
        refused = await socket.receive()
        assert refused["id"] == "3"
        assert refused["payload"]["errors"][0]["extensions"]["code"] == "NOT_FOUND"


async def test_deep_json_comes_through_or_is_refused_by_name(server: Server) -> None:
    async with client(server) as api:
        session_id = await api.create()
        data: Any = "end"
        for _ in range(40):
            data = {"in": [data]}
        written = await append(api, session_id, {"type": "custom", "customType": "deep", "data": data})
        assert written["entries"][0]["data"] == data
        deeper = {"type": "custom", "customType": "deep", "data": [[[data] * 2] * 2, [{"in": data}]]}
        assert (await append(api, session_id, deeper))["entries"][0]["data"] == deeper["data"]
        for _ in range(30):
            data = [data]
        refused = await append(api, session_id, {"type": "custom", "customType": "deep", "data": data})
        assert failure(refused) == ("InvalidInput", "INVALID_INPUT")
        assert "nested" in refused["message"]
