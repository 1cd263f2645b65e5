"""Formats the result of a check like ``graze check``: the verdict, clashes, pairs of objects, notes.

Tests compare the text with the output of the tool. Options have their Python names.
"""
from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from ._enumerations import Clash, Kind
from .lists import Regions
from .meshes import kind_word

if TYPE_CHECKING:
    from .checks import Check
    from .objects import OpenEdge

CLASHES_SHOWN = 12
ROWS_SHOWN = 20
NOTES_SHOWN = 5


def counted(number: int, one: str, many: str | None = None) -> str:
    """Returns a number and its noun: "1 pair", "12,345 pairs"."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def edges(found: OpenEdge, faces: str) -> str:
    """Returns "2 open edges, 14 edges of triangles that face opposite ways"."""
    others = found.count - found.open_count - found.reversed_count
    parts = [(found.open_count, "open edge", "open edges", ""),
             (found.reversed_count, "edge", "edges", f" of {faces} that face opposite ways"),
             (others, "edge", "edges", f" of an odd number of {faces}")]
    return ", ".join(counted(number, one, many) + rest for number, one, many, rest in parts if number)


def duration(milliseconds: float) -> str:
    """Format a duration."""
    if milliseconds < 10:
        return f"{milliseconds:.2f} ms"
    return f"{milliseconds:.1f} ms" if milliseconds < 10000 else f"{milliseconds / 1000:.1f} s"


def primitive_words(check: Check) -> tuple[str, str]:
    """Returns the singular and plural name of the kind; "primitive" if kinds are mixed."""
    kinds = {mesh.kind for mesh in check.meshes if mesh.count} or {mesh.kind for mesh in check.meshes[:1]}
    if len(kinds) > 1:
        return "primitive", "primitives"
    kind = kinds.pop() if kinds else Kind.TRIANGLE
    return kind_word(kind, 1), kind_word(kind, 2)


def _length(check: Check, length: float) -> str:
    units = check.options.units
    return f"{length:.6g}" + ("" if units is None else f" {units}")


def _quantity(check: Check) -> str:
    opening = "more than " if check.limit_reached else ""
    regions = check.clashes
    clashes = ""
    if regions is not None and _has_clashes(regions):
        clashes = f"{counted(len(regions), 'clash', 'clashes')} in "
    return f"{clashes}{opening}{counted(check.count, 'pair')} of {primitive_words(check)[1]}"


def _has_clashes(regions: Regions | None) -> bool:
    """Whether any clash has several pairs, so that clashes are worth listing."""
    return regions is not None and len(regions) < len(regions.pairs)


# ------------------------------------------------------------------------------------------------ the verdict

def _volume_between(check: Check, a: int, b: int) -> float | None:
    """Returns the shared volume of two objects of solids; None if unknown."""
    spheres = check.meshes[a].kind == Kind.SPHERE, check.meshes[b].kind == Kind.SPHERE
    wrenches = None if check.limit_reached or spheres[0] != spheres[1] else check.wrenches
    if wrenches is None:
        return None
    rows = wrenches.array[(wrenches.array["object_a"] == a) & (wrenches.array["object_b"] == b)]
    return float(rows["volume"][0]) if len(rows) else None


def _shared_volume(check: Check) -> str:
    volume = _volume_between(check, 0, 1)
    if volume is None:
        return ""
    return f"; they share a volume of {volume:.6g}" if volume > 0 else "; they share no volume"


def _within(check: Check) -> str:
    label = check.meshes[0].name
    if check.count == 0:
        return f"{label}: no {primitive_words(check)[0]} intersects another"
    return f"{label} intersects itself: {_quantity(check)}"


def _between_two(check: Check) -> str:
    labels = f"{check.meshes[0].name} and {check.meshes[1].name}"
    if check.count == 0:
        return labels + (" were not tested: they are excluded" if check.excluded_count else " do not intersect")
    return f"{labels} intersect: {_quantity(check)}{_shared_volume(check)}"


def _between_many(check: Check) -> str:
    count = len(check.meshes)
    if count < 2:
        return "There are no two objects to test"
    if check.count == 0:
        return f"None of the {counted(count, 'object')} intersects another"
    rows = len(check.object_pairs)
    opening = "At least " if check.limit_reached else ""
    return (f"{opening}{rows:,} of the {counted(count * (count - 1) // 2, 'pair')} of objects "
            f"{'intersects' if rows == 1 else 'intersect'}: {_quantity(check)}")


def _both(check: Check) -> str:
    one, many = primitive_words(check)
    if check.count == 0:
        return f"No {one} of the {counted(len(check.meshes), 'object')} intersects another"
    array = check.found.array
    within = int((array[:, 0] == array[:, 2]).sum())
    between = check.count - within
    if _has_clashes(check.clashes):
        return f"{_quantity(check)}: {counted(within, 'pair')} within one object, {between:,} between two"
    verb = "intersects" if check.count == 1 else "intersect"
    return (f"{'More than ' if check.limit_reached else ''}{counted(check.count, 'pair')} of {many} {verb}: "
            f"{within:,} within one object, {between:,} between two")


def _candidates(check: Check) -> str:
    many = primitive_words(check)[1]
    if check.count == 0:
        return f"No boxes of {many} intersect"
    return f"The boxes of {_quantity(check)} intersect; the {many} themselves were not tested"


def _near(check: Check) -> str:
    many = primitive_words(check)[1]
    clearance = _length(check, check.options.clearance)
    if check.count == 0:
        return f"No two {many} are within {clearance} of each other"
    words = f"{'More than ' if check.limit_reached else ''}{counted(check.count, 'pair')} of {many} within {clearance}"
    distances = check.distances.array["distance"]
    nearest = check.distances.nearest
    intersecting = int((distances == 0).sum())
    if intersecting:
        words += f"; {intersecting:,} {'intersects' if intersecting == 1 else 'intersect'}, the first"
    else:
        words += f"; nearest {_length(check, float(distances[nearest]))}"
    a, _, b, _ = check.found.array[nearest].tolist()
    if len(check.meshes) < 2:
        return words
    if a == b:
        return f"{words} within {check.meshes[a].name}"
    return f"{words} between {check.meshes[a].name} and {check.meshes[b].name}"


def _containment(check: Check, row: Any) -> str:
    how = "entirely" if row["inside_count"] == row["primitive_count"] else "partly"
    return f"{check.meshes[row['inner']].name} lies {how} inside {check.meshes[row['outer']].name}"


def _inside(check: Check) -> str:
    found = check.containments
    if not check.options.solid or found is None or len(found) == 0:
        return ""
    if len(found) == 1:
        return f"; {_containment(check, found[0])}"
    count = len(np.unique(found.array["inner"]))
    return f"; {counted(count, 'object')} {'lies' if count == 1 else 'lie'} inside another"


def verdict(check: Check) -> str:
    """Returns the first line of ``graze check``, without the duration."""
    options = check.options
    if options.clearance > 0:
        words = _near(check)
    elif options.candidates:
        words = _candidates(check)
    elif check.within and not check.between and len(check.meshes) == 1:
        words = _within(check)
    elif check.between and not check.within:
        words = _between_two(check) if len(check.meshes) == 2 else _between_many(check)
    else:
        words = _both(check)
    return words + _inside(check)


def amount(check: Check) -> str:
    """Returns the number of primitives that were checked."""
    return counted(sum(mesh.count for mesh in check.meshes), *primitive_words(check))


# ------------------------------------------------------------------------------------------------ lines below it

def clash_lines(check: Check) -> Iterator[str]:
    """Lists the clashes with the most pairs."""
    regions = check.clashes
    if regions is None or not _has_clashes(regions):
        return
    yield "Clashes, most pairs first" if len(regions) > 1 else "Clash"
    order = np.argsort(-regions.array["pair_count"].astype(np.int64), kind="stable")[:CLASHES_SHOWN]
    for row in regions.array[order]:
        objects = ""
        if len(check.meshes) > 1:
            a, b = int(row["object_a"]), int(row["object_b"])
            objects = f"  object {a} and {'itself' if a == b else f'object {b}'}"
        box = ", ".join(f"{low:.4g}..{high:.4g}" for low, high in zip(row["box_min"], row["box_max"]))
        name = Clash(int(row["clash"])).name.lower()
        yield f"  {counted(int(row['pair_count']), 'pair'):>15}  {name:<9}{objects}  within {box}"
    if len(order) < len(regions):
        yield f"  and {len(regions) - len(order):,} more; regions() has them"


def _nearest_words(check: Check, a: int, b: int) -> str:
    if check.options.clearance <= 0:
        return ""
    array = check.found.array
    least = check.distances.array["distance"][(array[:, 0] == a) & (array[:, 2] == b)].min()
    return "  intersecting" if least == 0 else f"  nearest {_length(check, float(least))}"


def table_lines(check: Check) -> Iterator[str]:
    """Lists the pairs of objects with their numbers of primitive pairs."""
    rows, counts = check.object_pairs, check.object_pair_counts
    if len(rows) == 0 or len(check.meshes) < 2:
        return
    many = len(rows) > ROWS_SHOWN
    order = np.lexsort((rows[:, 1], rows[:, 0], -counts.astype(np.int64)))[:ROWS_SHOWN] if many else range(len(rows))
    yield (f"Pairs of objects, most pairs of {primitive_words(check)[1]} first" if many
           else "Pairs of objects")
    labels = [f"{i} {mesh.name}" for i, mesh in enumerate(check.meshes)]
    shown = [(int(rows[i][0]), int(rows[i][1]), int(counts[i])) for i in order]
    width_a = max(len(labels[a]) for a, _, _ in shown)
    width_b = max([6] + [len(labels[b]) for a, b, _ in shown if a != b])
    for a, b, count in shown:
        volume = _volume_between(check, a, b)
        yield (f"  {labels[a]:<{width_a}}  {'itself' if a == b else labels[b]:<{width_b}}  {count:>15,}"
               + ("" if volume is None else f"  sharing a volume of {volume:.6g}") + _nearest_words(check, a, b))
    if many:
        yield f"  and {len(rows) - len(shown):,} more"


def _only_touch(check: Check) -> bool:
    """Adjacent faces with duplicate vertices touch at these vertices; welding makes them neighbors."""
    if check.clashes is None or check.options.weld:
        return False
    own = check.clashes.array[check.clashes.array["object_a"] == check.clashes.array["object_b"]]
    return len(own) > 0 and bool((own["clash"] == Clash.TOUCHING).all())


def note_lines(check: Check) -> Iterator[str]:
    """Returns notes on what was not tested."""
    many, counters = primitive_words(check)[1], check.counters
    beyond = check.neighbors == "beyond"
    for mesh in check.meshes:
        if mesh.note:
            yield f"note  {mesh.name}: {mesh.note}"
    if not check.within and check.source_count > 1:
        yield "note  meshes were only tested against each other; within=True adds the pairs within each"
    if check.within and not beyond and counters.get("neighbors", 0):
        solids = check.solid_count > 0
        advice = "" if solids else "; neighbors='beyond' tests them"
        yield f"note  {many} that share a vertex were not tested{advice}"
    if check.within and beyond:
        how = "for intersection beyond the shared vertex (neighbors='beyond')"
        yield f"note  {many} that share a vertex were tested {how}"
    if _only_touch(check):
        yield "note  all pairs within an object only touch; weld=True merges vertices with equal coordinates"
    if check.excluded_count:
        yield (f"note  {counted(check.excluded_count, 'pair')} of objects "
               f"{'was' if check.excluded_count == 1 else 'were'} excluded")
    yield from _oddities(check, beyond and check.within)
    found = check.containments
    if found is None or check.options.solid:
        return
    for row in found.array[:NOTES_SHOWN]:
        yield f"note  {_containment(check, row)}; their surfaces do not touch (solid=True counts this)"
    if len(found) > NOTES_SHOWN:
        yield f"note  and {len(found) - NOTES_SHOWN:,} more; containments has them"


def _oddities(check: Check, left_out: bool) -> Iterator[str]:
    """Returns notes on degenerate primitives, which are accepted."""
    one, many = primitive_words(check)
    repeated, inverted, flat = (check.counters.get(key, 0) for key in ("repeated_index", "inverted", "flat"))
    if repeated and left_out:
        whose = "its" if repeated == 1 else "their"
        yield f"note  {counted(repeated, one, many)} with a repeated vertex: not tested within {whose} object"
    elif repeated:
        yield f"note  {counted(repeated, one, many)} {'repeats' if repeated == 1 else 'repeat'} a vertex"
    if inverted:
        yield (f"note  {counted(inverted, 'tetrahedron', 'tetrahedra')} {'is' if inverted == 1 else 'are'} inverted; "
               "the corners span the same solid")
    if flat:
        yield f"note  {counted(flat, 'tetrahedron', 'tetrahedra')} {'is' if flat == 1 else 'are'} flat"

