# SPDX-License-Identifier: Apache-2.0
"""The programs: source, launch, and what the prose says must come out."""
from case import CASES
import cases_alu  # noqa: F401  (each module adds its programs)
import cases_float  # noqa: F401
import cases_memory  # noqa: F401
import cases_paths  # noqa: F401
import cases_traps  # noqa: F401
