"""A conversation to look at: two people plan four days in Lisbon. For pictures of the page and of Neo4j Browser, and
for whoever tries them.

It is had through a real server, which asks a stand-in that knows the answers, so that the tree is the same each time:
forks, anchors with their summaries, a question asked in other words, an answer given twice, labels, a tool call, a
compaction, the summary of another branch, and an answer that still runs when the story ends.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tests.e2e.support import FORK, REGENERATE, Api
from tests.e2e.test_entries import COMPACT, LABEL, MERGE, append
from tests.services.world import assistant, call, result, user
from tests.support.anthropic_reply import SUMMARY_PROMPT, Reply, last_text

NAME = "Four days in Lisbon"
OTHERS = ("Sourdough that rises", "Reading list for the winter", "Why is the sky blue?", "Garden plan")
SECONDS_BETWEEN_DELTAS = 1.0

STAY = "Where should we stay in Lisbon for four days?"
FIRST_DAY = "What do we see on the first day?"
RAIN = "And if it rains?"
MONDAY = "Are the museums open on Mondays?"
CHILDREN = "And with two children?"
AQUARIUM = "How long does the aquarium take?"
TRIP = "Which day trip is best, Sintra or Cascais?"
TRAIN = "How do we get to Sintra?"
TRAIN_TOO = "What is the fastest way to Sintra, without a car?"
LUNCH = "Where do we eat in Sintra?"
COST = "What will the four days cost for two?"
SPLIT = "Write me a little program that splits the bill."
FUNICULAR = "How steep is the Bica funicular?"
WEATHER = "What will the weather be on Thursday?"
LETTER = "Write it all down as a letter to Grandma."

COST_TABLE = """For two people, from Thursday to Sunday:

| What | Each day | Four days |
| :--- | ---: | ---: |
| Room in Baixa | 140 € | 560 € |
| Food | 105 € | 420 € |
| Trams, trains and tickets | 33 € | 130 € |
| **Together** | **278 €** | **1,110 €** |

The **Lisboa Card** pays off from the third museum on: it holds the trams, the train to Sintra and the tower of Belém.
"""
PROGRAM = """Each pays the same; who has paid more than that gets the rest back:

```python
def settle(paid: dict[str, float]) -> dict[str, float]:
    \"\"\"How much each gets (positive) or owes.\"\"\"
    share = sum(paid.values()) / len(paid)
    return {who: round(much - share, 2) for who, much in paid.items()}


print(settle({"Ana": 310.0, "Rui": 245.5}))  # {'Ana': 32.25, 'Rui': -32.25}
```

`settle` works for any number of people.
"""
STEEP = """The line climbs 45 m over a track of 245 m, so its mean angle is

$$\\alpha = \\arcsin\\frac{h}{s} = \\arcsin\\frac{45}{245} \\approx 10.6^\\circ$$

which is a slope of $\\tan\\alpha \\approx 18.7\\,\\%$. For comparison: trams without a cable manage about $14\\,\\%$,
which is what line 28 climbs in Alfama.
"""

ANSWERS = {
    STAY: """For a first visit, one of these three:

- **Baixa**: flat streets, two metro lines, and the trams start there.
- **Chiado**: a little higher, with cafés and bookshops; five minutes to everything.
- **Alfama**: the prettiest, but steep, and far from the metro.

With heavy bags I would take Baixa.""",
    FIRST_DAY: """1. **Morning, Alfama**: the castle when it opens, the cathedral, the view from *Santa Luzia*.
2. **Midday**: lunch at the food hall at Ribeira.
3. **Afternoon, Belém**: the monastery, the tower, and custard tarts still warm from the oven.

