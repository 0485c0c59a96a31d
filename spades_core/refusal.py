"""What was not carried out, and why."""


class Refused(Exception):
    """Why a command was not carried out: a `code` for programs, a sentence for people."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code
        self.text = text
