"""Makes ``made_up`` importable, and generated inputs the same for everybody where it matters."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from hypothesis import settings

sys.path.append(str(Path(__file__).parent))

# In a job of GitHub Actions the text is followed by annotations, which the tests ask for by name.
os.environ.pop("GITHUB_ACTIONS", None)

# A change is not to fail for an input that chance brought up on the day that it lands: what a check
# in a clean clone generates is fixed. By hand, every run tries other inputs.
settings.register_profile("fixed", derandomize=True)
if os.environ.get("CI"):
    settings.load_profile("fixed")
