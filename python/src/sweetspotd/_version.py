# SPDX-License-Identifier: Apache-2.0
"""The version of this package: that of the daemon it was released with. Any two versions work together."""

VERSION = "0.1.0"
