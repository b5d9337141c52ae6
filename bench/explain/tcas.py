"""Writes a collision-avoidance function with one of 41 faults, or none: `tcas.py NUMBER > tcas.c`, with 0 for the correct one.

A function of a dozen inputs that never change and of three results: climb, descend or nothing. What it should say is stated a
second time, in another way, and both are compared.
"""

import sys

SOURCE = """\
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

enum { UNRESOLVED, CLIMB, DESCEND };
enum { NO_INTENT, DO_NOT_CLIMB, DO_NOT_DESCEND };

int own_altitude;
int own_rate;
int other_altitude;
int separation;
int layer;
int room_above;
int room_below;
int other_reports;
int other_equipped;
int other_intent;
int climb_inhibited;
int confident;

int threshold(void)
{
    if (layer == 0)
        return 400;
    if (layer == 1)
        return 500;
    if (layer == 2)
        return 640;
    return 740;
}

int biased_room_above(void)
{
    int room = room_above;
    if (climb_inhibited)
        room = room + 100;
    return room;
}

int own_is_below(void)
{
    return own_altitude < other_altitude;
}

int own_is_above(void)
{
    return other_altitude < own_altitude;
}

int prefers_up(void)
{
    return biased_room_above() > room_below;
}

int may_climb(void)
{
    int result;
    if (prefers_up()) {
        result = !own_is_below() || room_below < threshold();
    } else {
        result = own_is_above() && separation >= 300 && room_above >= threshold();
    }
    return result;
}

int may_descend(void)
{
    int result;
    if (prefers_up()) {
        result = own_is_below() && separation >= 300 && room_below >= threshold();
    } else {
        result = !own_is_above() || (own_is_above() && room_above >= threshold());
    }
    return result;
}

int advisory(void)
{
    int enabled;
    int intent_unknown;
    int climb;
    int descend;
    int answer;
    enabled = confident && own_rate <= 600 && separation > 600;
    intent_unknown = other_reports && other_intent == NO_INTENT;
    answer = UNRESOLVED;
    if (enabled && ((other_equipped && intent_unknown) || !other_equipped)) {
        climb = may_climb() && own_is_below();
        descend = may_descend() && own_is_above();
        if (climb && descend)
            answer = UNRESOLVED;
        else if (climb)
            answer = CLIMB;
        else if (descend)
            answer = DESCEND;
        else
            answer = UNRESOLVED;
    }
    return answer;
}

/* What is asked for. */
int expected(void)
{
    static const int limits[4] = { 400, 500, 640, 740 };
    int limit = limits[layer];
    int up = (climb_inhibited ? room_above + 100 : room_above) > room_below;
    int below = own_altitude < other_altitude;
    int above = own_altitude > other_altitude;
    int climb = below && up && room_below < limit;
    int descend = above && !up && room_above >= limit;
    if (!confident || own_rate > 600 || separation <= 600)
        return UNRESOLVED;
    if (other_equipped && !(other_reports && other_intent == NO_INTENT))
        return UNRESOLVED;
    return climb ? CLIMB : descend ? DESCEND : UNRESOLVED;
}

int main(void)
{
    own_altitude = __VERIFIER_nondet_int();
    own_rate = __VERIFIER_nondet_int();
    other_altitude = __VERIFIER_nondet_int();
    separation = __VERIFIER_nondet_int();
    layer = __VERIFIER_nondet_int();
    room_above = __VERIFIER_nondet_int();
    room_below = __VERIFIER_nondet_int();
    other_reports = __VERIFIER_nondet_int();
    other_equipped = __VERIFIER_nondet_int();
    other_intent = __VERIFIER_nondet_int();
    climb_inhibited = __VERIFIER_nondet_int();
    confident = __VERIFIER_nondet_int();
    if (layer < 0 || layer > 3)
        return 0;
    if (room_above < 0 || room_above > 10000 || room_below < 0 || room_below > 10000)
        return 0;
    if (separation < 0 || separation > 10000)
        return 0;
    int given = advisory();
    int wanted = expected();
    assert(given == wanted);
    return 0;
}
"""

