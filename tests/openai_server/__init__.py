"""A server that speaks OpenAI's chat completions on a real socket of this machine, and answers by a script.

`chat` has what is asked and answered, `script` who answers what as lines of data, `wire` and `faults` how an answer or a
misfortune goes over the socket, `server` the server with its journal. What no script expects is refused with 503.
"""

from tests.openai_server.chat import Asked, Reply, ToolUse
from tests.openai_server.script import Script
from tests.openai_server.server import ModelServer

__all__ = ["Asked", "ModelServer", "Reply", "Script", "ToolUse"]
