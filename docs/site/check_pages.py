#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Open every page of the site in Chromium, from the disk and without a network, as a phone and as a screen would.

usage: check_pages.py DIR [PAGE ...]     PAGE: only these, relative to DIR
Found are: messages of errors on the console, exceptions, requests that leave the site's folder, files that cannot be loaded,
a page that is wider than a phone, and one that looks the same in the dark.
A line each, then the count. Exit status: 0 none, 1 some, or nothing to check, 2 usage, 5 no Chromium.
"""
import os
import pathlib
import sys

import browser

PHONE, SCREEN = (390, 800), (1400, 900)


def enable(b):
    for domain in ("Page", "Runtime", "Log", "Network"):
        b.ask(domain + ".enable")
    b.ask("Network.emulateNetworkConditions", offline=True, latency=0, downloadThroughput=-1, uploadThroughput=-1)


def size(b, width, height):
    b.ask("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width == PHONE[0])


def scheme(b, name):
    b.ask("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": name}])


def of_event(root, event):
    """What is wrong with what Chromium tells; None: nothing."""
    method, params = event.get("method"), event.get("params", {})
    if method == "Runtime.consoleAPICalled" and params["type"] in ("error", "assert"):
        return "console: " + " ".join(str(a.get("value", a.get("description", ""))) for a in params["args"])
    if method == "Runtime.exceptionThrown":
        details = params["exceptionDetails"]
        return "exception: " + details.get("exception", {}).get("description", details["text"]).splitlines()[0]
    if method == "Log.entryAdded" and params["entry"]["level"] == "error":
        return "console: " + params["entry"]["text"] + " " + params["entry"].get("url", "")
    if method == "Network.requestWillBeSent":
        url = params["request"]["url"]
        if not url.startswith((root, "data:", "about:")):
            return "leaves the site: " + url
    if method == "Network.loadingFailed" and not params.get("canceled"):
        return "cannot be loaded: " + params["errorText"]
    return None


def opened(b, root, page):
    """Findings of a page that is opened now."""
    b.events.clear()
    scheme(b, "light")
    size(b, *PHONE)
    answer = b.ask("Page.navigate", url=root + page)
    if "errorText" in answer:
        return ["cannot be opened: " + answer["errorText"]]
    b.wait("Page.loadEventFired")
    width = b.value("document.documentElement.scrollWidth")
    light = b.value("getComputedStyle(document.body).backgroundColor")
    scheme(b, "dark")
    dark = b.value("getComputedStyle(document.body).backgroundColor")
    size(b, *SCREEN)
    b.value("1")  # whatever the page does before it answers has been told by now
    found = [f"is {width} pixels wide on a phone of {PHONE[0]}"] if width > PHONE[0] else []
    found += ["looks the same in the dark"] if light == dark else []
    return found + [w for w in (of_event(root, e) for e in b.events) if w]


def main(arguments):
    if not arguments or not os.path.isdir(arguments[0]):
        print(__doc__, file=sys.stderr)
        return 2
    root = pathlib.Path(arguments[0]).resolve()
    pages = arguments[1:] or sorted(str(p.relative_to(root)) for p in root.rglob("*.html"))
    wrong = 0
    try:
        with browser.Browser() as b:
            enable(b)
            for n, page in enumerate(pages, 1):
                for finding in opened(b, root.as_uri() + "/", page):
                    wrong += 1
                    print(f"{page}: {finding}", flush=True)
                if sys.stderr.isatty():
                    print(f"\rsite: {n} of {len(pages)} pages opened", end="" if n < len(pages) else "\n", file=sys.stderr)
    except browser.Wrong as e:
        print(f"site: {e}", file=sys.stderr)
        return 5
    print(f"{len(pages)} pages opened, {wrong} findings")
    return 1 if wrong or not pages else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
