"""Fetches the headers of PyTorch's wheels from PyPI: 9 MB of 500.

    pytorch_headers.py FOLDER VERSION...    into FOLDER/VERSION/torch/include, for 2.11 and so on
"""

import json
import pathlib
import subprocess
import sys
import tempfile
import urllib.request
import zipfile

FURTHER = 1 << 16  # a file's own header in the archive, before its bytes


def address(version):
    """Of the wheel that pip would install; it downloads metadata alone."""
    done = subprocess.run([sys.executable, "-m", "pip", "install", "--dry-run", "--no-deps",
                           "--ignore-installed", "--quiet", "--report", "-", f"torch=={version}.*"],
                          capture_output=True, text=True, check=False)
    if done.returncode != 0:
        lines = done.stderr.strip().splitlines() or ["pip said nothing"]
        raise SystemExit(f"pytorch_headers: no PyTorch {version}: {lines[-1]}")
    return json.loads(done.stdout)["install"][0]["download_info"]["url"]


class Remote:
    """A file at an address, of which parts are read; zipfile reads its end first."""

    def __init__(self, url):
        self._url = url
        with self._open("bytes=0-0") as answer:
            self._size = int(answer.headers["Content-Range"].rpartition("/")[2])
        self._at = 0
        self._kept = (0, b"")

    def _open(self, wanted):
        answer = urllib.request.urlopen(
            urllib.request.Request(self._url, headers={"Range": wanted}), timeout=120)
        if answer.status != 206:
            raise SystemExit(f"pytorch_headers: {self._url} is only given whole")
        return answer

    def keep(self, begin, end):
        """Reads these bytes at once."""
        with self._open(f"bytes={begin}-{min(end, self._size) - 1}") as answer:
            self._kept = (begin, answer.read())

    def seekable(self):
        return True

    def tell(self):
        return self._at

    def seek(self, offset, whence=0):
        self._at = offset + (0, self._at, self._size)[whence]
        return self._at

    def read(self, count=-1):
        end = self._size if count < 0 else min(self._at + count, self._size)
        begin, kept = self._kept
        if self._at < begin or end > begin + len(kept):
            self.keep(self._at, max(end, self._at + FURTHER))
            begin, kept = self._kept
        data = kept[self._at - begin:end - begin]
        self._at = end
        return data


def fetch(version, folder):
    """Into a folder beside it first, so that what is there is whole."""
    remote = Remote(address(version))
    with zipfile.ZipFile(remote) as archive, \
            tempfile.TemporaryDirectory(dir=folder.parent) as partial:
        headers = [entry for entry in archive.infolist()
                   if entry.filename.startswith("torch/include/")]
        # They lie together in the archive.
        last = max(headers, key=lambda entry: entry.header_offset)
        remote.keep(min(entry.header_offset for entry in headers),
                    last.header_offset + last.compress_size + FURTHER)
        archive.extractall(partial, headers)
        pathlib.Path(partial).rename(folder)
        pathlib.Path(partial).mkdir()
    folder.chmod(0o755)


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    root = pathlib.Path(sys.argv[1])
    root.mkdir(parents=True, exist_ok=True)
    for version in sys.argv[2:]:
        if not (root / version).exists():
            print(f"pytorch_headers: PyTorch {version}", file=sys.stderr)
            fetch(version, root / version)


if __name__ == "__main__":
    main()
