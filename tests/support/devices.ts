/** Pages whose microphone and camera are missing, refused, or waiting for an answer to the prompt, in any browser. */
import type { Page } from "@playwright/test";
import type { Person } from "./people.ts";

type Device = "there" | "missing" | "refused" | "asking";
export interface DeviceRule {
  readonly audio: Device;
  readonly video: Device;
}
declare global {
  // Set by `ruleDevices`.
  var changeDevices: (rule: DeviceRule) => void;
}

function ruleDevices(initial: DeviceRule): void {
  let rule = initial;
  const prompts = new Set<() => void>();
  const { mediaDevices } = navigator;
  const open = mediaDevices.getUserMedia.bind(mediaDevices);
  mediaDevices.getUserMedia = async (constraints = {}) => {
    for (;;) {
      const states = (["audio", "video"] as const)
        .filter((kind) => constraints[kind])
        .map((kind) => rule[kind]);
      if (states.includes("missing")) throw new DOMException("no such device", "NotFoundError");
      if (states.includes("refused")) throw new DOMException("not allowed", "NotAllowedError");
      if (!states.includes("asking")) return open(constraints);
      await new Promise<void>((answered) => prompts.add(answered));
    }
  };
  globalThis.changeDevices = (next) => {
    rule = next;
    for (const answered of prompts) answered();
    prompts.clear();
    mediaDevices.dispatchEvent(new Event("devicechange"));
  };
}

/** Applies to pages that this person opens from now on. */
export const withDevices = (person: Person, rule: DeviceRule): Promise<unknown> =>
  person.context.addInitScript(ruleDevices, rule);

/** Simulates that the person answers the prompt, or plugs devices in or out. */
export const changeDevices = (page: Page, rule: DeviceRule): Promise<void> =>
  page.evaluate((next) => globalThis.changeDevices(next), rule);
