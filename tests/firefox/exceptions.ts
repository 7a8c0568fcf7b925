/** What of the browser suites is not run in Firefox, by title, each with its reason. */
export const EXCEPTIONS: readonly { readonly title: RegExp; readonly reason: string }[] = [
  {
    title: /the tab is closed, the worker, the server and the network die/,
    reason: "it ends the SharedWorker alone by CDP; Firefox has no command for that",
  },
  {
    title: /what was written outlives the core/,
    reason: "it ends the SharedWorker alone by CDP; Firefox has no command for that",
  },
  {
    title: /owner's tab, core and server killed in a conference of four/,
    reason: "it ends the SharedWorker alone by CDP; Firefox has no command for that",
  },
  {
    title: /no device: the caller is told/,
    reason: "it starts a Chromium of its own with flags of Chromium",
  },
  {
    title: /no permission: the caller is told/,
    reason: "it starts a Chromium of its own with flags of Chromium",
  },
  {
    title: /no task over 50 ms and a list that scrolls at full frame rate/,
    reason: "it reads a trace of Chromium",
  },
  {
    title: /a first visit paints a skeleton within 1.5 s/,
    reason: "it slows the network down by CDP",
  },
  {
    title: /a cut of 2 s, one of 20 s, and another address/,
    reason: "it starts a Chromium in a network namespace",
  },
];
