"""Tiny hostile programs, one for each promise of the sandbox. `doctor` runs them through the real one.

Each is typed the lines it needs (a path, a port, a pid), tries one thing, and prints `GOT` and what it got if that worked.
A program that is stopped prints something else, or nothing. They do no lasting harm where nothing stops them.
"""

from __future__ import annotations

READ_FILE = """
path = input()
try:
    print("GOT", len(open(path, "rb").read(64)), "bytes")
except OSError as error:
    print("no:", error)
"""

LIST_FOLDER = """
import os
path, count = input(), int(input())
try:
    names = os.listdir(path)
    print("GOT" if len(names) >= count else "no: only", len(names), "names")
except OSError as error:
    print("no:", error)
"""

ASK_FOR_FILE = """
import os
path = input()
try:
    print("GOT", os.stat(path).st_size)
except OSError as error:
    print("no:", error)
"""

WRITE_FILE = """
path = input()
try:
    open(path, "w").write("I was here")
    print("GOT it written")
except OSError as error:
    print("no:", error)
"""

CONNECT_TCP = """
import socket
port = int(input())
try:
    socket.create_connection(("127.0.0.1", port), 2)
    print("GOT a connection")
except OSError as error:
    print("no:", error)
"""

SEND_UDP = """
import socket
port = int(input())
try:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as way:
        way.sendto(b"answers", ("127.0.0.1", port))
        print("GOT it sent")
except OSError as error:
    print("no:", error)
"""

CONNECT_UNIX = """
import socket
name = "\\0" + input()
try:
    with socket.socket(socket.AF_UNIX) as way:
        way.connect(name)
        print("GOT a connection")
except OSError as error:
    print("no:", error)
"""

FORK = """
import os
try:
    child = os.fork()
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)
    print("GOT a process")
except OSError as error:
    print("no:", error)
"""

EXECUTE = """
import os
path = input()
try:
    os.execv(path, [path, "-c", "print('GOT another program')"])
except OSError as error:
    print("no:", error)
"""

SIGNAL = """
import os, signal
try:
    os.kill(int(input()), signal.SIGKILL)
    print("GOT it killed")
except OSError as error:
    print("no:", error)
"""

LEAVE_CHILD = """
import os, time
try:
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            open("pid.txt", "w").write(str(os.getpid()))
            time.sleep(60)
        os._exit(0)
    time.sleep(0.5)
    print("pid", open("pid.txt").read())
except OSError as error:
    print("no:", error)
"""

TAKE_MEMORY = """
held = []
try:
    for _ in range(64):
        held.append(bytes(16 * 1024 * 1024))
    print("GOT a gigabyte")
except MemoryError:
    print("no: only", len(held) * 16, "MB")
"""

USE_TIME = """
import signal
for number in (signal.SIGINT, signal.SIGTERM, getattr(signal, "SIGXCPU", signal.SIGINT)):
    signal.signal(number, signal.SIG_IGN)
while True:
    try:
        while True:
            pass
    except BaseException:
        pass
"""

WAIT = """
import time
while True:
    try:
        time.sleep(1000)
    except BaseException:
        pass
"""

FLOOD = """
import os
while True:
    try:
        os.write(1, b"x" * 65536)
    except OSError:
        pass
"""

FILL_DISK = """
total = 0
try:
    for number in range(256):
        with open(f"file{number}", "wb") as file:
            total += file.write(b"x" * 1000000)
    print("GOT", total, "bytes")
except OSError as error:
    print("no:", error)
"""

MANY_FILES = """
try:
    for number in range(20000):
        open(f"file{number}", "w").close()
    print("GOT 20000 files")
except OSError as error:
    print("no:", error)
"""

READ_PROCESS = """
import os
pid = input()
for name in ("environ", "mem"):
    try:
        with open(f"/proc/{pid}/{name}", "rb") as file:
            if name == "mem" or file.read(1):
                print("GOT", name)
    except OSError as error:
        print("no:", error)
"""

READ_ENVIRONMENT = """
import os
known = set(input().split())
strange = sorted(set(os.environ) - known)
print("GOT", strange) if strange else print("no: nothing but", sorted(os.environ))
"""

KEEP_FILE = """
import time
name = input()
open(name, "w").write("the neighbour's work")
time.sleep(float(input()))
"""

FIND_FILE = """
import glob, os
name, places = input(), input().split(";")
found = []
for place in places:
    for depth in range(4):
        found += glob.glob(os.path.join(place, *["*"] * depth, name))
for path in found:
    try:
        print("GOT", len(open(path).read()), "bytes of a neighbour")
    except OSError as error:
        print("no:", error)
print("no: nothing found")
"""
