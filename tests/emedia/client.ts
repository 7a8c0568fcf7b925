/** One client in a page of its own, as the tests see it: what it does, and what it receives. */
import { expect, type Page } from "@playwright/test";
import { MEDIA_PATIENCE } from "../support/time-limits.ts";
import type { Actions, ClientEvent, Received } from "./driver.ts";

const CAMERA = 0;

interface MediaWish {
  readonly type?: number;
  readonly video?: boolean;
  readonly audio?: boolean;
  /** Whether the sound must be heard, not only received. The fake microphone beeps once a second. */
  readonly heard?: boolean;
  /** Whether the picture must change. That of the camera `fake_device_2` changes too little to outlive its encoding. */
  readonly moves?: boolean;
  readonly timeout?: number;
}

export interface Client {
  readonly name: string;
  readonly page: Page;
  /** Errors that the page threw and nobody caught, for example at a frame that it did not understand. */
  readonly errors: string[];
  /** @throws Error with a refusal as JSON */
  act<A extends keyof Actions>(
    action: A,
    ...args: Parameters<Actions[A]>
  ): Promise<Awaited<ReturnType<Actions[A]>>>;
  join(confrId: string, password?: string): Promise<void>;
  publish(parts?: { audio: boolean; video: boolean }): Promise<string>;
  /** Creates a conference and publishes in it. @returns its id */
  host(config?: Record<string, unknown>): Promise<string>;
  members(): Promise<string[]>;
  /** Values of all events of this name so far. */
  events(name: string): Promise<unknown[]>;
  /** Waits until this event has come, with this value if one is given. */
  expectEvent(name: string, value?: unknown): Promise<void>;
  received(): Promise<Received[]>;
  /** Waits until frames are decoded, sound is received and the picture changes. */
  expectMedia(member: string, options?: MediaWish): Promise<void>;
}

/** @param page a page with a driver */
export function clientOf(name: string, page: Page, errors: string[]): Client {
  const received = (): Promise<Received[]> => page.evaluate(() => driver.received());
  const events = async (wanted: string): Promise<unknown[]> =>
    (await page.evaluate(() => driver.events as ClientEvent[]))
      .filter((event) => event.name === wanted)
      .map(({ value }) => value);
  const client: Client = {
    name,
    page,
    errors,
    events,
    received,
    act: (action, ...args) =>
      page.evaluate(
        ([method, given]) =>
          (driver.actions[method as "close"] as (...all: readonly unknown[]) => never)(
            ...(given as unknown[]),
          ),
        [action, args] as const,
      ),
    join: (confrId, password = "") => client.act("join", confrId, password),
    publish: (parts = { audio: true, video: true }) => client.act("publish", parts),
    async host(config = {}) {
      const confrId = await client.act("create", config);
      await client.publish();
      return confrId;
    },
    members: () => page.evaluate(() => driver.members()),
    async expectEvent(wanted, value) {
      await expect
        .poll(() => events(wanted), { message: `${name} sees ${wanted}` })
        .toContainEqual(value ?? null);
    },
    async expectMedia(
      member,
      {
        type = CAMERA,
        video = true,
        audio = true,
        heard = false,
        moves = true,
        timeout = MEDIA_PATIENCE,
      } = {},
    ) {
      let first: Received | undefined;
      await expect
        .poll(
          async () => {
            const now = (await received()).find(
              (one) => one.member === member && one.type === type,
            );
            if (now === undefined) return { video: false, audio: false };
            // A connection that replaces another one counts from zero.
            if (first === undefined || now.frames < first.frames) first = now;
            if (now.audioPackets < first.audioPackets) first = now;
            return {
              video:
                !video ||
                (now.frames >= first.frames + 5 &&
                  now.width > 0 &&
                  now.picture !== (moves ? first.picture : null)),
              audio:
                !audio ||
                (now.audioPackets >= first.audioPackets + 10 &&
                  (!heard || now.energy > first.energy)),
            };
          },
          { timeout, intervals: [100, 200], message: `${name} receives ${member}` },
        )
        .toEqual({ video: true, audio: true });
    },
  };
  return client;
}
