"""Receipts of answers, sealed in a chain with a key outside of the database."""

from ai.memory.seals.chain import Chain, HeadFile, chain_at, chain_keys
from ai.memory.seals.checking import Problem
from ai.memory.seals.keys import FIRST, Seal, fresh_keys, seal_from
from ai.memory.seals.receipts import KeptReceipt, Receipts

__all__ = [
    "FIRST",
    "Chain",
    "HeadFile",
    "KeptReceipt",
    "Problem",
    "Receipts",
    "Seal",
    "chain_at",
    "chain_keys",
    "fresh_keys",
    "seal_from",
]
