"""One figure against another: periods, groups, columns."""
