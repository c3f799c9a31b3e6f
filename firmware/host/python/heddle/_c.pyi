# SPDX-License-Identifier: Apache-2.0
from typing import Any

ffi: Any
