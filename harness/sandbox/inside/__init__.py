"""What runs beside the student's code: standard library only, imported by `worker` and by nothing else.

Student code shares the process with these files, so each of them keeps a copy of the builtins to itself (`builtins.len = …`
must not change what is observed) and takes hold of the functions it needs when it is imported, before a student can replace them.
"""
