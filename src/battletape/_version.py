"""The version, read by the build and written into every battle file."""

VERSION = "0.5.0.dev0"
