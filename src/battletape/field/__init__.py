"""The battlefield: what stands where, for every system that plays on a table; no dice and no sheets in here.

A battle is sheets and a field. Sheets (damage, hit points, order points) belong to a ruleset; the field is the same for
all: units as bases and hulls, terrain, the edge of the table, zones and objectives. Everything is a frozen value or a
pure function of one. A field may be empty: then the players say what a board would show.

    state      Field, Stand, Terrain: what stands where, and changes of it
    measure    Measured: distance, facing, angle, sight, cover and hits, by the board or as the players say
    sight      eyes, screens, what is hidden, and the cover of ground
    moves      Way: straight, along a path, towards, away; the ground on it, what bars it, room at its end
    setup      places, formations, zones, and what a start has to keep to
    clock      turns and phases in order, as data
    score      objectives, who holds them, points
    map        the picture of it all, and of what the chosen unit reaches

What a move costs, what cover is worth, what a phase is called and what happens in it stays in the rulesets.
"""
