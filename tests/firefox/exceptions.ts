/** Tests of the browser suites that do not run in Firefox, by title or file, each with its reason. */
export const EXCEPTIONS: readonly { readonly test: RegExp; readonly reason: string }[] = [
  {
    test: /no task over 50 ms and a list that scrolls at full frame rate/,
    reason:
      "The test reads tasks from a trace of Chromium. Firefox writes no such trace and does not report long tasks.",
  },
  {
    test: /a cut of 2 s, one of 20 s, and another address/,
    reason:
      "The test runs its browser in a network namespace. The runner controls Firefox over a TCP port, which would be inside the namespace and out of reach.",
  },
  {
    test: /e2e\/(sub-path|two-consoles)\.spec\.ts/,
    reason:
      "The sockets of the SharedWorker must accept the certificate of a test, which no authority knows. Only a switch of Chromium's command line makes them.",
  },
  {
    test: /multi-tab\/own-tab\.spec\.ts/,
    reason:
      "The person chooses the tab to share in a dialog of the browser. Only Chromium has a switch that answers it.",
  },
];
