#!/bin/sh
# Playwright sets this variable, and with it the whole browser ends when a test kills one of its tabs.
unset MOZ_CRASHREPORTER_SHUTDOWN
exec "${FIREFOX_PATH:-/usr/bin/firefox-esr}" "$@"
