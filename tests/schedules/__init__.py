"""Walks through crashes, stops, edits, deletions, outages and takeovers between the steps of several threads.

Engine, delivery, turns and intake are the product's, as are memory and queue; processes, clock and wire are simulated in
one process and one thread of it. A schedule and a seed give the same walk each time.
"""
