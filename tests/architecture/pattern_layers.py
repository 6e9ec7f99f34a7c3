"""A contract for import-linter: layers in which `*_NAME` stands for every module of the container with this ending."""

from fnmatch import fnmatch
from typing import Any

from grimp import ImportGraph
from importlinter.contracts.layers import Layer, LayersContract, ModuleTail
from importlinter.domain.contract import ContractCheck


class PatternLayersContract(LayersContract):
    """So a plug-in is placed by its name, and the list of layers needs no line for it."""

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:
        contract: Any = self  # its fields are set when it is read from the settings
        children = {
            child.rpartition(".")[2] for box in contract.containers for child in graph.find_children(box.expression)
        }
        contract.layers = [_expanded(layer, children) for layer in contract.layers]
        return super().check(graph, verbose)


def _expanded(layer: Layer, children: set[str]) -> Layer:
    patterns = {tail for tail in layer.module_tails if "*" in tail.name}
    found = {child for child in children for tail in patterns if fnmatch(child, tail.name)}
    return Layer({*(layer.module_tails - patterns), *map(ModuleTail, found)}, layer.is_independent)
