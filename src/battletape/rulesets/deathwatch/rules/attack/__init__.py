"""An attack: what adds to it, the roll to hit, evasion, and what comes of it."""
