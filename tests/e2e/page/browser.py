"""A headless Chromium, driven over its debugging pipe with nothing but Python's own library.

Chromium reads commands from file descriptor 3 and writes answers and events to 4, JSON ended by a
zero byte.
"""

import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

NAMES = ("chromium", "chromium-headless-shell", "chromium-browser", "google-chrome",
         "google-chrome-stable")
DEADLINE = 60  # seconds; for one answer


def find():
    """The browser's path, or None."""
    return os.environ.get("XFER_CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)


class Browser:
    """One page of one browser. `problems` and `requests` fill while it is used."""

    def __init__(self, executable):
        self.problems = []  # what went to the console as an error, exceptions, dialogs
        self.requests = []  # what was asked for beside the page itself
        self._number = 0
        self._rest = b""
        self._profile = tempfile.TemporaryDirectory(prefix="xfer_browser_",
                                                    ignore_cleanup_errors=True)
        command_read, self._write = os.pipe()
        self._read, answer_write = os.pipe()
        # As root its sandbox does not start; nothing but our own pages is opened.
        arguments = [executable, "--headless", "--no-sandbox", "--disable-gpu",
                     "--disable-dev-shm-usage", "--no-first-run", "--disable-background-networking",
                     "--disable-component-update", "--hide-scrollbars",
                     "--user-data-dir=" + self._profile.name, "--remote-debugging-pipe",
                     "about:blank"]
        self._process = subprocess.Popen(
            ["sh", "-c", f'exec "$@" 3<&{command_read} 4>&{answer_write}', "sh", *arguments],
            pass_fds=(command_read, answer_write), stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        os.close(command_read)
        os.close(answer_write)
        self._session = None
        pages = [target for target in self.call("Target.getTargets")["targetInfos"]
                 if target["type"] == "page"]
        self._session = self.call("Target.attachToTarget", targetId=pages[0]["targetId"],
                                  flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")

    def close(self):
        try:
            self._session = None
            self.call("Browser.close")
            self._process.wait(10)
        except (EOFError, OSError, TimeoutError, subprocess.TimeoutExpired):
            self._process.kill()
            self._process.wait()
        os.close(self._write)
        os.close(self._read)
        self._profile.cleanup()

    def call(self, method, **parameters):
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next()
            if answer.get("id") != self._number:
                self._take_event(answer)
            elif "error" in answer:
                raise RuntimeError(f"{method}: {answer['error']['message']}")
            else:
                return answer["result"]

    def open(self, path):
        self.call("Page.navigate", url="file://" + os.path.abspath(path))
        self.wait_for("document.readyState === 'complete'")

    def value(self, expression):
        """The value of the JavaScript expression in the page."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(f"{expression}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def wait_for(self, expression):
        end = time.monotonic() + DEADLINE
        while not self.value(expression):
            if time.monotonic() > end:
                raise TimeoutError(expression)
            time.sleep(0.02)

    def press(self, key, shift=False):
        """A key as on the keyboard: "Tab", "Enter", "Escape", or what a letter types."""
        codes = {"Tab": (9, ""), "Enter": (13, "\r"), "Escape": (27, ""), " ": (32, " ")}
        code, text = codes.get(key, (0, key))
        event = {"key": key, "code": "Space" if key == " " else key, "windowsVirtualKeyCode": code,
                 "modifiers": 8 if shift else 0}
        self.call("Input.dispatchKeyEvent", type="keyDown" if text else "rawKeyDown", text=text,
                  **event)
        self.call("Input.dispatchKeyEvent", type="keyUp", **event)

    def resize(self, width, height=900):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=1, mobile=False)

    def color_scheme(self, name):
        self.call("Emulation.setEmulatedMedia",
                  features=[{"name": "prefers-color-scheme", "value": name}])

    def screenshot(self, path, whole=False):
        image = self.call("Page.captureScreenshot", captureBeyondViewport=whole)["data"]
        with open(path, "wb") as out:
            out.write(base64.b64decode(image))

    def _next(self):
        while b"\0" not in self._rest:
            if not select.select([self._read], [], [], DEADLINE)[0]:
                raise TimeoutError("the browser does not answer")
            more = os.read(self._read, 1 << 20)
            if not more:
                raise EOFError("the browser has ended")
            self._rest += more
        message, self._rest = self._rest.split(b"\0", 1)
        return json.loads(message)

    def _take_event(self, event):
        method, about = event.get("method"), event.get("params", {})
        if method == "Runtime.exceptionThrown":
            self.problems.append(about["exceptionDetails"])
        elif (method == "Runtime.consoleAPICalled" and
              about["type"] in ("error", "warning", "assert")):
            self.problems.append(about["args"])
        elif method == "Log.entryAdded" and about["entry"]["level"] in ("error", "warning"):
            self.problems.append(about["entry"]["text"])
        elif method == "Page.javascriptDialogOpening":
            self.problems.append("a dialog: " + about["message"])
            # Its answer is an event to whoever waits; the page goes on.
            message = {"id": 0, "method": "Page.handleJavaScriptDialog",
                       "params": {"accept": False}, "sessionId": self._session}
            os.write(self._write, json.dumps(message).encode() + b"\0")
        elif method == "Network.requestWillBeSent" and about.get("type") != "Document":
            self.requests.append(about["request"]["url"])
