"""Prints the toy setting."""

import sys

import config

sys.stdout.write(str(config.load().parrots))  # type: ignore[attr-defined]  # it is there where the recipe was followed
