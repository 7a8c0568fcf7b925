/** What of the browser suites is not run in Firefox, by title, each with its reason. */
export const EXCEPTIONS: readonly { readonly title: RegExp; readonly reason: string }[] = [
  {
    title: /no task over 50 ms and a list that scrolls at full frame rate/,
    reason:
      "it reads the tasks from a trace of Chromium; Firefox writes none, and tells of no long task",
  },
  {
    title: /a cut of 2 s, one of 20 s, and another address/,
    reason:
      "its browser runs in a network namespace; the runner commands Firefox over a TCP port, which would lie inside",
  },
];
