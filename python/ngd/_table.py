"""Tables: what the program writes, read; and rows of one's own, written for it."""

from __future__ import annotations

import csv
import datetime
import html
import io
import json
import math
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Union

Place = Union[str, "os.PathLike[str]"]
#: A place that the program reads, a pandas DataFrame, a mapping of columns, or a sequence of rows.
Data = Union[Place, Mapping[str, Sequence[Any]], Sequence[Mapping[str, Any]], Any]

_SHOWN = 60
_DATE = re.compile(r"\d{4}-\d{1,2}-\d{1,2}")


class Table(Mapping[str, Any]):
    """Columns by name. Numbers are NumPy arrays where NumPy is installed, else lists; missing ones are NaN."""

    def __init__(self, columns: Mapping[str, Any]) -> None:
        self._columns = dict(columns)

    @classmethod
    def of_csv(cls, text: str) -> Table:
        lines = list(csv.reader(io.StringIO(text)))
        header, rows = lines[0], lines[1:]
        return cls({name: _typed([row[k] for row in rows]) for k, name in enumerate(header)})

    def __getitem__(self, name: str) -> Any:
        return self._columns[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return len(next(iter(self._columns.values()))) if self._columns else 0

    def to_pandas(self) -> Any:
        """The same as a DataFrame of pandas, which must be installed."""
        import pandas

        return pandas.DataFrame(self._columns)

    def _repr_html_(self) -> str:
        return html_table(list(self), [[self[name][k] for name in self] for k in range(min(self.rows, _SHOWN))])

    def __repr__(self) -> str:
        """Aligned columns; of a long table the first rows, and how many there are."""
        shown = [[_cell(self[name][k]) for name in self] for k in range(min(self.rows, _SHOWN))]
        wide = [max(len(line[k]) for line in [list(self), *shown]) for k in range(len(self))]
        left = [isinstance(self[name], list) and any(isinstance(value, str) for value in self[name]) for name in self]
        lines = [
            "  ".join(text.ljust(width) if first else text.rjust(width) for text, width, first in zip(line, wide, left)).rstrip()
            for line in [list(self), *shown]
        ]
        return "\n".join(lines + ([f"… {self.rows} rows"] if self.rows > _SHOWN else []))


def _cell(value: object) -> str:
    if isinstance(value, float):
        return "" if math.isnan(value) else f"{value:.6g}"
    return "" if value is None else str(value)


def html_table(header: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    head = "".join(f"<th>{html.escape(name)}</th>" for name in header)
    body = "".join("<tr>" + "".join(f"<td>{html.escape(_cell(value))}</td>" for value in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _typed(texts: list[str]) -> Any:
    """Whole numbers, numbers or text, as all values of a column can be read."""
    try:
        whole = [int(text) for text in texts]
        return array(whole)
    except ValueError:
        pass
    try:
        return array([float(text) if text else math.nan for text in texts])
    except ValueError:
        return texts


def array(values: Any) -> Any:
    """A NumPy array where NumPy is installed, else the list."""
    try:
        import numpy
    except ImportError:
        return values
    return numpy.array(values)


def write(data: Data, folder: str, name: str) -> tuple[str, list[str]]:
    """The place of a table: the one given, or a new file of JSON lines, which keep types apart as CSV does not.

    Also the columns of text that would be read as dates.
    """
    if isinstance(data, (str, os.PathLike)):
        return os.path.expanduser(os.fspath(data)), []
    columns = _columns(data, name)
    lengths = {len(values) for values in columns.values()}
    if not lengths or lengths == {0}:
        raise ValueError(f"{name}: must have rows and columns; got {max(lengths, default=0)} and {len(columns)}")
    if len(lengths) != 1:
        raise ValueError(f"{name}: columns must have the same number of rows; got {sorted(lengths)}")
    os.makedirs(folder, mode=0o700, exist_ok=True)
    file = os.path.join(folder, f"table{len(os.listdir(folder)) + 1}.jsonl")
    plain = {
        column: [_plain(value, f"{name}, column {column}, row {row + 1}") for row, value in enumerate(values)]
        for column, values in columns.items()
    }
    with open(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as out:
        for row in zip(*plain.values()):
            out.write(json.dumps(dict(zip(plain, row)), ensure_ascii=False, allow_nan=False) + "\n")
    return file, [
        column for column, values in columns.items() if any(isinstance(value, str) and _DATE.match(value) for value in values)
    ]


def _columns(data: Any, name: str) -> dict[str, list[Any]]:
    if hasattr(data, "columns") and hasattr(data, "iloc"):  # pandas
        return {str(column): list(data[column]) for column in data.columns}
    if isinstance(data, Mapping):
        return {str(column): list(values) for column, values in data.items()}
    if isinstance(data, Sequence) and all(isinstance(row, Mapping) for row in data):
        names = dict.fromkeys(str(key) for row in data for key in row)
        return {key: [row.get(key) for row in data] for key in names}
    raise TypeError(
        f"{name}: must be a place, a DataFrame, a mapping of columns or a sequence of rows (mappings); got {type(data).__name__}"
    )


def _plain(value: Any, where: str) -> Any:
    if hasattr(value, "item") and callable(value.item):  # NumPy's scalars
        value = value.item()
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return None
    if isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float):
        if math.isinf(value):
            raise ValueError(f"{where}: numbers must be finite; got {value}")
        return None if math.isnan(value) else value
    if isinstance(value, datetime.datetime):
        if value.tzinfo is not None:
            value = value.astimezone(datetime.timezone.utc)
        return value.strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    if isinstance(value, datetime.date):
        return value.isoformat()
    raise TypeError(f"{where}: must be a number, text, truth value, date, time or None; got {type(value).__name__}")


def cast_query(columns: Sequence[str]) -> str:
    """Keeps columns of text that look like dates text."""
    quoted = ['"' + column.replace('"', '""') + '"' for column in columns]
    return "select * replace (" + ", ".join(f"cast({column} as varchar) as {column}" for column in quoted) + ") from data"
