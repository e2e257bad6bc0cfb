"""Tests of the web page and the JSON API."""
