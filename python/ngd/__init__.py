"""One model from data that stay where they are.

Runs the program ``ngd`` and reads what it writes. Needs nothing but the standard library; NumPy, pandas and matplotlib
are used where they are installed. Every verb has a twin ``…_async`` for event loops, and both tell ``progress``.
"""

from ._program import NgdError, NgdWarning, Progress, path, version
from ._results import (
    AnovaLine,
    Check,
    Coefficient,
    Comparison,
    Curves,
    Description,
    Fit,
    MethodFit,
    Network,
    PooledFit,
    Prediction,
    Result,
    Study,
)
from ._table import Table
from ._verbs import (
    ask,
    ask_async,
    check,
    check_async,
    compare,
    compare_async,
    curves,
    curves_async,
    describe,
    describe_async,
    fit,
    fit_async,
    network,
    network_async,
    read,
    study,
    study_async,
)

__all__ = [
    "AnovaLine", "Check", "Coefficient", "Comparison", "Curves", "Description", "Fit", "MethodFit", "Network", "NgdError", "NgdWarning",
    "PooledFit", "Prediction", "Progress", "Result", "Study", "Table", "ask", "ask_async", "check", "check_async", "compare",
    "compare_async", "curves", "curves_async", "describe", "describe_async", "fit", "fit_async", "network", "network_async", "path", "read", "study",
    "study_async", "version",
]
__version__ = "0.1.0"
