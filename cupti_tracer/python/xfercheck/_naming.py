"""Names for buffers."""

from __future__ import annotations

import operator
from typing import Any, Optional, Tuple

from . import _listener


def name(buffer: Any, text: str, *, bytes: Optional[int] = None) -> None:
    """Tells what to call a buffer in device memory, in findings about copies to and from it.

    `buffer` is a tensor of PyTorch, an array of CuPy or Numba, or an address; an address needs
    `bytes`, the size. Does nothing where nobody listens. TypeError: it is none of these, or its
    size is not known.
    """
    if not isinstance(text, str):
        raise TypeError(f"xfercheck.name: the name must be a string, not {text!r}")
    address, size = _place(buffer)
    if bytes is not None:
        size = operator.index(bytes)
    if size is None:
        raise TypeError("xfercheck.name: an address needs its size: bytes=...")
    if address < 0 or size < 0:
        raise ValueError("xfercheck.name: the address and the size must not be negative")
    listener = _listener.find()
    if listener is not None and listener.name is not None:
        listener.name(address, size, text.encode("utf-8", "replace").replace(b"\0", b"?"))


def _place(buffer: Any) -> Tuple[int, Optional[int]]:
    """(address, bytes or None: not known)"""
    if callable(getattr(buffer, "data_ptr", None)):
        size = getattr(buffer, "nbytes", None)
        if size is None and hasattr(buffer, "numel"):
            size = buffer.numel() * buffer.element_size()
        return buffer.data_ptr(), size
    interface = getattr(buffer, "__cuda_array_interface__", None)
    if interface is None:
        interface = getattr(buffer, "__array_interface__", None)
    if interface is not None:
        return interface["data"][0], getattr(buffer, "nbytes", None)
    try:
        return operator.index(buffer), None
    except TypeError:
        raise TypeError("xfercheck.name: expected a tensor, an array or an address, got "
                        f"{type(buffer).__name__}") from None
