/** Tests of the browser suites that do not run in Firefox, by title, each with its reason. */
export const EXCEPTIONS: readonly { readonly title: RegExp; readonly reason: string }[] = [
  {
    title: /no task over 50 ms and a list that scrolls at full frame rate/,
    reason:
      "The test reads tasks from a trace of Chromium. Firefox writes no such trace and does not report long tasks.",
  },
  {
    title: /a cut of 2 s, one of 20 s, and another address/,
    reason:
      "The test runs its browser in a network namespace. The runner controls Firefox over a TCP port, which would be inside the namespace and out of reach.",
  },
];
