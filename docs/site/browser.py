# SPDX-License-Identifier: Apache-2.0
"""One Chromium without a window, spoken to over its pipe (--remote-debugging-pipe): JSON, each message ended by a zero."""
import json
import os
import shutil
import subprocess
import tempfile
import time

PROGRAMS = ("chromium", "chromium-browser", "google-chrome")
OPTIONS = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-extensions", "--no-first-run",
           "--disable-background-networking", "--disable-component-update", "--disable-sync", "--remote-debugging-pipe")


class Wrong(Exception):
    """Chromium is not there, does not answer, or has ended."""


class Browser:
    def __init__(self, seconds=60):
        program = next((p for p in map(shutil.which, PROGRAMS) if p), None)
        if not program:
            raise Wrong("no chromium here; docs/site/setup.sh installs it")
        self.seconds, self.last, self.events, self.rest = seconds, 0, [], b""
        self.profile = tempfile.TemporaryDirectory(prefix="heddle-chromium-", ignore_cleanup_errors=True)
        to_it, self.to = os.pipe()
        self.out, from_it = os.pipe()
        self.process = subprocess.Popen(["sh", "-c", 'exec "$@" 3<&%d 4>&%d' % (to_it, from_it), "sh", program, *OPTIONS,
                                         "--user-data-dir=" + self.profile.name, "about:blank"], pass_fds=(to_it, from_it),
                                        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_it)
        os.close(from_it)
        os.set_blocking(self.out, False)
        self.session = None
        target = next(t for t in self.ask("Target.getTargets")["targetInfos"] if t["type"] == "page")
        self.session = self.ask("Target.attachToTarget", targetId=target["targetId"], flatten=True)["sessionId"]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.close(self.to)
        os.close(self.out)
        self.process.terminate()
        self.process.wait()
        self.profile.cleanup()

    def message(self, until):
        """The next message."""
        while b"\0" not in self.rest:
            if self.process.poll() is not None or time.monotonic() > until:
                raise Wrong("chromium has ended" if self.process.poll() is not None else "chromium does not answer")
            try:
                self.rest += os.read(self.out, 1 << 20)
            except BlockingIOError:
                time.sleep(.002)
        text, _, self.rest = self.rest.partition(b"\0")
        return json.loads(text)

    def ask(self, method, **params):
        """A command's result; what else comes meanwhile is kept in `events`."""
        self.last += 1
        message = {"id": self.last, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.to, json.dumps(message).encode() + b"\0")
        until = time.monotonic() + self.seconds
        while True:
            answer = self.message(until)
            if answer.get("id") == self.last:
                if "error" in answer:
                    raise Wrong(f"{method}: {answer['error']['message']}")
                return answer["result"]
            self.events.append(answer)

    def wait(self, method):
        """Until this event has come."""
        until = time.monotonic() + self.seconds
        while not any(e.get("method") == method for e in self.events):
            self.events.append(self.message(until))

    def value(self, expression):
        """What a piece of JavaScript says of the page."""
        return self.ask("Runtime.evaluate", expression=expression, returnByValue=True)["result"].get("value")
