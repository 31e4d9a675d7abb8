"""The messages between controller and zygote, each one datagram of fixed size.

START carries limits as numbers and the descriptors job, output, errors and frames; KILL ends the child; BORN tells its pid;
GONE tells its wait status and processor time, once it and all it had started are dead.
"""

from __future__ import annotations

import struct

START, KILL, BORN, GONE = 1, 2, 3, 4
REQUEST = struct.Struct("=BQQQQ")
ANSWER = struct.Struct("=Biid")
DESCRIPTORS = 4
