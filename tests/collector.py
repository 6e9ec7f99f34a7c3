"""A collector of OpenTelemetry's spans on a free port of this machine."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from gzip import decompress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span


@contextmanager
def collector() -> Iterator[tuple[str, list[bytes]]]:
    """Take spans in, as a collector of OpenTelemetry does; yield its address and what came."""
    bodies: list[bytes] = []

    class Take(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            bodies.append(decompress(body) if self.headers.get("Content-Encoding") == "gzip" else body)
            self.send_response(200)
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:
            return

    with ThreadingHTTPServer(("127.0.0.1", 0), Take) as server:
        Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}", bodies
        server.shutdown()


def spans_in(bodies: Iterable[bytes]) -> list[Span]:
    sent = [ExportTraceServiceRequest.FromString(body) for body in list(bodies)]
    scopes = (scope for one in sent for resource in one.resource_spans for scope in resource.scope_spans)
    return [span for scope in scopes for span in scope.spans]
