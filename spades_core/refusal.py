"""What was not carried out, and why."""


class Refused(Exception):
    """Why a command was not carried out: a `code` for programs, a sentence for people, the field at fault if any."""

    def __init__(self, code: str, text: str, field: str | None = None) -> None:
        super().__init__(text)
        self.code = code
        self.text = text
        self.field = field
