"""A wheel of an earlier version, made of this one: it brings a file more."""

import re
import zipfile

VERSION = "0.0.9"
LEFT_OUT_SINCE = "xfercheck/_left_out_since.py"


def make(wheel, folder):
    version = wheel.name.split("-")[1]
    older = folder / wheel.name.replace(f"-{version}-", f"-{VERSION}-", 1)

    def rename(text):
        return text.replace(f"xfercheck-{version}.", f"xfercheck-{VERSION}.")

    with zipfile.ZipFile(wheel) as source, \
            zipfile.ZipFile(older, "w", zipfile.ZIP_STORED) as made:
        for entry in source.infolist():
            data = source.read(entry)
            if entry.filename.endswith("dist-info/RECORD"):
                data = (rename(data.decode()) + f"{LEFT_OUT_SINCE},,\n").encode()
            elif entry.filename.endswith("dist-info/METADATA"):
                data = re.sub(rb"^Version: .*", f"Version: {VERSION}".encode(), data, count=1,
                              flags=re.M)
            entry.filename = rename(entry.filename)
            entry.compress_type = zipfile.ZIP_STORED
            made.writestr(entry, data)
        made.writestr(LEFT_OUT_SINCE, "")
    return older
