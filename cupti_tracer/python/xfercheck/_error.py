"""What a check raises."""


class TransferError(AssertionError):
    """The program copied, waited or wasted more than it may, or that could not be checked."""


TransferError.__module__ = "xfercheck"