# Each is a text that occurs once, and what stands there instead.
FAULTS = [
    ("        return 400;", "        return 401;"),
    ("        return 500;", "        return 550;"),
    ("        return 640;", "        return 740;"),
    ("    return 740;", "    return 640;"),
    ("    if (layer == 0)", "    if (layer == 1)"),
    ("    if (layer == 1)", "    if (layer <= 2)"),
    ("    if (layer == 2)", "    if (layer >= 2)"),
    ("        room = room + 100;", "        room = room + 200;"),
    ("        room = room + 100;", "        room = room - 100;"),
    ("    if (climb_inhibited)", "    if (!climb_inhibited)"),
    ("    int room = room_above;", "    int room = room_below;"),
    ("    return own_altitude < other_altitude;", "    return own_altitude <= other_altitude;"),
    ("    return other_altitude < own_altitude;", "    return other_altitude <= own_altitude;"),
    ("    return own_altitude < other_altitude;", "    return own_altitude > other_altitude;"),
    ("    return other_altitude < own_altitude;", "    return other_altitude > own_altitude;"),
    ("    return biased_room_above() > room_below;", "    return biased_room_above() >= room_below;"),
    ("    return biased_room_above() > room_below;", "    return room_above > room_below;"),
    ("    return biased_room_above() > room_below;", "    return biased_room_above() < room_below;"),
    ("!own_is_below() || room_below < threshold();", "!own_is_below() || room_below <= threshold();"),
    ("!own_is_below() || room_below < threshold();", "room_below < 700;"),
    ("!own_is_below() || room_below < threshold();", "!own_is_below() && room_below < threshold();"),
    ("!own_is_below() || room_below < threshold();", "!own_is_above() || room_below < threshold();"),
    ("(own_is_above() && room_above >= threshold());", "(own_is_above() && room_above > threshold());"),
    ("(own_is_above() && room_above >= threshold());", "(own_is_above() && room_below >= threshold());"),
    ("(own_is_above() && room_above >= threshold());", "own_is_above();"),
    ("        result = !own_is_above() || (", "        result = !own_is_above() && ("),
    ("    enabled = confident && own_rate <= 600 && separation > 600;", "    enabled = confident && own_rate <= 600;"),
    ("    enabled = confident && own_rate <= 600 && separation > 600;", "    enabled = confident && separation > 600;"),
    ("    enabled = confident && own_rate <= 600 && separation > 600;", "    enabled = own_rate <= 600 && separation > 600;"),
    ("    enabled = confident && own_rate <= 600 && separation > 600;",
     "    enabled = confident && own_rate < 600 && separation > 600;"),
    ("    enabled = confident && own_rate <= 600 && separation > 600;",
     "    enabled = confident && own_rate <= 600 || separation > 600;"),
    ("    intent_unknown = other_reports && other_intent == NO_INTENT;", "    intent_unknown = other_intent == NO_INTENT;"),
    ("    intent_unknown = other_reports && other_intent == NO_INTENT;",
     "    intent_unknown = other_reports && other_intent != NO_INTENT;"),
    ("    intent_unknown = other_reports && other_intent == NO_INTENT;",
     "    intent_unknown = other_reports || other_intent == NO_INTENT;"),
    ("((other_equipped && intent_unknown) || !other_equipped)", "(other_equipped && intent_unknown)"),
    ("((other_equipped && intent_unknown) || !other_equipped)", "(intent_unknown || other_equipped)"),
    ("        climb = may_climb() && own_is_below();", "        climb = may_climb();"),
    ("        descend = may_descend() && own_is_above();", "        descend = may_descend();"),
    ("            answer = CLIMB;", "            answer = DESCEND;"),
    ("            answer = DESCEND;", "            answer = UNRESOLVED;"),
    ("        else if (descend)", "        else if (!descend)"),
]


def main(number):
    source = SOURCE
    if number > 0:
        old, new = FAULTS[number - 1]
        assert source.count(old) == 1, old
        source = source.replace(old, new)
    print(source, end="")


if __name__ == "__main__":
    main(int(sys.argv[1]))
