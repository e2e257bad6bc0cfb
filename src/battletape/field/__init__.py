"""The battlefield: where everything is, for every system that plays on a table; no dice and no sheets in here.

A battle is sheets and a field. Sheets (damage, hit points, order points) belong to a ruleset; the field is alike for
all: units as bases and hulls, terrain, the edge of the table, zones and objectives. Everything is a frozen value or a
pure function of one. A field may be empty: then players say what a board would show.

    state      Battlefield, Position, TerrainPiece: what is where, and copies with changes
    measure    Measurement: distance, facing, angle, sight, cover and hits, by the board or as players claim
    sight      eyes, screens, hidden parts, and the cover of terrain
    moves      paths: straight, towards, away, in retreat; terrain on them, what bars them, room at their end
    contact    the paths of a charge: the first model into contact, the others after it
    setup      placements, formations, zones, edges, and what a start has to keep to
    clock      turns and phases in order, and what ends when the next one begins
    score      objectives and their holders, missions, victory points
    maps       the picture of a field, and of what a chosen unit reaches
    boxes      a rough look at what may be near, before anything is measured

What a move costs, what cover is worth, what a phase is called and what happens in it stays in the rulesets.
"""
