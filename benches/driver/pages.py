"""The repository's own pages, served on loopback."""
import http.server
import pathlib
import threading

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = {
    "/login": ROOT / "tests/fixtures/login/page.html",
    "/checkout": ROOT / "tests/fixtures/checkout/page.html",
    "/orders": ROOT / "tests/pages/orders.html",
    "/parcels": ROOT / "tests/pages/parcels.html",
}


class Handler(http.server.BaseHTTPRequestHandler):
    """Answers with a page, or with nothing."""

    def do_GET(self):
        """A page by its path. There is no icon, and that is no error either: it would be news on a tool's console."""
        page = PAGES.get(self.path)
        body = page.read_bytes() if page else b""
        self.send_response(200 if page else 204)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        """Says nothing."""


def serve():
    """Begins to serve, and gives the address."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}"
