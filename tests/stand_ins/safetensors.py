"""Stands in for what model2vec's adapter needs of safetensors."""


class SafetensorError(Exception):
    """A file of weights that cannot be read."""
