"""The exception that a check raises."""


class TransferError(AssertionError):
    """The program copied, waited or wasted more than it may, or the check could not run."""


TransferError.__module__ = "xfercheck"
