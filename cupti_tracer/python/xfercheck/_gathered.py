"""While pytest runs a test: why blocks in it could not be checked.

Apart from all else because pytest's plugin keeps it in every run.
"""

from __future__ import annotations

from typing import List, Optional

reasons: Optional[List[str]] = None  # None: no test is running, and a warning tells the reason
