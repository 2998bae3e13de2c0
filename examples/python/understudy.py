"""A stub for a Python test suite: one server, one world per test. Needs Python 3.11 and the command `understudy`."""

import contextlib
import json
import pathlib
import subprocess
import tempfile
import time
import urllib.request
import warnings


class Understudy:
    def __init__(self, *options):
        """Starts a server on a free port. Options are those of `understudy serve`."""
        with tempfile.TemporaryDirectory() as folder:
            ready = pathlib.Path(folder, "url")
            command = ["understudy", "serve", "--port", "0", "--json", "--ready-file", ready, *options]
            self._server = subprocess.Popen(command, stdout=subprocess.DEVNULL)
            while not ready.exists() or not ready.read_text():
                if self._server.poll() is not None:
                    raise RuntimeError("understudy serve did not start")
                time.sleep(0.02)
            self.url = ready.read_text().strip()

    def close(self):
        self._server.terminate()
        self._server.wait()

    @contextlib.contextmanager
    def world(self):
        """Gives the base URL of a new world. At its end, unexpected requests and client findings fail the test."""
        fork = json.loads(self._control("POST", "default/fork", b'{"from":"start"}'))
        try:
            yield self.url + fork["path"]
        except Exception as error:
            error.add_note(self._control("GET", f"{fork['id']}/end-of-test?failed=true"))
            raise
        else:
            if problems := self._control("GET", f"{fork['id']}/end-of-test"):
                raise AssertionError(problems)
        finally:
            self._control("DELETE", fork["id"])

    def _control(self, method, path, body=None):
        request = urllib.request.Request(f"{self.url}/__understudy/worlds/{path}", body, method=method)
        with urllib.request.urlopen(request) as response:
            for warning in response.headers.get_all("Understudy-Warning", []):
                warnings.warn(warning)
            return response.read().decode()
