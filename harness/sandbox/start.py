"""The first lines of every process that will hold student code, passed to `python -c` as text.

They make a package of this folder under another name, so that the worker's relative imports work and nothing of the harness,
of its environment or of site-packages is ever imported. Usage: `python -c TEXT FOLDER worker|zygote …`; FOLDER may lie in a zip file.
"""

import importlib
import sys
import types

sys.path[:] = [entry for entry in sys.path if entry]
sys.dont_write_bytecode = True
package = types.ModuleType("patience_inside")
package.__path__ = [sys.argv[1]]
sys.modules["patience_inside"] = package
importlib.import_module(f"patience_inside.{sys.argv[2]}").main(sys.argv[3:])
