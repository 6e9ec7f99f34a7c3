"""Forks local Slacks for `local_slack.processes`: `python -m local_slack.starter FILE`, the number of its line."""

import json
import os
import signal
import socket
import sys

from local_slack.__main__ import main

_MOST_BYTES = 1 << 16


def _serve(line: socket.socket) -> None:
    """Fork a local Slack for each wish, until whoever wishes has gone."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for them here
    while True:
        wish, handed, *_ = socket.recv_fds(line, _MOST_BYTES, 3)
        if not wish:
            return
        if not os.fork():
            line.close()
            *streams, teller = handed
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            for number, file in enumerate(streams, 1):
                os.dup2(file, number)
                os.close(file)
            os.write(teller, str(os.getpid()).encode())
            status = main(json.loads(wish))
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(status)  # taking apart what is loaded takes as long as loading it
        for file in handed:
            os.close(file)


if __name__ == "__main__":
    _serve(socket.socket(fileno=int(sys.argv[1])))
