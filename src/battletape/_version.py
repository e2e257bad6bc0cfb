"""The version, read by the build and written into every battle file."""

VERSION = "0.4.0.dev0"
