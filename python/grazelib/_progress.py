"""A tqdm progress bar, if tqdm is installed."""
from __future__ import annotations

import importlib
from typing import Any


class Bar:
    """A progress bar; without tqdm it shows nothing.

    Parameters
    ----------
    total : int
        The final count.
    unit : str
        The unit of the count.
    """

    def __init__(self, total: int, unit: str) -> None:
        self._bar: Any = None
        try:
            self._bar = importlib.import_module("tqdm.auto").tqdm(total=total, unit=f" {unit}")
        except ImportError:
            pass

    def move_to(self, count: int, fill_rate: float | None = None) -> None:
        """Shows a count, and for packings the fill rate."""
        if self._bar is not None:
            self._bar.update(count - self._bar.n)
            if fill_rate is not None:
                self._bar.set_postfix(fill_rate=f"{fill_rate:.4f}")

    def close(self) -> None:
        """Closes the bar."""
        if self._bar is not None:
            self._bar.close()
