"""The Chromium of the browser tests; `python browser.py` installs one if it can."""

import os
import shutil
import subprocess
import sys

NAMES = ("chromium", "chromium-browser", "google-chrome")
ADVICE = "the browser tests need Chromium: apt-get install chromium, or set CHROMIUM=/path/to/chromium"


def browser_path() -> str | None:
    """Return the path of a Chromium, or None."""
    chosen = os.environ.get("CHROMIUM")
    return chosen or next((path for name in NAMES if (path := shutil.which(name))), None)


def main() -> int:
    if browser_path() is None and os.geteuid() == 0 and shutil.which("apt-get"):
        print("Installing Chromium for the browser tests ...")
        subprocess.run(["apt-get", "update", "-qq"], check=True)
        subprocess.run(["apt-get", "install", "-y", "-qq", "--no-install-recommends", "chromium"], check=True)
    if browser_path() is None:
        print(ADVICE, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
