"""Excel workbooks by two independent writers: what the reader of .xlsx files is held against.

    python oracles/xlsx_oracle.py

Needs openpyxl and xlsxwriter. Writes oracles/xlsx/openpyxl.xlsx and xlsxwriter.xlsx, the same five rows in each as the
tests of all other sources have (EngineContract), on the second sheet, `visits`; on the first a table of mixed columns.
"""
import datetime
import pathlib

import openpyxl
import xlsxwriter

OUT = pathlib.Path(__file__).parent / "xlsx"
OUT.mkdir(exist_ok=True)
D = datetime.date
T = datetime.datetime
HEADER = ["id", "x", "n", "s", "b", "d", "ts"]
ROWS = [
    [1, 2.5, 7, "a", True, D(2020, 2, 29), T(2020, 2, 29, 23, 59, 58, 500000)],
    [2, None, 3, "A", False, D(1969, 12, 31), T(1969, 12, 31, 12)],
    [3, 0.25, -2, "it's", True, None, None],
    [4, 1000, 0, None, None, D(2023, 7, 1), T(2023, 7, 1)],
    [5, 10, 2, " z ", False, D(1900, 3, 1), T(1900, 3, 1, 6, 30, 15)],
]
MIXED = [["code", "when", "all missing", "money"], [1, D(2020, 1, 1), None, 5.5], ["NA", "NA", None, None],
         ["two", T(2020, 1, 2, 12), None, 7]]

book = openpyxl.Workbook()
first = book.active
first.title = "mixed"
for row in MIXED:
    first.append(row)
for cell in first["D"][1:]:
    cell.number_format = '#,##0.00 "dollars";[Red]-#,##0.00'
visits = book.create_sheet("visits")
for row in [HEADER] + ROWS:
    visits.append(row)
book.save(OUT / "openpyxl.xlsx")

book = xlsxwriter.Workbook(str(OUT / "xlsxwriter.xlsx"), {"default_date_format": "dd.mm.yyyy hh:mm:ss"})
day = book.add_format({"num_format": "d mmm yyyy"})
money = book.add_format({"num_format": '#,##0.00 "dollars";[Red]-#,##0.00'})
for name, rows in [("mixed", MIXED), ("visits", [HEADER] + ROWS)]:
    sheet = book.add_worksheet(name)
    for r, row in enumerate(rows):
        for c, value in enumerate(row):
            if type(value) is D:
                sheet.write_datetime(r, c, value, day) if value >= D(1900, 1, 1) else sheet.write(r, c, value)
            elif name == "mixed" and c == 3 and r > 0:
                sheet.write(r, c, value, money)
            elif value is not None:
                sheet.write(r, c, value)
book.close()
