"""A conversation to look at in Neo4j Browser: a family plans four days in Lisbon.

It is had through a real server, which asks a stand-in that knows the answers, so that the tree is the same each time:
two forks, with anchors and their summaries, a label, a tool call, a compaction, a summary of another branch, a change
of the model, a move of the leaf, and an answer that is still running.
"""

from __future__ import annotations

from typing import Any

from tests.e2e.support import FORK, Api
from tests.e2e.test_entries import CHANGE_MODEL, COMPACT, LABEL, MERGE, append
from tests.services.world import assistant, call, result, user
from tests.support.anthropic_reply import SUMMARY_PROMPT, Reply, last_text

NAME = "Four days in Lisbon"
_SECONDS_BETWEEN_DELTAS = 1.0

STAY = "Where should we stay in Lisbon for four days?"
FIRST_DAY = "What do we see on the first day?"
TRIP = "Which day trip is best, Sintra or Cascais?"
TRAIN = "How do we get to Sintra?"
COST = "What will the four days cost?"
LUNCH = "Where do we eat in Sintra?"
RAIN = "And if it rains?"
MONDAY = "Are they open on Mondays?"
CHILDREN = "And with two children?"
AQUARIUM = "How long does the aquarium take?"
LETTER = "Write it all down as a letter to Grandma."
WEATHER = "What will the weather be on Thursday?"

ANSWERS = {
    STAY: "In Baixa or Chiado: flat streets, two metro lines, and the trams start there. Alfama is steep.",
    FIRST_DAY: "Alfama in the cool of the morning: the castle, the cathedral, the view from Santa Luzia. Then Belém.",
    TRIP: "Sintra, for its palaces and woods. Cascais is for the beach, and on the way back from Sintra.",
    TRAIN: "By train from Rossio, every half hour, in forty minutes. Go early: the palace of Pena sells timed tickets.",
    COST: "About 1,350 euros for two: 560 for the room, 420 for food, 130 for tickets and trams, the rest for flights.",
    LUNCH: "Tascantiga, for small plates, five minutes from the station. In the afternoon, Piriquita for its pastries.",
    RAIN: "A wet day is for the tile museum, the Gulbenkian collection and the food hall at Ribeira.",
    MONDAY: "The tile museum closes on Mondays, the Gulbenkian on Tuesdays. The food hall is always open.",
    CHILDREN: "The aquarium first, then the cable car along the river. Trams are a ride as well: take number 28 early.",
    AQUARIUM: "Two to three hours. Buy tickets the day before, and see the sea otters when they are fed.",
    LETTER: "Dear Grandma, we are going to Lisbon! " + "We will tell you all about it on our return. " * 40,
}
SUMMARIES = {
    STAY: "They look for a place for four days in Lisbon; Baixa and Chiado were proposed.",
    FIRST_DAY: "Four days, staying in Baixa or Chiado. Day one: Alfama, then Belém by tram.",
    TRIP: "The day trip goes to Sintra rather than to Cascais, which may lie on the way back.",
    TRAIN: "The day trip goes to Sintra, by an early train from Rossio.",
    CHILDREN: "With children: the aquarium, the cable car, tram 28 early in the day.",
    RAIN: "On a wet day: the tile museum, the Gulbenkian, the food hall at Ribeira.",
    MONDAY: "Wet days were planned elsewhere: tile museum (not on Mondays), Gulbenkian (not on Tuesdays), food hall.",
    AQUARIUM: "Four days in Lisbon with two children: the aquarium for two to three hours, the cable car, tram 28.",
}


def reply(body: dict[str, Any]) -> Reply:
    """What the stand-in answers, or the summary of what it is shown: that of the last question in it."""
    text = last_text(body)
    system = body.get("system") or [{"text": ""}]
    if system[0]["text"].startswith(SUMMARY_PROMPT):
        last = max(SUMMARIES, key=lambda question: text.rfind(f'"{question}"'))
        return Reply(text=SUMMARIES[last])
    question = next(it for it in ANSWERS if it in text)
    return Reply(text=ANSWERS[question], delay=_SECONDS_BETWEEN_DELTAS if question == LETTER else 0.0)


async def tell(api: Api) -> str:
    """Has the conversation; returns its id while the last answer is still running, for a minute or more."""
    session_id = await api.create(name=NAME)
    day = await api.line(session_id, [], [STAY, FIRST_DAY])
    rain = await api.line(session_id, day, [RAIN, MONDAY])
    await api.line(session_id, day, [CHILDREN, AQUARIUM])
    await api.summarised(session_id)
    compacted = await api.run(COMPACT, session=session_id, keep=1)
    assert compacted["__typename"] == "CompactPayload", compacted

    trip = await api.line(session_id, day, [TRIP, TRAIN])
    await api.run(LABEL, target=trip[-1], label="the plan")
    await api.line(session_id, trip, [LUNCH])
    await api.run(FORK, input={"sessionId": session_id, "entryId": trip[-1], "position": "AT"})
    await append(
        api,
        session_id,
        user(WEATHER),
        call("call_1", name="forecast", city="Sintra", day="Thursday"),
        result("call_1", "Thursday, Sintra: 17 °C, showers until noon, then sun.", name="forecast"),
        assistant("Showers until noon, then sun: see the palace first, and walk in the woods after lunch."),
    )
    weather = await api.active_path(session_id)
    await api.run(MERGE, **{"from": rain[-1], "into": weather[-1]})
    await api.run(CHANGE_MODEL, session=session_id, provider="anthropic", model="claude-opus-5")
    cost = await api.line(session_id, await api.active_path(session_id), [COST])
    await api.summarised(session_id)
    await api.try_ask(session_id, cost, LETTER, wait=False)
    return session_id
