"""The list of agents: to add one, write its file and its line here."""

from collections.abc import Callable, Iterable, Mapping

from ai.agents.correction_agent import CorrectionAgent
from ai.agents.cost_agent import CostAgent
from ai.agents.csv_export_agent import CsvExportAgent
from ai.agents.help_agent import HelpAgent
from ai.agents.memory_agent import MemoryAgent
from ai.agents.port import Agent
from ai.agents.question_context import QuestionContext
from ai.agents.reshape_agent import ReshapeAgent
from ai.agents.sql_query_agent import SqlQueryAgent
from ai.agents.sql_retrieval_agent import SqlRetrievalAgent
from ai.agents.state_agent import StateAgent
from ai.agents.tools import Exports
from ai.analysts.port import Analyst, Intent, Researcher
from ai.memory_store import MemoryStore
from ai.results.store import ResultStore


def nobody(_: str) -> bool:
    """Whether somebody is an owner, where none is named."""
    return False


def build_agents(
    memory: MemoryStore,
    results: ResultStore,
    analyst: Analyst,
    context: QuestionContext,
    exports: Exports,
    is_owner: Callable[[str], bool] = nobody,
) -> Mapping[Intent, Agent]:
    """Every agent, under each kind of message that it answers. `is_owner` says of a user whether they decide rules."""
    agents: Iterable[Agent] = (
        SqlQueryAgent(memory, results, analyst, context),
        ReshapeAgent(memory, results, context),
        CsvExportAgent(memory, context, exports),
        SqlRetrievalAgent(memory, context, exports),
        StateAgent(memory, context),
        MemoryAgent(memory, context, analyst if isinstance(analyst, Researcher) else None),
        CorrectionAgent(memory, context, analyst, is_owner),
        CostAgent(memory, context),
        HelpAgent(context),
    )
    return {intent: agent for agent in agents for intent in agent.intents}
