"""Which rulings can change the answer to which question; all are accepted everywhere, and these are shown."""

from __future__ import annotations

CHECKS = ("degrees", "modifier_cap", "auto_results")
TIRED = ("fatigue_penalty",)
SITUATIONS = ("combat_table", "same_condition")
PLACES = ("hit_location", "cover_and_penetration", "cover_doubles", "cover_degrades", "ap_doublings")
JAMS = ("jam_roll", "reliable_roll", "poor_and_reliable", "overheating_shot")
BURSTS = ("storm", "twin_linked_hit", "scatter_with_burst", "accurate_dice")
GUNS = ("point_blank", "short_clip", *JAMS, *BURSTS, "scatter_distance", "untrained_flame")
HARM = ("tearing", "dos_minimum_die", "righteous_fury", "felling", "critical_track", "shocking_rounds")
OPPOSED = ("opposed_ties", "opposed_failures")

TEST = (*CHECKS, *TIRED, *SITUATIONS)
OPPOSED_TEST = (*CHECKS, *OPPOSED)
SHOOT = (*CHECKS, *TIRED, *SITUATIONS, *GUNS, "jam_clear_empties_clip", "multi_dodge", *PLACES, *HARM)
FIRE_MODE = SHOOT
FIGHT = (
    *(*CHECKS, *TIRED, *OPPOSED, *SITUATIONS, "multi_dodge", "power_field", "power_fist", "two_weapons_off_hand"),
    *("unarmed_fatigue", *JAMS, "accurate_dice", *PLACES, *HARM),
)
HORDE = (
    *("small_horde", "horde_explosive", "horde_melee_minimum", "horde_blast", "horde_devastating"),
    *(*CHECKS, *TIRED, *SITUATIONS, *GUNS, "jam_clear_empties_clip", "power_fist"),
    *("cover_and_penetration", "cover_doubles", "ap_doublings", "tearing", "dos_minimum_die", "righteous_fury"),
    "felling",
)
HIT = (
    *("modifier_cap", "auto_results", "cover_and_penetration", "cover_doubles", "ap_doublings", "accurate_dice"),
    *("tearing", "dos_minimum_die", "righteous_fury", "felling", "shocking_rounds", "power_fist"),
)
HORDE_ATTACKS = (*CHECKS, *TIRED, *SITUATIONS, *GUNS, *PLACES, *HARM)
SUPPRESS = ("suppressing_modifiers", *CHECKS, *TIRED, *SITUATIONS, "point_blank", "short_clip", *JAMS, *BURSTS)
BURNING = ("modifier_cap", "auto_results", *TIRED)
BLEEDING = ("blood_loss_percent", "modifier_cap", "auto_results")
DUEL = (
    *(*CHECKS, *OPPOSED, "multi_dodge", "power_fist", *JAMS, *BURSTS, "scatter_distance", "hit_location"),
    *("ap_doublings", *HARM),
)
MOVEMENT = ("modifier_cap", "auto_results")
