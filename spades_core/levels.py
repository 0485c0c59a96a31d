"""How strong a bot plays, by name. How each level thinks: docs/bots.md."""

from typing import Literal

Level = Literal["easy", "medium", "hard", "expert"]
"""From the weakest to the strongest."""

USUAL_LEVEL: Level = "hard"
"""Of a bot nobody chose a level for, and of the one that plays for a person who is away."""
