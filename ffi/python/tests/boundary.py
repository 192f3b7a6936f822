"""Makes views of one payload, as many as each line of its input says, and answers with nanoseconds and the view's bytes.

    boundary.py PAYLOAD
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

from axpress import Compressor


def main() -> None:
    payload = Path(sys.argv[1]).read_bytes()
    with Compressor() as compressor:
        for line in sys.stdin:
            text = ""
            started = time.perf_counter_ns()
            for _ in range(int(line)):
                text = compressor.view(payload).text
            print(time.perf_counter_ns() - started, len(text.encode()), flush=True)


if __name__ == "__main__":
    main()