Tram 28 is best before nine, when it is still half empty.""",
    RAIN: "A wet day is for the **tile museum**, the Gulbenkian collection and the food hall at Ribeira.",
    MONDAY: "The tile museum closes on Mondays, the Gulbenkian on Tuesdays. The food hall is always open.",
    CHILDREN: "The aquarium first, then the cable car along the river. Trams are a ride as well: take 28 early.",
    AQUARIUM: "Two to three hours. Buy tickets the day before, and see the sea otters when they are fed.",
    TRIP: "**Sintra**, for its palaces and woods. Cascais is for the beach, and lies on the way back from Sintra.",
    TRAIN: "By train from Rossio, every half hour, in forty minutes. The palace of Pena sells timed tickets.",
    TRAIN_TOO: "The train from **Rossio**: 40 minutes, every half hour. Go at eight: Pena sells *timed* tickets.",
    LUNCH: "Tascantiga, for small plates, five minutes from the station. Then Piriquita for its pastries.",
    COST: COST_TABLE,
    SPLIT: PROGRAM,
    FUNICULAR: STEEP,
    LETTER: "Dear Grandma,\n\nwe are going to Lisbon! " + "We will tell you all about it when we are back. " * 40,
}
SUMMARIES = {
    STAY: "They look for a place for four days in Lisbon; Baixa, Chiado and Alfama were compared, Baixa proposed.",
    FIRST_DAY: "Four days in Lisbon, staying in Baixa. Day one: Alfama in the morning, Ribeira for lunch, then Belém.",
    RAIN: "On a wet day: the tile museum, the Gulbenkian, the food hall at Ribeira.",
    MONDAY: "Wet days were planned elsewhere: tile museum (not on Mondays), Gulbenkian (not on Tuesdays), food hall.",
    CHILDREN: "With children: the aquarium, the cable car, tram 28 early in the day.",
    AQUARIUM: "Four days in Lisbon with two children: the aquarium for two to three hours, the cable car, tram 28.",
    TRIP: "The day trip goes to Sintra rather than to Cascais, which may lie on the way back.",
    TRAIN: "The day trip goes to Sintra, by an early train from Rossio.",
    TRAIN_TOO: "The day trip goes to Sintra: train from Rossio at eight, timed tickets for Pena.",
    LUNCH: "Lunch in Sintra at Tascantiga, pastries at Piriquita.",
    WEATHER: "On Thursday it showers in Sintra until noon: the palace first, the woods after lunch.",
    COST: "The four days cost about 1,110 euros for two, the room included; the Lisboa Card pays off.",
    SPLIT: "A Python function `settle` splits what was paid evenly among any number of people.",
    FUNICULAR: "The Bica funicular climbs at about 10.6 degrees, a slope of 18.7 %.",
}


@dataclass(frozen=True)
class Told:
    """Where the story ended. `plan` is the path on which everything is done, `rain` another branch; `running` is being
    answered, below the plan."""

    session: str
    plan: list[str]
    rain: list[str]
    running: str


def reply(body: dict[str, Any]) -> Reply:
    """What the stand-in answers, or the summary of what it is shown: that of the last question in it."""
    text = last_text(body)
    system = body.get("system") or [{"text": ""}]
    if system[0]["text"].startswith(SUMMARY_PROMPT):
        last = max(SUMMARIES, key=lambda question: text.rfind(f'"{question}"'))
        return Reply(text=SUMMARIES[last])
    question = next((it for it in ANSWERS if it in text), None)
    if question is None:
        return Reply(text="That is a good question. Let us look at it one step at a time.")
    return Reply(text=ANSWERS[question], delay=SECONDS_BETWEEN_DELTAS if question == LETTER else 0.0)


async def tell(api: Api) -> Told:
    """Has the conversation, and begins some others for the list; the last answer still runs, for a minute or more."""
    for name in OTHERS:
        await api.line(await api.create(name=name), [], ["How do I begin?"])
    session_id = await api.create(name=NAME)
    day = await api.line(session_id, [], [STAY, FIRST_DAY])
    rain = await api.line(session_id, day, [RAIN, MONDAY])
    await api.run(LABEL, target=rain[-1], label="rainy day")
    await api.line(session_id, day, [CHILDREN, AQUARIUM])
    await api.summarised(session_id)
    compacted = await api.run(COMPACT, session=session_id, keep=1)
    assert compacted["__typename"] == "CompactPayload", compacted

    trip = await api.line(session_id, day, [TRIP])
    await api.line(session_id, trip, [TRAIN])
    fast = await api.line(session_id, trip, [TRAIN_TOO])
    await api.run(LABEL, target=fast[-1], label="the plan")
    lunch = await api.line(session_id, fast, [LUNCH])
    await api.run(REGENERATE, id=lunch[-1], wait=True)
    await _look_at_the_weather(api, session_id, fast[-1])
    await api.run(MERGE, **{"from": rain[-1], "into": (await api.active_path(session_id))[-1]})
    await api.summarised(session_id)
    plan = await api.line(session_id, await api.active_path(session_id), [COST, SPLIT, FUNICULAR])
    await api.summarised(session_id)
    asked = await api.try_ask(session_id, plan[:-2], LETTER, wait=False)
    await api.run(FORK, input={"sessionId": session_id, "entryId": plan[-1], "position": "AT"})
    return Told(session_id, plan, rain, asked["newNodeId"])


async def _look_at_the_weather(api: Api, session_id: str, below: str) -> None:
    """A turn in which a tool is called: no model here has tools, so it is written as a client would write it."""
    await api.run(FORK, input={"sessionId": session_id, "entryId": below, "position": "AT"})
    await append(
        api,
        session_id,
        user(WEATHER),
        call("call_1", name="forecast", city="Sintra", day="Thursday"),
        result("call_1", "Thursday, Sintra: 17 °C, showers until noon, then sun.", name="forecast"),
        assistant("Showers until noon, then sun: see the **palace** first, and walk in the woods after lunch."),
    )
