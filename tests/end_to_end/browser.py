"""The Chromium that the browser tests drive: where it is, and `python browser.py` to see to it that there is one."""

import os
import shutil
import subprocess
import sys

NAMES = ("chromium", "chromium-browser", "google-chrome")
ADVICE = "the browser tests need Chromium: apt-get install chromium, or say where yours is with CHROMIUM=/path/to/it"


def browser_path() -> str | None:
    """The path of a Chromium, or None."""
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
