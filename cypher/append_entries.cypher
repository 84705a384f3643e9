// append_entries (WRITE): new entries without their edges, each with a label for its type and one for its role.
// A loop a kind, because labels cannot be parameters on the embedded engine.
// $rows: kind (a message's role, else the type) and properties.
FOREACH (row IN [r IN $rows WHERE r.kind = 'user'] | CREATE (e:Entry:Message:User) SET e = row.properties)
FOREACH (row IN [r IN $rows WHERE r.kind = 'assistant'] | CREATE (e:Entry:Message:Assistant) SET e = row.properties)
FOREACH (row IN [r IN $rows WHERE r.kind = 'toolResult'] | CREATE (e:Entry:Message:ToolResult) SET e = row.properties)
FOREACH (row IN [r IN $rows WHERE r.kind = 'custom_message'] | CREATE (e:Entry:CustomMessage) SET e = row.properties)
FOREACH (row IN [r IN $rows WHERE r.kind = 'model_change'] | CREATE (e:Entry:ModelChange) SET e = row.properties)
FOREACH (row IN [r IN $rows WHERE r.kind = 'thinking_level_change'] | CREATE (e:Entry:ThinkingLevelChange) SET e = row.properties)
FOREACH (row IN [r IN $rows WHERE r.kind = 'active_tools_change'] | CREATE (e:Entry:ActiveToolsChange) SET e = row.properties)
FOREACH (row IN [r IN $rows WHERE r.kind = 'session_info'] | CREATE (e:Entry:SessionInfo) SET e = row.properties)
FOREACH (row IN [r IN $rows WHERE r.kind = 'label'] | CREATE (e:Entry:Label) SET e = row.properties)
FOREACH (row IN [r IN $rows WHERE r.kind = 'compaction'] | CREATE (e:Entry:Compaction) SET e = row.properties)
FOREACH (row IN [r IN $rows WHERE r.kind = 'branch_summary'] | CREATE (e:Entry:BranchSummary) SET e = row.properties)
FOREACH (row IN [r IN $rows WHERE r.kind = 'custom'] | CREATE (e:Entry:Custom) SET e = row.properties)
FOREACH (row IN [r IN $rows WHERE r.kind = 'leaf'] | CREATE (e:Entry:LeafMove) SET e = row.properties)
