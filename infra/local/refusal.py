"""Why `make run` does not go on, in a sentence for whoever started it."""


class Refusal(Exception):
    pass
