"""The tabletop: where things stand, what they touch, see and drive over; no dice and no rules in here.

Lengths are in inches, bearings and headings in degrees clockwise from north (+y), positions are centres.
Everything is a frozen value or a pure function. Whatever touches within `TOLERANCE` (1e-9 inch or degree) touches.

    points      Point, bearings, steps, segments                bearings   cuts of the compass and what lies between
    bases       Base: a round base, a marker, a crater           markers    blast markers on bases and hulls
    areas       Area: a polygon of ground                        scatter    cuts for a marker that scatters
    hulls       Hull: a rectangle with a heading                 teardrops  the flamer template
    distances   gaps, contact, overlap, coherency                mounts     weapon arcs and elevation
    facings     front, side and rear                             sight      walls, hidden part of a face, cover
    paths       length of a move, terrain and roads along it     sweeps     a hull driven straight ahead
    places      the shortest way out, room, access points          board      the edge of the table
    rays        a marker pushed off its aim and drawn back       formations  line, two ranks, cluster, ring
    picture     what lies on the table, to be drawn
"""
